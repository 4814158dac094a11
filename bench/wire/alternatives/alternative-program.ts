/**
 * What one would build instead: a Fastify server over FlexSearch or Redis, filled with
 * the same records and ranks, answering the plain requests with the same envelope. It is spared
 * what the service does beyond that: no key, no charge, no ETag, no check of parameters.
 * A program of its own: NAME SNAPSHOTS SOCKET, where SOCKET is the directory of that of Redis.
 */
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { openFlexsearch } from './flexsearch.ts'
import { Items } from './items.ts'
import type { AlternativeName, Records } from './records.ts'
import { openRedis } from './redis.ts'

/** Both, by the name the program is started with. */
const alternatives: Readonly<Record<AlternativeName, Open>> = {
  flexsearch: openFlexsearch,
  redis: openRedis,
}

type Open = (items: Items, directory: string) => Promise<Records>

interface Query {
  readonly query: string
  readonly limit?: string
  readonly sdus: string
  readonly handles: string
}

function serve(records: Records): Promise<string> {
  const app = fastify()
  const add = (
    path: string,
    hasRequestId: boolean,
    answer: (query: Query, limit: number) => string | Promise<string>,
  ) => {
    app.get<{ Querystring: Query }>(path, async ({ query }, reply) => {
      const startedMs = performance.now()
      const items = await answer(query, Number(query.limit ?? 10))
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
  return app.listen({ host: '127.0.0.1', port: 0 })
}

process.on('disconnect', () => process.exit())
const [name, snapshots, socket] = process.argv.slice(2)
const records = await alternatives[name as AlternativeName](new Items(snapshots!), socket!)
console.log(JSON.stringify({ port: Number(new URL(await serve(records)).port) }))
