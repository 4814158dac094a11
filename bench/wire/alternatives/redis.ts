/**
 * Records in Redis: every answer made beforehand, so that a request is one GET. Lists hold the
 * first ten. Redis as Debian has it finds no words in a text, so topics are all it searches.
 */
import { join } from 'node:path'
import { Redis } from 'ioredis'
import type { Items } from './items.ts'
import type { Records } from './records.ts'

const pairsPerCommand = 1000

/** Fills the Redis server whose socket is in a directory. */
export async function openRedis(items: Items, directory: string): Promise<Records> {
  // What arrives in one turn of the event loop is sent in one pipeline.
  const redis = new Redis({ path: join(directory, 'redis.sock'), enableAutoPipelining: true })
  let pairs: string[] = []
  for (const pair of answersOf(items)) {
    pairs.push(...pair)
    if (pairs.length < 2 * pairsPerCommand) continue
    await redis.mset(...pairs)
    pairs = []
  }
  if (pairs.length > 0) await redis.mset(...pairs)
  const get = async (key: string) => (await redis.get(key)) ?? ''
  return {
    search: (query) => get(`search:${query.toLowerCase()}`),
    detail: (sdu) => get(`detail:${sdu}`),
    peers: (handle) => get(`peers:${handle.toLowerCase()}`),
    match: (handle) => get(`match:${handle.toLowerCase()}`),
  }
}

function* answersOf(items: Items): Iterable<[key: string, items: string]> {
  for (const key of items.topicKeys()) {
    const query = `query=${encodeURIComponent(key)}&limit=10`
    yield [`search:${key}`, items.answer(`/api/v1/index?${query}`)]
  }
  for (const { sdu, profile } of items.authorities()) yield [`detail:${sdu}`, profile]
  for (const handle of items.handles()) {
    const query = `handles=${encodeURIComponent(handle)}&limit=10`
    yield [`peers:${handle}`, items.answer(`/api/v1/peers?${query}`)]
    yield [`match:${handle}`, items.answer(`/api/v1/match?${query}`)]
  }
}
