/** A service with an admin API and a key for it. */
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from './built.ts'
import { copyDefaultSnapshot, run, serve } from './program.ts'

export interface Administered {
  readonly address: string
  readonly admin: string
  readonly adminKey: string
  readonly data: string
  readonly snapshots: string
  readonly kill: () => Promise<void>
}

/** It ends with the test. */
export async function administered(
  directory = temporaryDirectory(),
  known?: string,
): Promise<Administered> {
  const service = await startAdministered(directory, known)
  onTestFinished(service.kill)
  return service
}

export async function startAdministered(directory: string, known?: string): Promise<Administered> {
  const data = join(directory, 'data')
  const snapshots = join(directory, 'snapshots')
  if (known === undefined) copyDefaultSnapshot(snapshots)
  const issue = ['admin', 'issueAdminKey', 'scopes=read,keys,money,data', '--data', data]
  const adminKey = known ?? (await run(issue)).stdout.trim()
  const places = ['--data', data, '--snapshots', snapshots, '--admin', '127.0.0.1:0']
  const { address, admin = '', stop } = await serve(['--threads', '1', ...places])
  const kill = async () => void (await stop('SIGKILL'))
  return { address, admin, adminKey, data, snapshots, kill }
}
