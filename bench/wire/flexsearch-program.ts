/**
 * What one would build instead: Fastify over FlexSearch (one index over name, topics and bio; maps for all else),
 * with the same records, ranks and envelope, but no key, no charge, no ETag, no check of parameters. A program:
 * SNAPSHOTS.
 */
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { Index } from 'flexsearch'
import { type Authority, Items } from './items.ts'

interface Query {
  readonly query: string
  readonly limit?: string
  readonly sdus: string
  readonly handles: string
}

/** Items of each route as ready-made text. The index is filled in the order of authority, in which it answers equal matches. */
function recordsOf(items: Items) {
  const index = new Index()
  const authorities: Authority[] = []
  const bySdu = new Map<string, string>()
  for (const authority of items.authorities()) {
    index.add(authorities.length, authority.text)
    bySdu.set(authority.sdu, authority.profile)
    authorities.push(authority)
  }
  const summary = (ordinal: number, rank: number) => authorities[ordinal]!.summary.join(`${rank}`)
  const summaries = (ordinals: Iterable<number>) =>
    Array.from(ordinals, (ordinal, position) => summary(ordinal, position + 1)).join(',')
  const handles = Array.from(items.handles())
  const owners = new Map(handles.map((handle) => [handle, items.ownersOf(handle)]))
  const peers = new Map(handles.map((handle) => [handle, items.peersOf(handle, 50)]))
  return {
    search: (query: string, limit: number) => summaries(index.search(query, { limit }) as number[]),
    detail: (sdu: string) => bySdu.get(sdu) ?? '',
    peers: (handle: string, limit: number) =>
      summaries(peers.get(handle)?.subarray(0, limit) ?? []),
    match: (handle: string) =>
      (owners.get(handle) ?? []).map(({ ordinal, rank }) => summary(ordinal, rank)).join(','),
  }
}

const records = recordsOf(new Items(process.argv[2]!))
const app = fastify()

function add(path: string, hasRequestId: boolean, answer: (query: Query, limit: number) => string) {
  app.get<{ Querystring: Query }>(path, async ({ query }, reply) => {
    const startedMs = performance.now()
    const items = answer(query, Number(query.limit ?? 10))
    const requestId = hasRequestId ? `"request_id":"${randomUUID()}",` : ''
    const seconds = (performance.now() - startedMs) / 1000
    reply.header('content-type', 'application/json')
    return `{"duration":${seconds.toFixed(6)},${requestId}"results":[${items}]}`
  })
}

add('/api/v1/index', true, ({ query }, limit) => records.search(query, limit))
add('/api/v1/detail', false, ({ sdus }) => records.detail(sdus))
add('/api/v1/peers', false, ({ handles }, limit) => records.peers(handles, limit))
add('/api/v1/match', true, ({ handles }) => records.match(handles))
process.on('disconnect', () => process.exit())
const address = await app.listen({ host: '127.0.0.1', port: 0 })
console.log(JSON.stringify({ port: Number(new URL(address).port) }))
