/** A real PgBouncer for a suite, in front of one server, that keeps no more than a transaction on a connection. */
import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runWhenWeEnd } from '../../suites/fleet/ends-with-us.ts'
import { until } from '../operated.ts'
import { freePort, isListening } from '../processes/free-port.ts'
import type { PostgresqlServer } from './postgresql-server.ts'

/** Fewer connections than there are clients, so that these take turns. */
const connections = 2

/** Debian has it where only root looks. */
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin` }

export function isPgbouncerInstalled(): boolean {
  const installed = spawnSync('pgbouncer', ['--version'], { env: environment }).status === 0
  if (!installed) console.error('skipped: no PgBouncer (apt-get install pgbouncer)')
  return installed
}

interface Pooler {
  readonly addressOf: (database: string) => string
  readonly stop: () => Promise<void>
}

/** Starts one; the caller stops it. */
export async function startPgbouncer(server: PostgresqlServer): Promise<Pooler> {
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'))
  const port = await freePort()
  const users = join(directory, 'users.txt')
  const configuration = join(directory, 'pgbouncer.ini')
  writeFileSync(users, '"postgres" ""\n')
  writeFileSync(
    configuration,
    `[databases]
     * = host=127.0.0.1 port=${server.port}
     [pgbouncer]
     listen_addr = 127.0.0.1
     listen_port = ${port}
     unix_socket_dir =
     auth_type = trust
     auth_file = ${users}
     pool_mode = transaction
     default_pool_size = ${connections}`.replace(/^ +/gm, ''),
  )
  const child = launch(directory, configuration)
  const callOff = runWhenWeEnd('sh', ['-c', 'kill "$0"; rm -rf "$1"', `${child.pid}`, directory])
  let said = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`the pooler ended: ${said}`)
    return isListening(port)
  })
  return {
    addressOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    stop: async () => {
      callOff()
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** It refuses root, and then runs as the user of the database. */
function launch(directory: string, configuration: string): ChildProcess {
  const options: SpawnOptions = { env: environment, stdio: ['ignore', 'ignore', 'pipe'] }
  if (process.getuid?.() !== 0) return spawn('pgbouncer', [configuration], options)
  chmodSync(directory, 0o755)
  const asUser = ['--reuid', 'postgres', '--regid', 'postgres', '--init-groups']
  return spawn('setpriv', [...asUser, 'pgbouncer', configuration], options)
}
