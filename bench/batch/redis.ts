/** Redis on a socket of this machine, with nothing to write to the disk: one MGET for a batch. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Children, findProgram } from '../../test/support/processes/children.ts'

export interface Store {
  readonly bytes: number
  readonly ask: (texts: readonly string[], lines: Uint8Array) => unknown
}

const pairsPerCommand = 10_000

/** Redis filled with scores; undefined where it is not installed. */
export async function redisOf(
  handles: readonly string[],
  scores: Float64Array,
  signal: AbortSignal,
): Promise<(Store & { readonly close: () => Promise<void> }) | undefined> {
  const command = findProgram('redis-server')
  if (command === undefined) return undefined
  const children = new Children(signal)
  const path = join(children.directory, 'redis.sock')
  const args = ['--port', '0', '--unixsocket', path, '--save', '', '--appendonly', 'no']
  const server = children.start({ name: 'redis-server', command, args })
  await server.until(() => existsSync(path))
  const redis = new Redis({ path })
  const before = await bytesOf(redis)
  for (let first = 0; first < handles.length; first += pairsPerCommand) {
    const part = handles.slice(first, first + pairsPerCommand)
    await redis.mset(...part.flatMap((handle, place) => [handle, String(scores[first + place])]))
  }
  const close = async () => {
    redis.disconnect()
    await children.close()
  }
  return { bytes: (await bytesOf(redis)) - before, ask: (texts) => redis.mget(...texts), close }
}

async function bytesOf(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1])
}
