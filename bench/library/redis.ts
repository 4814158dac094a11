/** The scores of handles in Redis, over a Unix socket of this machine: one MGET for a batch. */
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { Children } from '../../test/support/processes/children.ts'
import { startRedis } from '../wire/redis-server.ts'
import type { Store } from './store.ts'

const pairsPerCommand = 10_000

/** Redis filled with scores; nothing where it is not installed. */
export async function redisOf(
  handles: readonly string[],
  scores: Float64Array,
  signal: AbortSignal,
): Promise<Record<string, Store>> {
  const children = new Children(signal)
  const directory = await startRedis(children, undefined)
  if (directory === undefined) {
    await children.close()
    return {}
  }
  const redis = new Redis({ path: join(directory, 'redis.sock') })
  const before = await bytesOf(redis)
  for (let first = 0; first < handles.length; first += pairsPerCommand) {
    const part = handles.slice(first, first + pairsPerCommand)
    await redis.mset(...part.flatMap((handle, place) => [handle, String(scores[first + place])]))
  }
  const scoresOf = async (texts: readonly string[]) => {
    let sum = 0
    for (const score of await redis.mget(...texts)) sum += Number(score ?? 0)
    return sum
  }
  const close = async () => {
    redis.disconnect()
    await children.close()
  }
  return { 'Redis MGET': { bytes: (await bytesOf(redis)) - before, scoresOf, close } }
}

async function bytesOf(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))![1])
}
