/**
 * The client against the built service: through a server that breaks exchanges, without any service, and its
 * coalesced and cut answers beside those of plain requests.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AuthorityClient, type ClientOptions } from '../../src/client/authority-client.ts'
import { mergedRanks } from '../../src/client/lists/rank-order.ts'
import type { AuthorityIndex } from '../../src/library/types.ts'
import { FaultServer } from '../support/faults/fault-server.ts'
import { everyFault, everyOperation, runLane } from '../support/faults/matrix.ts'
import { library } from '../support/library.ts'
import { defaultSnapshots, type RunningService, startService } from '../support/program.ts'

let service: RunningService
let index: AuthorityIndex
const directory = mkdtempSync(join(tmpdir(), 'index-'))

beforeAll(async () => {
  service = await startService(directory, ['--lookup-rate-limit', '0'])
  index = await library.openIndex(defaultSnapshots)
})

afterAll(async () => {
  await index?.close()
  await service?.stop('SIGTERM')
  rmSync(directory, { recursive: true, force: true })
})

function newClient(options: Partial<ClientOptions> = {}): AuthorityClient {
  const apiKey = service.headers.authorization!.replace('Bearer ', '')
  return new AuthorityClient({ baseUrl: service.address, apiKey, deadlineMs: 60_000, ...options })
}

/** A plain request, without the client. */
async function plainly(target: string): Promise<unknown[]> {
  const response = await fetch(`${service.address}${target}`, { headers: service.headers })
  return ((await response.json()) as { results: unknown[] }).results
}

/** What the account can still spend, and what finding out costs. */
const balanceCostUsd = 0.001
async function balanceUsd(): Promise<number> {
  const { headers } = await fetch(`${service.address}/api/v1/match?handle=ann`, {
    headers: service.headers,
  })
  return Number(headers.get('x-balance-usd'))
}

describe('the documents', () => {
  const root = join(import.meta.dirname, '..', '..')
  const key = () => service.headers.authorization!.replace('Bearer ', '')

  test('begin with lines that run in an empty directory', () => {
    const [, lines = ''] = /```js\n([\s\S]*?)```/.exec(
      readFileSync(join(root, 'docs', 'clients.md'), 'utf8'),
    )!
    expect(lines.trim().split('\n').length).toBe(3)
    const empty = join(directory, 'empty')
    mkdirSync(join(empty, 'node_modules'), { recursive: true })
    symlinkSync(root, join(empty, 'node_modules', 'authority-index'))
    const program = lines
      .replace('http://127.0.0.1:8080', service.address)
      .replace('aik_…', key())
      .concat('console.log(JSON.stringify(results))')
    writeFileSync(join(empty, 'first.mjs'), program)
    const printed = execFileSync(process.execPath, ['first.mjs'], { cwd: empty, encoding: 'utf8' })
    expect(JSON.parse(printed)).toMatchObject([{ name: 'Shelley Moore Capito' }])
  })

  test('have a feed ranker that runs', () => {
    const words = ['examples/feed-ranker.mjs', service.address, key(), '1500', '2']
    const printed = execFileSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
    const batches = printed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(batches).toMatchObject([{ sources: 1_500 }, { sources: 1_500 }])
    // Each different address is charged, also of one author.
    expect(batches[0].costUsd).toBeCloseTo(1.5, 9)
    expect(batches[0].known).toBeGreaterThan(100)
  })
})

describe('with broken exchanges', () => {
  test('every operation is answered, rightly, under one idempotency key and one charge a call', async () => {
    const beforeUsd = await balanceUsd()
    const lanes = await Promise.all(
      everyOperation(service.snapshotId).map((call) =>
        runLane({ service, calls: [call], faultsOf: (lengths) => everyFault(lengths, 131) }),
      ),
    )
    expect(lanes.flatMap(({ errors }) => errors)).toEqual([])
    expect(lanes.flatMap(({ wrong }) => wrong)).toEqual([])
    expect(lanes.map(({ keys }) => keys)).toEqual(lanes.map(({ pricedCalls }) => pricedCalls))
    const sum = (of: 'faults' | 'extra' | 'priceUsd') =>
      lanes.reduce((total, lane) => total + lane[of], 0)
    expect(sum('faults')).toBeGreaterThan(400)
    expect(sum('extra')).toBeGreaterThan(sum('faults') / 2)
    expect(sum('extra')).toBeLessThanOrEqual(2 * sum('faults'))
    const chargedUsd = beforeUsd - (await balanceUsd()) - balanceCostUsd
    expect(chargedUsd).toBeCloseTo(sum('priceUsd'), 6)
  })

  test('an outage is met with at most a tenth more requests than calls', async () => {
    const server = await FaultServer.start(service.address)
    server.otherwise = { kind: 'kill', side: 'request', at: 0, how: 'reset' }
    const client = newClient({ baseUrl: server.address, coalesce: false, deadlineMs: 60_000 })
    const calls = 500
    const ended = await Promise.allSettled(
      Array.from({ length: calls }, (_, number) => client.match(`person${number}`)),
    )
    const { exchanges } = server.counts
    await server.stop()
    expect(ended.every(({ status }) => status === 'rejected')).toBe(true)
    expect(exchanges).toBeGreaterThanOrEqual(calls)
    expect(exchanges).toBeLessThanOrEqual(1.1 * calls)
  })

  test('a second address answers where the first is gone', async () => {
    const gone = await FaultServer.start(service.address)
    await gone.stop()
    const client = newClient({ baseUrl: [gone.address, service.address] })
    const { results } = await client.match('@SenCapito')
    expect(results).toEqual(await plainly('/api/v1/match?handle=@SenCapito'))
    await client.close()
  })
})

describe('many single calls', () => {
  /** Owned and unowned handles in several spellings of each. */
  const handles = [
    [
      '@SenCapito',
      'sencapito',
      'twitter:SenCapito',
      'https://x.com/SenCapito',
      'x.com/sencapito/status/1',
    ],
    ['github:davidtwco', 'https://github.com/davidtwco', 'github:DAVIDTWCO', 'davidtwco'],
    ['nobody-at-all', 'twitter:nobody-at-all', 'https://x.com/nobody-at-all', 'github:SenCapito'],
  ].flat()

  test('have the answers of requests of their own, whatever was asked with them', async () => {
    const expected = new Map<string, unknown>()
    for (const handle of handles) {
      expected.set(handle, await plainly(`/api/v1/match?handle=${encodeURIComponent(handle)}`))
    }
    const client = newClient()
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...handles), { minLength: 1 }), async (chosen) => {
        const answers = await Promise.all(chosen.map((handle) => client.match(handle)))
        expect(answers.map(({ results }) => results)).toEqual(
          chosen.map((handle) => expected.get(handle)),
        )
      }),
      { numRuns: 40, seed: 31 },
    )
    await client.close()
  })

  test('are one request, one price for each different value', async () => {
    const targets: string[] = []
    const client = newClient({
      middleware: [
        (request, next) => {
          targets.push(new URL(request.url).pathname)
          return next(request)
        },
      ],
    })
    const sdus = ['59121954044035807', '7', '59121954044035807']
    const asked = [
      ...Array.from({ length: 1_000 }, (_, number) => client.match(`github:unowned${number}`)),
      ...sdus.map((sdu) => client.detail(sdu)),
    ]
    await Promise.all(asked)
    expect(targets).toEqual(['/api/v1/match', '/api/v1/detail'])
    expect(client.spentUsd).toBeCloseTo(1.002, 9)
    await client.close()
  })

  test('a value that is refused fails alone', async () => {
    const client = newClient()
    const [good, bad, other] = await Promise.allSettled([
      client.detail('59121954044035807'),
      client.detail('not-a-number'),
      client.detail('7'),
    ])
    expect([good.status, bad.status, other.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(bad).toMatchObject({ reason: { code: 'invalid-parameter', status: 400 } })
    await client.close()
  })
})

describe('a long list', () => {
  const sources = () => {
    const people = index.search('health', { cursor: '*', limit: 50 }).results
    const handles = index
      .detail(people.map(({ sdu }) => sdu))
      .results.flatMap(({ socials }) =>
        Object.entries(socials).map(([platform, { handle }]) => `${platform}:${handle}`),
      )
    return [...handles, ...handles.slice(0, 9), 'nobody-at-all', 'https://x.com/home']
  }

  test('has the order that one body gives, however it is cut', () => {
    const all = sources()
    fc.assert(
      fc.property(
        fc.shuffledSubarray(all, { minLength: 2 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(undefined, 'Health', 'Rust'),
        (chosen, size, topic) => {
          const parts: string[][] = []
          for (let at = 0; at < chosen.length; at += size) parts.push(chosen.slice(at, at + size))
          const answers = parts.map((part) => index.rank(part, { topic }).results)
          const lengths = parts.map(({ length }) => length)
          const merged = mergedRanks(lengths, answers, topic !== undefined)
          expect(merged).toEqual(index.rank(chosen, { topic }).results)
        },
      ),
      { numRuns: 200, seed: 31 },
    )
  })

  test('of 2,500 sources is three requests and one order', async () => {
    let requests = 0
    const client = newClient({
      middleware: [
        (request, next) => {
          requests += 1
          return next(request)
        },
      ],
    })
    const some = sources()
    const long = Array.from({ length: 2_500 }, (_, at) => some[at] ?? `github:unowned${at}`)
    const { results, cost } = await client.rank(long)
    expect(requests).toBe(3)
    expect(results.length).toBe(2_500)
    expect(cost).toBeGreaterThan(2)
    expect(results.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...long.keys()])
    expect(results.every(({ source, index }) => source === long[index])).toBe(true)
    const known = results.filter(({ sdu }) => sdu !== null)
    expect(results.slice(0, known.length)).toEqual(known)
    const direct = index.rank(some).results.filter(({ sdu }) => sdu !== null)
    expect(known).toEqual(direct)
    const aligned = await client.rank(long, { aligned: true, fields: ['name'] })
    expect(aligned.results.map(({ source }) => source)).toEqual(long)
    for (const [place, { index: at, name }] of results.entries()) {
      const item = aligned.results[at]!
      expect([item.position, item.name, 'sdu' in item]).toEqual([place + 1, name, false])
    }
    await client.close()
  })
})
