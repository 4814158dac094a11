/**
 * A real S3 server (Ceph's radosgw) for one suite: started by `radosgw/start.sh`, which installs it
 * where that is possible, and stopped with the suite. It can be killed and started again over what it holds.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { cleanUpWhenWeEnd } from '../../suites/fleet/ends-with-us.ts'
import { until } from '../operated.ts'
import { freePorts, isListening } from '../processes/free-port.ts'

const scripts = join(import.meta.dirname, 'radosgw')

/** Whether the server is installed, or can be; says so when it is neither. */
export function canRun(): boolean {
  const found = spawnSync('sh', ['-c', 'command -v radosgw']).status === 0
  const isPossible =
    found || (process.getuid?.() === 0 && spawnSync('apt-get', ['-v']).status === 0)
  if (!isPossible) console.error('skipped: radosgw is not installed (apt-get install radosgw)')
  return isPossible
}

export interface ObjectStorage {
  readonly variables: Readonly<Record<string, string>>
  readonly port: number
  readonly makeBucket: (name: string) => Promise<void>
  /** Ends the server at once; what it holds stays. */
  readonly kill: () => void
  readonly revive: () => Promise<void>
  readonly stop: () => void
}

/** Starts a server on a free port with a free one behind it: it takes two. */
export async function startObjectStorage(): Promise<ObjectStorage> {
  const directory = join(mkdtempSync(join(tmpdir(), 'radosgw-')), 'ceph')
  const [port] = (await freePorts(2)) as [number, number]
  const callOff = cleanUpWhenWeEnd(join(scripts, 'stop.sh'), directory, dirname(directory))
  const stop = () => {
    callOff()
    execFileSync(join(scripts, 'stop.sh'), [directory])
    rmSync(join(directory, '..'), { recursive: true, force: true })
  }
  const said = startIn(directory, port, stop)
  const value = (name: string) => new RegExp(`${name}=(\\S+)`).exec(said)?.[1] ?? ''
  const variables = {
    AWS_ENDPOINT_URL_S3: value('S3_ENDPOINT'),
    AWS_ACCESS_KEY_ID: value('S3_ACCESS_KEY_ID'),
    AWS_SECRET_ACCESS_KEY: value('S3_SECRET_ACCESS_KEY'),
    AWS_REGION: value('S3_REGION'),
  }
  const pid = () => Number(readFileSync(join(directory, 'client.rgw.pid'), 'utf8'))
  let isKilled = false
  return {
    variables,
    port,
    makeBucket: async (Bucket) => {
      const client = new S3Client({ forcePathStyle: true })
      await client.send(new CreateBucketCommand({ Bucket }))
      client.destroy()
    },
    kill: () => {
      isKilled = true
      process.kill(pid(), 'SIGKILL')
    },
    revive: async () => {
      if (!isKilled) return
      isKilled = false
      // What was killed holds its port until it is gone.
      await until(async () => !(await isListening(port)))
      execFileSync('radosgw', ['-n', 'client.rgw'], {
        env: { ...process.env, CEPH_CONF: join(directory, 'ceph.conf') },
        stdio: 'ignore',
      })
      await until(() => isListening(port))
    },
    stop,
  }
}

/** Returns what it printed. Of a start that fails nothing is left. */
function startIn(directory: string, port: number, stop: () => void): string {
  try {
    return execFileSync(join(scripts, 'start.sh'), [directory, String(port)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    stop()
    throw error
  }
}
