/**
 * Answers on connections that are reset or that take them late, with the packets of an Ethernet: of
 * every size and way, a reset ends its connection only, an answer arrives whole, and what is charged
 * is what was written. Short: 150 resets and 20 readers of each kind. `OUTSIDE=full`: 100,000
 * and 10,000. `RESETS=N` and `READERS=N` choose other counts.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announce, publish } from '../../../src/snapshot/store/directory.ts'
import { snapshotOf } from '../../support/built.ts'
import { type Ended, endOf, start } from '../../support/program.ts'
import { authority, connection, social, topic } from '../../support/records.ts'
import { readStarted } from '../../support/started.ts'
import { ethernetSegmentBytes, runClients } from './support/answer-clients.ts'
import { counted } from './support/counts.ts'

const { RESETS, READERS } = process.env
const resetsPerKind = Number(RESETS ?? counted(150, 100_000))
const readersPerKind = Number(READERS ?? counted(20, 10_000))
const readersOfLargest = Number(READERS ?? counted(4, 10_000))
const people = 1_000
const bioCharacters = 8_000

/** One kind of answer. */
interface Kind {
  readonly request: string
  /** 200 unless given. */
  readonly status?: number
  /** What one answer costs, in queries; 0 unless given. */
  readonly queries?: number
}

/** Kinds that are asked for together. */
interface Group {
  readonly name: string
  readonly kinds: readonly Kind[]
  /** Connections at once, so that what they leave unread is within what the service keeps. */
  readonly connections: number
}

const scene = mkdtempSync(join(tmpdir(), 'authority-index-answers-'))
let port = 0
let pid = 0
let key = ''
let ended: Promise<Ended>
let stop = () => {}

beforeAll(async () => {
  const numbers = Array.from({ length: people }, (_, index) => String(index + 1))
  const snapshot = snapshotOf({
    authorities: numbers.map((sdu) =>
      authority({
        sdu,
        name: `Person ${sdu}`,
        bio: 'w'.repeat(bioCharacters),
        topics: [topic('Rust')],
        socials: [social('github', `person${sdu}`)],
      }),
    ),
    connections: numbers.map((sdu) => connection(sdu, '1')),
  })
  publish(join(scene, 'snapshots'), snapshot)
  announce(join(scene, 'snapshots'), snapshot.header.id)
  const prices = ['search', 'detail', 'match', 'rank', 'peers', 'history', 'changes']
  const cheap = prices.flatMap((name) => ['--price', `${name}=0.000001`])
  const places = ['--snapshots', join(scene, 'snapshots'), '--data', join(scene, 'data')]
  const origins = ['--cors-origins', 'https://a.example', '--failed-key-limit', '0']
  // All clients have one key, and an account has an eighth of the places.
  const shares = ['--mcp-in-flight-max', '1000']
  // The page for every browser: clients are on another computer.
  const page = ['--explorer', 'on']
  const child = start([
    'serve',
    '--port',
    '0',
    '--threads',
    '2',
    '--json',
    ...places,
    ...origins,
    ...shares,
    ...page,
    ...cheap,
  ])
  ended = endOf(child)
  const line = await Promise.race([
    once(createInterface(child.stdout!), 'line').then(([first]) => String(first)),
    ended.then(({ stderr }) => Promise.reject(new Error(`the service ended: ${stderr}`))),
  ])
  ;({ port, key = '' } = readStarted(line))
  pid = child.pid!
  stop = () => child.kill('SIGTERM')
})

afterAll(async () => {
  stop()
  await ended
  rmSync(scene, { recursive: true, force: true })
})

function get(path: string, lines: readonly string[] = [], method = 'GET'): string {
  return [`${method} ${path} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n')
}

function post(path: string, body: unknown, lines: readonly string[] = []): string {
  const json = JSON.stringify(body)
  const length = `Content-Length: ${Buffer.byteLength(json)}`
  return `${get(path, ['Content-Type: application/json', length, ...lines], 'POST')}${json}`
}

function mcp(body: unknown, authorization: string): string {
  return post('/mcp', body, [authorization, 'Accept: application/json, text/event-stream'])
}

function groups(): Group[] {
  const authorization = `Authorization: Bearer ${key}`
  const keyed = [authorization]
  const detail = (count: number) => {
    const sdus = Array.from({ length: count }, (_, index) => String(index + 1))
    return { request: post('/api/v1/detail', { sdus }, keyed), queries: count }
  }
  const query = { name: 'search_authorities', arguments: { query: 'rust', limit: 50 } }
  const call = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: query })
  const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })
  const ten = Array.from({ length: 10 }, (_, id) => id)
  const search = '/api/v1/index?query=rust&limit='
  const preflight = ['Origin: https://a.example', 'Access-Control-Request-Method: GET']
  const open: Kind[] = [
    { request: get('/healthz') },
    { request: get('/healthz', [], 'HEAD') },
    { request: get('/metrics') },
    { request: get(`${search}1`), status: 401 },
    { request: post('/mcp', {}), status: 401 },
    { request: get('/nothing'), status: 404 },
    { request: get('/api/v1/index', preflight, 'OPTIONS'), status: 204 },
    { request: get('/healthz', ['Content-Length: 0', 'Content-Length: 0']), status: 400 },
  ]
  const paid: Kind[] = [
    { request: get(`${search}1`, keyed), queries: 1 },
    { request: get('/api/v1/detail?sdu=1', keyed), queries: 1 },
    { request: post('/api/v1/match', { handles: ['person1'] }, keyed), queries: 1 },
    { request: mcp({ jsonrpc: '2.0', id: 1, method: 'ping' }, authorization) },
    { request: mcp(call(1), authorization), queries: 1 },
  ]
  const large: Kind[] = [
    { request: get('/openapi.json') },
    { request: get('/') },
    // A search, and a profile for each item.
    { request: get(`${search}50&fields=bio`, keyed), queries: 51 },
    detail(4),
    detail(100),
    { request: mcp(ten.map(list), authorization) },
    { request: mcp(ten.map(call), authorization), queries: 10 },
  ]
  return [
    { name: 'small answers without a key', kinds: open, connections: 32 },
    { name: 'small answers with a key', kinds: paid, connections: 12 },
    { name: 'answers of 30 KB to 1 MB', kinds: large, connections: 12 },
    { name: 'answers of 8 MB', kinds: [detail(people)], connections: 3 },
  ]
}

/** What the service counts, by metric, all labels together; it keeps the text for 100 ms. */
async function metrics(): Promise<(name: string) => number> {
  await sleep(150)
  const response = await fetch(`http://127.0.0.1:${port}/metrics`, {
    headers: { connection: 'close' },
  })
  const lines = (await response.text()).split('\n')
  return (name) =>
    lines
      .filter(
        (line) =>
          line.startsWith(`authority_index_${name} `) ||
          line.startsWith(`authority_index_${name}{`),
      )
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/** Waits until nothing is left of any client. */
async function rest(): Promise<void> {
  await expect
    .poll(
      async () => {
        const count = await metrics()
        return ['unread_bytes', 'in_flight'].map(count).concat(Math.max(1, count('connections')))
      },
      { timeout: 60_000, interval: 100 },
    )
    .toEqual([0, 0, 1])
}

/** What the account has left, and what it was charged, come to what it had. */
async function booksMicroUsd(): Promise<number> {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/topics`, { headers })
  await response.arrayBuffer()
  const left = Number(response.headers.get('x-balance-usd'))
  const count = await metrics()
  return Math.round((left + count('charged_usd_total')) * 1e6)
}

const names = groups().map(({ name }) => name)

/** So many of each kind of a group; the key is known only while tests run. */
function groupOf(name: string): Group & { readonly requests: readonly string[] } {
  const group = groups().find((group) => group.name === name)!
  return { ...group, requests: group.kinds.map(({ request }) => request) }
}

/** How clients read. */
const ways = [
  { way: 'as fast as it comes', chunkBytes: 65_536, pauseMs: 0, windowBytes: 0 },
  { way: 'slowly', chunkBytes: 16_384, pauseMs: 4, windowBytes: 16_384 },
] as const

for (const { way, chunkBytes, pauseMs, windowBytes } of ways) {
  describe(`read ${way} in packets of an Ethernet, answers arrive whole and are charged once:`, () => {
    for (const name of names) {
      it(name, { timeout: 24 * 3_600_000 }, async () => {
        const { kinds, requests, connections } = groupOf(name)
        const before = await metrics()
        const count = kinds.length * (kinds.length === 1 ? readersOfLargest : readersPerKind)
        const { bytes, ...seen } = await runClients({
          port,
          requests,
          count,
          does: 'read',
          connections,
          segmentBytes: ethernetSegmentBytes,
          windowBytes,
          chunkBytes,
          pauseMs,
          secondsMax: 120,
        })
        await rest()
        const after = await metrics()
        const expected: Record<string, number> = {}
        for (const { status = 200 } of kinds) {
          const ending = `whole ${status}`
          expected[ending] = (expected[ending] ?? 0) + count / kinds.length
        }
        expect(seen).toEqual(expected)
        const queries = kinds.reduce((sum, kind) => sum + (kind.queries ?? 0), 0)
        const charged = after('charged_queries_total') - before('charged_queries_total')
        expect(charged).toBe((queries * count) / kinds.length)
      })
    }
  })
}

// Behind those that read: an answer that may have been lost with its connection is free once.
describe('a reset ends its connection only, and leaves nothing reserved:', () => {
  for (const name of names) {
    it(name, { timeout: 24 * 3_600_000 }, async () => {
      const { kinds, requests } = groupOf(name)
      const booksBefore = await booksMicroUsd()
      const before = await metrics()
      const all = [...requests, ...requests.map((request) => request.repeat(3))]
      const count = all.length * Math.ceil(resetsPerKind / 2)
      const seen = await runClients({ port, requests: all, count, does: 'reset' })
      await rest()
      const after = await metrics()
      const charged = after('charged_queries_total') - before('charged_queries_total')
      // Half of the connections ask once, half three times.
      const asked = kinds.reduce((sum, { queries = 0 }) => sum + 4 * queries, 0)
      expect([seen.refused ?? 0, seen.sent! > count / 2]).toEqual([0, true])
      expect(process.kill(pid, 0)).toBe(true)
      expect(charged).toBeLessThanOrEqual((asked * count) / all.length)
      expect(await booksMicroUsd()).toBe(booksBefore)
    })
  }
})
