/**
 * Redis as Debian has it, started for the bench alone: on a socket in its temporary directory, never as
 * the system's service, with nothing to write to the disk.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Children, findProgram } from '../../test/support/processes/children.ts'

/** Starts Redis and returns the directory of its socket; undefined when it is not installed. */
export async function startRedis(
  children: Children,
  cores: string | undefined,
): Promise<string | undefined> {
  const command = findProgram('redis-server')
  if (command === undefined) return undefined
  const { directory } = children
  const socket = join(directory, 'redis.sock')
  const args = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no']
  const redis = children.start({ name: 'redis-server', command, args, cores })
  await redis.until(() => existsSync(socket))
  return directory
}
