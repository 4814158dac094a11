/**
 * What one would build instead: Fastify over FlexSearch (one index over name, topics and bio; maps for all else),
 * with the same records, ranks and envelope, but no key, no charge, no ETag, no check of parameters. A program:
 * SNAPSHOTS.
 */
import { randomUUID } from 'node:crypto'
import fastify from 'fastify'
import { Index } from 'flexsearch'
import { activate } from '../../src/api/active-snapshot.ts'
import { allTexts, textAt } from '../../src/memory/text-table.ts'
import { topicKey } from '../../src/text/analyzer.ts'
import { loadAnnounced } from '../shared/data/data.ts'

interface Query {
  readonly query: string
  readonly limit?: string
  readonly sdus: string
  readonly handles: string
}

interface Profile {
  readonly name: string
  readonly topics: readonly string[]
  readonly bio: string
}

const { catalog } = activate(loadAnnounced(process.argv[2]!))
const { sections, counts } = catalog
const peersMax = 50

/** Of the summary item of a person: `{"sdu":…,"rank":`, and from there to the end. */
function summaryOf(ordinal: number): readonly [head: string, tail: string] {
  const country = catalog.countryOf(catalog.countryNumberOf(ordinal))
  const topic = catalog.labelOf(catalog.coreTopicOf(ordinal))
  return [
    `${catalog.identities.textAt(ordinal)},"rank":`,
    `,"country_name":${JSON.stringify(country)},"topic":${JSON.stringify(topic)}}`,
  ]
}

/** Items of each route as ready-made text. The index is filled in the order of authority, in which it answers equal matches. */
function readyMade() {
  const keysByTopic = new Map<number, string[]>()
  for (const [entry, key] of allTexts(catalog.tableOf('topic-key')).entries()) {
    const topic = sections['topic-key.topics'][entry]!
    keysByTopic.set(topic, [...(keysByTopic.get(topic) ?? []), key])
  }
  const index = new Index()
  const summaryTexts: (readonly [string, string])[] = []
  const bySdu = new Map<string, string>()
  for (let ordinal = 0; ordinal < counts.authorities; ordinal += 1) {
    const profile = catalog.profiles.textAt(ordinal)
    const { name, topics, bio } = JSON.parse(profile) as Profile
    const numbers = topics.map((label) => catalog.findTopic(topicKey(label)))
    const keys = numbers.flatMap((topic) => keysByTopic.get(topic) ?? [])
    index.add(ordinal, `${name} ${keys.join(' ')} ${bio}`)
    bySdu.set(catalog.sduOf(ordinal), profile)
    summaryTexts.push(summaryOf(ordinal))
  }
  const owners = new Map<string, readonly number[]>()
  const peers = new Map<string, Uint32Array>()
  const handles = { text: sections['handle.text'], starts: sections['handle.starts'] }
  for (let entry = 0; entry < counts.handles; entry += 1) {
    const key = textAt(handles, entry)
    const query = { platform: undefined, key }
    owners.set(key, catalog.ownersOf(query))
    peers.set(key, catalog.peersIn(catalog.peersOf(query), peersMax).slice())
  }
  const summary = (ordinal: number, rank: number) => summaryTexts[ordinal]!.join(`${rank}`)
  const summaries = (ordinals: Iterable<number>) =>
    Array.from(ordinals, (ordinal, position) => summary(ordinal, position + 1)).join(',')
  const ranks = sections['authority.core-ranks']
  return {
    search: (query: string, limit: number) => summaries(index.search(query, { limit }) as number[]),
    detail: (sdu: string) => bySdu.get(sdu) ?? '',
    peers: (handle: string, limit: number) =>
      summaries(peers.get(handle)?.subarray(0, limit) ?? []),
    match: (handle: string) =>
      (owners.get(handle) ?? []).map((ordinal) => summary(ordinal, ranks[ordinal]!)).join(','),
  }
}

const records = readyMade()
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
