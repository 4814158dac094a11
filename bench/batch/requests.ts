/**
 * Single requests that cost a service as much as they can, other ones each time where an answer is kept: refusals,
 * which are free, and answers of 0.001 USD.
 */
import { activate } from '../../src/api/active-snapshot.ts'
import { mcpHeaders } from '../../test/support/abuse/victim.ts'
import { wireRequest } from '../../test/support/abuse/wire.ts'
import { loadAnnounced, sdusOf, textsOf, topicTexts } from '../shared/data/data.ts'
import { makeQueries } from '../shared/data/queries.ts'
import { getter } from '../shared/in-process.ts'

/** Processor time of the service that one request may cost, in milliseconds. */
export const boundsMs = { refusal: 1, answer: 10 } as const

/** The price of a query unless an operator sets another. */
export const queryUsd = 0.001

export interface SingleRequest {
  readonly name: string
  readonly kind: keyof typeof boundsMs
  readonly status: number
  readonly queries: number
  /** The request on the wire, as it is sent the given time. */
  readonly bytes: (round: number) => string
}

interface RequestFacts {
  readonly key: string
  readonly snapshots: string
  readonly get: (target: string) => Promise<string>
}

/** What a match costs is what all else is compared with. */
export const plainName = 'plain match'

export async function singleRequests(facts: RequestFacts): Promise<SingleRequest[]> {
  // First: what follows takes longer than the service keeps an idle connection.
  const cursors = await forged(facts)
  const asked = askedOf(facts.snapshots)
  return [...answers(facts.key, asked), ...refusals(facts.key, asked), ...cursors]
}

interface Asked {
  readonly sdus: readonly string[]
  readonly handle: string
  readonly labels: readonly string[]
  /** Texts that cost a search the most, as long as they may be. */
  readonly hostile: readonly string[]
  readonly snapshotId: string
}

function askedOf(snapshots: string): Asked {
  const snapshot = loadAnnounced(snapshots)
  const served = activate(snapshot)
  const get = getter(served)
  const { hostile = [] } = makeQueries(snapshot, served, 100)
  const dearest = hostile.map((text) => {
    const startedMs = performance.now()
    get(`/api/v1/index?query=${encodeURIComponent(text)}&limit=49`)
    return { text, ms: performance.now() - startedMs }
  })
  dearest.sort((a, b) => b.ms - a.ms)
  return {
    sdus: sdusOf(snapshot).slice(0, 1_000),
    handle: textsOf(snapshot.sections, 'handle')[0]!,
    labels: topicTexts(snapshot).labels,
    hostile: dearest.slice(0, 20).map(({ text }) => text),
    snapshotId: served.catalog.id,
  }
}

const encode = encodeURIComponent

function gets(key: string) {
  const keyed = key === '' ? {} : { Authorization: `Bearer ${key}` }
  return (target: string) => wireRequest(target, keyed)
}

function posts(key: string) {
  const headers = { ...mcpHeaders, Authorization: `Bearer ${key}` }
  return (path: string, body: string) => {
    const length = `${Buffer.byteLength(body)}`
    return wireRequest(path, { ...headers, 'Content-Length': length }, 'POST') + body
  }
}

function answers(key: string, { sdus, handle, labels, hostile }: Asked): SingleRequest[] {
  const get = gets(key)
  const post = posts(key)
  const answer = (name: string, target: (round: number) => string): SingleRequest => {
    return { name, kind: 'answer', status: 200, queries: 1, bytes: (round) => get(target(round)) }
  }
  const free = (name: string, target: (round: number) => string): SingleRequest => {
    return { ...answer(name, target), queries: 0 }
  }
  const nth = <T>(list: readonly T[], round: number) => list[round % list.length]!
  // Another limit each time round, so that no answer is one that is kept.
  const fresh = (list: readonly string[], round: number) =>
    `query=${encode(nth(list, round))}&limit=${50 - (Math.floor(round / list.length) % 40)}`
  const index = '/api/v1/index'
  const facets = 'facets=country,platform,topic'
  const call = (round: number) => {
    const args = JSON.stringify({ query: nth(hostile, round), limit: 50 })
    const params = `{"name":"search_authorities","arguments":${args}}`
    return post('/mcp', `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
  }
  // The largest topics stand first.
  const anyOf = (round: number) =>
    `query=${encode([...labels.slice(0, 4), labels[4 + (round % 40)]].join(' OR '))}&limit=${50 - (Math.floor(round / 40) % 40)}`
  const many = (round: number) => {
    const text = labels
      .slice(round % 7, 60)
      .join(' OR ')
      .slice(0, 250)
    const limit = 50 - (Math.floor(round / 7) % 40)
    return `query=${encode(text.slice(0, text.lastIndexOf(' OR ')))}&limit=${limit}`
  }
  const batch = (name: string, queries: number, path: string, body: string): SingleRequest => {
    return { name, kind: 'answer', status: 200, queries, bytes: () => post(path, body) }
  }
  const thousand = (text: (index: number) => string) =>
    Array.from({ length: 1_000 }, (_, index) => `"${text(index)}"`).join()
  const account = handle.replace(/^@/, '')
  const addresses = thousand((each) => `https://x.com/${account}/a${each}/${'x'.repeat(200)}`)
  return [
    answer(plainName, () => `/api/v1/match?handles=${encode(handle)}`),
    answer('search, hostile', (round) => `${index}?${fresh(hostile, round)}`),
    answer(
      'search, hostile, explained',
      (round) => `${index}?${fresh(hostile, round)}&explain=true`,
    ),
    answer('search, topic, explained', (round) => `${index}?${fresh(labels, round)}&explain=true`),
    answer('search, facets', (round) => `${index}?${fresh(labels, round)}&${facets}`),
    answer(
      'search, hostile, facets, page',
      (round) => `${index}?${fresh(hostile, round)}&${facets}&cursor=*`,
    ),
    answer(
      'search, 50 topics, facets, page',
      (round) =>
        `${index}?${fresh(labels, round)}&topic=${labels.slice(0, 50).map(encode).join()}&${facets}&cursor=*`,
    ),
    answer('search, OR of many, facets', (round) => `${index}?${many(round)}&${facets}`),
    answer('search, OR of many, page', (round) => `${index}?${many(round)}&cursor=*`),
    answer(
      'search, OR of five topics, facets',
      (round) => `${index}?${anyOf(round)}&explain=true&${facets}`,
    ),
    answer('search, OR of five topics, page', (round) => `${index}?${anyOf(round)}&cursor=*`),
    answer('search, score_min', (round) => `${index}?${fresh(labels, round)}&score_min=99`),
    answer('peers, explained', (round) => {
      return `/api/v1/peers?handles=${encode(handle)}&limit=${50 - (round % 40)}&explain=true`
    }),
    answer('history', (round) => `/api/v1/history?sdus=${nth(sdus, round)}`),
    free('suggestions', (round) => `/api/v1/autocomplete?${fresh(['a', 's', 'th'], round)}`),
    free('topics', (round) => `/api/v1/topics?${fresh(['a', 's', 'th'], round)}`),
    batch('match, 1,000 addresses of one', 1_000, '/api/v1/match', `{"handles":[${addresses}]}`),
    batch(
      'match, the same, aligned',
      1_000,
      '/api/v1/match',
      `{"aligned":true,"handles":[${addresses}]}`,
    ),
    { name: 'MCP search, hostile', kind: 'answer', status: 200, queries: 1, bytes: call },
  ]
}

function refusals(key: string, { sdus, labels, snapshotId }: Asked): SingleRequest[] {
  const get = gets(key)
  const post = posts(key)
  const refusal = (name: string, status: number, bytes: string): SingleRequest => {
    return { name, kind: 'refusal', status, queries: 0, bytes: () => bytes }
  }
  const many = (count: number, make: (index: number) => string, between = ',') =>
    Array.from({ length: count }, (_, index) => make(index)).join(between)
  const index = (parameters: string) => get(`/api/v1/index?query=a&${parameters}`)
  const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const wide = (count: number) => `{${many(count, (each) => `"m${each}":1`)}}`
  const letters = 'abcdefghijklmnopqrstuvwxyz '.repeat(3).slice(0, 64)
  const slipped = labels.slice(0, 50).map((label) => encode(`${label.slice(1)} ${label}`))
  const dear = many(1_000, (each) => `"https://www.example${each}.com/${'x'.repeat(200)}"`)
  const dearSdus = `{"sdus":[${sdus.map((sdu) => `"${sdu}"`).join()}]}`
  const short = many(1_000, (each) => `"x:source${each}"`)
  return [
    refusal('unknown parameters ×3,000', 400, index(many(3_000, (each) => each.toString(36), '&'))),
    refusal('JSON 120,000 deep', 400, post('/api/v1/match', `{"x":${deep(120_000)}}`)),
    refusal('JSON of 25,000 members', 400, post('/api/v1/match', wide(20_000))),
    refusal('JSON of 4,000 members', 400, post('/api/v1/match', wide(4_000))),
    refusal('JSON of one long text', 400, post('/api/v1/match', `{"x":"${'y'.repeat(250_000)}"}`)),
    refusal('JSON of escapes', 400, post('/api/v1/match', `{"x":"${'\\u0001'.repeat(40_000)}"}`)),
    refusal('MCP 250,000 deep', 400, post('/mcp', deep(250_000))),
    refusal('MCP of 40,000 messages', 400, post('/mcp', `[${many(40_000, () => '{}')}]`)),
    refusal('MCP of 30,000 messages', 400, post('/mcp', `[${many(30_000, () => '{}')}]`)),
    refusal('MCP of one long text', 400, post('/mcp', `"${'x'.repeat(1_000_000)}"`)),
    refusal('unknown topic', 400, index(`topic=${encode(letters)}`)),
    refusal('unknown topic, of many words', 400, index(`topic=${encode('a b '.repeat(16))}`)),
    refusal('unknown topics with commas', 400, index(many(120, () => 'topic=rusk,cook,ada', '&'))),
    refusal('misspelled topics', 400, index(`topic=${slipped[0]}`)),
    refusal(
      'unknown topic of a rank',
      400,
      post('/api/v1/rank', `{"sources":["a"],"topic":"${letters}"}`),
    ),
    refusal('unknown country', 400, index(`country=${encode(letters)}`)),
    refusal(
      'unknown countries with commas',
      400,
      index(many(120, () => 'country=frank,spane', '&')),
    ),
    refusal('unknown platform', 400, index(`platform=${encode(letters)}`)),
    refusal('402 of 1,000 sources', 402, post('/api/v1/rank', `{"sources":[${short}]}`)),
    refusal('402 of 1,000 long sources', 402, post('/api/v1/rank', `{"sources":[${dear}]}`)),
    refusal('402 of 1,000 SDUs', 402, post('/api/v1/detail', dearSdus)),
    refusal('401', 401, gets('')('/api/v1/match?handles=a')),
    refusal('404', 404, get(`/${'x'.repeat(4_000)}`)),
    refusal('405', 405, `PUT${index('').slice(3)}`),
    refusal(
      '410',
      410,
      get(`/api/v1/changes?since=${snapshotId.replace(/^./, '0').replace(/.$/, '0')}`),
    ),
    refusal(
      'framing',
      400,
      wireRequest('/healthz', { 'Content-Length': '0\r\nContent-Length: 0' }),
    ),
    refusal('a body too large', 413, post('/api/v1/match', `{"x":"${'y'.repeat(400_000)}"}`)),
  ]
}

/** Cursors of every kind: one with a character changed, and ones that are made up. */
async function forged({ key, get }: RequestFacts): Promise<SingleRequest[]> {
  const ask = gets(key)
  const lists = {
    search: '/api/v1/index?query=a&limit=1',
    topics: '/api/v1/topics?query=&limit=1',
    changes: `/api/v1/changes?since=${'0'.repeat(32)}`,
    history: '/api/v1/history?sdus=1',
    snapshots: '/api/v1/snapshots?',
  }
  const requests: SingleRequest[] = []
  for (const [name, target] of Object.entries(lists)) {
    const madeUp = ask(`${target}&cursor=${'QUJD'.repeat(1_000)}`)
    const refused = { kind: 'refusal', status: 400, queries: 0 } as const
    requests.push({ name: `cursor of ${name}, made up`, ...refused, bytes: () => madeUp })
    const answer = name === 'changes' ? '{}' : await get(`${target}&cursor=*`)
    const cursor = (JSON.parse(answer) as { next_cursor?: string | null }).next_cursor
    if (typeof cursor !== 'string') continue
    const last = cursor.at(-1) === 'A' ? 'Q' : 'A'
    const changed = ask(`${target}&cursor=${cursor.slice(0, -2)}${last}${cursor.at(-1)}`)
    requests.push({ name: `cursor of ${name}, changed`, ...refused, bytes: () => changed })
  }
  return requests
}
