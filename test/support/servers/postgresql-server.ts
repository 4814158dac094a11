/** A real PostgreSQL, started by the scripts in `postgresql/`, with a directory of its own. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cleanUpWhenWeEnd } from '../../suites/fleet/ends-with-us.ts'
import { freePort } from '../processes/free-port.ts'

const scripts = join(import.meta.dirname, 'postgresql')

export function isPostgresqlInstalled(): boolean {
  const installed = existsSync('/usr/lib/postgresql')
  if (!installed) console.error('skipped: no PostgreSQL (apt-get install postgresql)')
  return installed
}

export interface PostgresqlServer {
  readonly port: number
  /** Of its database for everything, `postgres://…`. */
  readonly address: string
  readonly certificate: string
  /** Makes an empty database; returns its address. */
  readonly newDatabase: (name: string) => Promise<string>
  /** Stops it as if its machine had lost its power; what was committed is there when it starts again. */
  readonly stopAtOnce: () => void
  readonly startAgain: () => void
  readonly stop: () => void
}

/** Starts one; the caller stops it. */
export function startPostgresql(): Promise<PostgresqlServer> {
  return serverIn(newDirectory())
}

/** Starts a standby that streams from a server. Whatever is promoted is a server like any other. */
export function startStandby({ port }: PostgresqlServer): Promise<PostgresqlServer> {
  const directory = newDirectory()
  execFileSync(join(scripts, 'standby.sh'), [String(port), join(directory, 'server')])
  return serverIn(directory)
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'postgresql-'))
  // Root's server runs as another user.
  chmodSync(directory, 0o755)
  return directory
}

async function serverIn(directory: string): Promise<PostgresqlServer> {
  const place = join(directory, 'server')
  const port = await freePort()
  const words = [place, String(port)]
  const callOff = cleanUpWhenWeEnd(join(scripts, 'stop.sh'), place, directory)
  const printed = execFileSync(join(scripts, 'start.sh'), words, { encoding: 'utf8' })
  const address = /^DATABASE_URL=(.*)$/m.exec(printed)![1]!
  return {
    port,
    address,
    certificate: join(place, 'data', 'server.crt'),
    newDatabase: async (name) => {
      await ask(address, `CREATE DATABASE ${name}`)
      return address.replace(/\/postgres$/, `/${name}`)
    },
    stopAtOnce: () => void execFileSync(join(scripts, 'stop.sh'), [place, '--keep', 'immediate']),
    startAgain: () => void execFileSync(join(scripts, 'start.sh'), words),
    stop: () => {
      callOff()
      execFileSync(join(scripts, 'stop.sh'), [place])
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

export const nowMsSql = '(extract(epoch from clock_timestamp()) * 1000)::bigint'

export async function ask<T extends object>(
  address: string,
  query: string,
  values: readonly unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: address })
  // A connection that breaks fails the waiting queries.
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(query, [...values])).rows
  } finally {
    await client.end()
  }
}
