/**
 * The client against the built service: through a server that breaks exchanges, without any service, and its
 * batched and cut answers beside those of plain requests.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AuthorityIndex, type ClientOptions } from '../../../src/client/client.ts'
import { mergedRanks } from '../../../src/client/lists.ts'
import type { AuthorityIndex as OpenIndex } from '../../../src/library/types.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { FaultServer } from '../../support/faults/fault-server.ts'
import { everyFault, everyOperation, runLane } from '../../support/faults/matrix.ts'
import { library } from '../../support/library.ts'
import { defaultSnapshots } from '../../support/program.ts'
import { sharedService } from '../../support/shared.ts'

/** Faults come at every so many bytes of a request and of an answer; `CLIENT_STEP=1` takes each. */
const faultStep = Number(process.env.CLIENT_STEP ?? 131)

const service = sharedService(['--lookup-rate-limit', '0'])
let index: OpenIndex

beforeAll(async () => {
  index = await library.openIndex(defaultSnapshots)
})

afterAll(() => index?.close())

function newClient(options: Partial<ClientOptions> = {}) {
  const apiKey = service.headers.authorization!.replace('Bearer ', '')
  const paths: string[] = []
  const noted: typeof fetch = (url, init) => {
    paths.push(new URL(String(url)).pathname)
    return fetch(url, init)
  }
  const given = { baseURL: service.address, apiKey, fetch: noted, timeoutMs: 60_000 }
  return { client: new AuthorityIndex({ ...given, ...options }), paths }
}

async function plainly(target: string): Promise<object[]> {
  const response = await fetch(`${service.address}${target}`, { headers: service.headers })
  return ((await response.json()) as { results: object[] }).results
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
  const root = join(import.meta.dirname, '..', '..', '..')
  const environment = () => ({
    ...process.env,
    AUTHORITY_INDEX_URL: service.address,
    AUTHORITY_INDEX_KEY: service.headers.authorization!.replace('Bearer ', ''),
  })

  test('begin with lines that run in an empty directory', () => {
    const [, lines = ''] = /```js\n([\s\S]*?)```/.exec(
      readFileSync(join(root, 'docs', 'clients.md'), 'utf8'),
    )!
    const empty = join(temporaryDirectory(), 'empty')
    mkdirSync(join(empty, 'node_modules'), { recursive: true })
    symlinkSync(root, join(empty, 'node_modules', 'authority-index'))
    writeFileSync(join(empty, 'first.mjs'), lines)
    const options = { cwd: empty, env: environment(), encoding: 'utf8' } as const
    const printed = execFileSync(process.execPath, ['first.mjs'], options)
    expect(printed).toBe('Shelley Moore Capito 1 Environment\nDavid Wood null\n310\n')
  })

  test('have a feed ranker that runs', () => {
    const words = ['examples/feed-ranker.mjs', '1500', '2']
    const options = { cwd: root, env: environment(), encoding: 'utf8' } as const
    const printed = execFileSync(process.execPath, words, options)
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
        runLane({ service, calls: [call], faultsOf: (lengths) => everyFault(lengths, faultStep) }),
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
  }, 3_600_000)

  test('an outage is met with at most a tenth more requests than calls', async () => {
    const server = await FaultServer.start(service.address)
    server.otherwise = { kind: 'kill', side: 'request', at: 0, how: 'reset' }
    const { client } = newClient({ baseURL: server.address })
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
})

describe('single calls of a batch', () => {
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
      const [top] = await plainly(`/api/v1/match?handle=${encodeURIComponent(handle)}`)
      expected.set(handle, top === undefined ? null : { ...top, handle })
    }
    const [{ client: alone }, { client: batched }] = [newClient(), newClient({ batch: true })]
    for (const [handle, owner] of expected) expect(await alone.match(handle)).toEqual(owner)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...handles), { minLength: 1 }), async (chosen) => {
        const answers = await Promise.all(chosen.map((handle) => batched.match(handle)))
        expect(answers).toEqual(chosen.map((handle) => expected.get(handle)))
      }),
      { numRuns: 40, seed: 31 },
    )
  })

  test('are one request, one price for each different value', async () => {
    const { client, paths } = newClient({ batch: true })
    const asked = [
      ...Array.from({ length: 1_000 }, (_, at) => client.match(`github:unowned${at}`)),
      ...['59121954044035807', '7', '59121954044035807'].map((sdu) => client.detail(sdu)),
    ]
    const costs = await Promise.all(asked.map((call) => call.withResponse()))
    expect(paths).toEqual(['/api/v1/match', '/api/v1/detail'])
    const matchesUsd = costs.slice(0, 1_000).reduce((sum, { cost }) => sum + cost, 0)
    expect(matchesUsd).toBeCloseTo(1, 9)
    expect(costs.slice(1_000).map(({ cost }) => cost)).toEqual([0.001, 0.001, 0.001])
  })

  test('fail alone where a value is refused, and together where the parameters are', async () => {
    const { client, paths } = newClient({ batch: true })
    const sdus = ['59121954044035807', 'not-a-number', '7', '', 'x']
    const ended = await Promise.allSettled(sdus.map((sdu) => client.detail(sdu)))
    const isFulfilled = ended.map(({ status }) => status === 'fulfilled')
    expect(isFulfilled).toEqual([true, false, true, false, false])
    expect(ended[1]).toMatchObject({ reason: { code: 'invalid-parameter', status: 400 } })
    expect(paths.length).toBe(4)
    const fields = ['nothing' as never]
    const wrong = await Promise.allSettled(['a', 'b'].map((each) => client.match(each, { fields })))
    expect(wrong.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(paths.length).toBe(5)
  })
})

describe('pages', () => {
  test('awaited are the first, iterated are all items, those of plain requests', async () => {
    const { client, paths } = newClient()
    const first = await client.search('rust', { limit: 50 })
    expect(first.results).toEqual(await plainly('/api/v1/index?query=rust&limit=50'))
    paths.length = 0
    const sdus = new Set<string>()
    for await (const { sdu } of client.search('rust', { limit: 50 })) sdus.add(sdu)
    expect(sdus.size).toBe(first.total)
    expect(paths.length).toBe(Math.ceil(first.total! / 50))
    for await (const { sdu } of client.peers('sencapito')) sdus.delete(sdu)
    for await (const { topic } of client.topics({ limit: 50 })) sdus.add(topic)
    expect(sdus.size).toBeGreaterThan(first.total!)
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
          const merged = mergedRanks(lengths, answers, { topic })
          expect(merged).toEqual(index.rank(chosen, { topic }).results)
        },
      ),
      { numRuns: 200, seed: 31 },
    )
  })

  test('of 2,500 sources is three requests and one order', async () => {
    const { client, paths } = newClient()
    const some = sources()
    const long = Array.from({ length: 2_500 }, (_, at) => some[at] ?? `github:unowned${at}`)
    const { data: results, cost } = await client.rank(long).withResponse()
    expect(paths.length).toBe(3)
    expect(results.length).toBe(2_500)
    expect(cost).toBeGreaterThan(2)
    expect(results.map(({ index }) => index).sort((a, b) => a - b)).toEqual([...long.keys()])
    expect(results.every(({ source, index }) => source === long[index])).toBe(true)
    const known = results.filter(({ sdu }) => sdu !== null)
    expect(results.slice(0, known.length)).toEqual(known)
    const direct = index.rank(some).results.filter(({ sdu }) => sdu !== null)
    expect(known).toEqual(direct)
    const aligned = await client.rank(long, { aligned: true, fields: ['name'] })
    expect(aligned.map(({ source }) => source)).toEqual(long)
    for (const [place, { index: at, name }] of results.entries()) {
      const item = aligned[at]!
      expect([item.position, item.name, 'sdu' in item]).toEqual([place + 1, name, false])
    }
  })
})
