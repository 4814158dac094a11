/** Calls with answers made up: when a retry is made, how long it waits, and which error is thrown in the end. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  APIError,
  AuthenticationError,
  AuthorityIndex,
  BadRequestError,
  type ClientOptions,
  ConnectionError,
  InsufficientBalanceError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
} from '../../../src/client/client.ts'
import { problems, problemType } from '../../../src/problems.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** How one attempt ends: an answer, no answer, an answer that breaks off, or never. */
type Outcome = (() => Response) | 'dead' | 'cut' | 'hangs'

function answer(members: object = { results: [] }, headers = {}): () => Response {
  const all = { 'x-snapshot-id': 's1', 'x-request-id': 'r1', 'x-cost-usd': '0.001', ...headers }
  return () => Response.json({ duration: 0, ...members }, { headers: all })
}

function refusal(
  code: keyof typeof problems,
  headers: Record<string, string> = {},
  members = {},
): () => Response {
  const { status, title } = problems[code]
  const detail = `it is ${code}`
  const problem = { type: `${problemType}${code}`, title, status, detail, ...members }
  return () => Response.json(problem, { status, headers: { 'x-request-id': 'r2', ...headers } })
}

interface Sent {
  readonly url: string
  readonly atMs: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A client whose attempts end as a list says; the last outcome stands for all behind it. */
function scripted(outcomes: readonly Outcome[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = []
  const startMs = Date.now()
  const send = async (url: unknown, { headers, body, signal }: RequestInit = {}) => {
    const outcome = outcomes[Math.min(sent.length, outcomes.length - 1)]!
    sent.push({ url: String(url), atMs: Date.now() - startMs, headers, body } as Sent)
    if (outcome === 'dead') throw new TypeError('fetch failed', { cause: new Error('reset') })
    if (outcome === 'cut') {
      const failing = { start: (body: ReadableStreamDefaultController) => body.error('cut') }
      return new Response(new ReadableStream(failing))
    }
    if (outcome !== 'hangs') return outcome()
    return new Promise<Response>((_, reject) => {
      signal!.addEventListener('abort', () => reject(signal!.reason))
    })
  }
  const client = new AuthorityIndex({
    baseURL: 'http://one.test/',
    apiKey: 'aik_1',
    fetch: send as typeof fetch,
    ...options,
  })
  return { client, sent }
}

async function ended<T>(call: Promise<T>): Promise<{ value?: T; error?: unknown }> {
  const settled = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  await vi.runAllTimersAsync()
  return settled
}

async function itemsOf<T>(list: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = []
  for await (const item of list) items.push(item)
  return items
}

const keyOf = ({ headers }: Sent) => headers['idempotency-key']

describe('a retry', () => {
  test('carries the same idempotency key, another call carries another', async () => {
    const { client, sent } = scripted(['cut', answer(), answer()])
    await ended(client.search('rust'))
    await ended(client.search('rust'))
    const keys = sent.map(keyOf)
    expect(keys[0]).toMatch(/^[!-~]{1,64}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('is made at once where a connection that had answered is dead, and only once so', async () => {
    const { client, sent } = scripted([answer(), 'dead', 'dead', answer()])
    await ended(client.topics())
    expect((await ended(client.topics())).value).toBeDefined()
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 50])
  })

  test('of a dead connection is made where there are none of failures', async () => {
    const { client, sent } = scripted([answer(), 'dead', answer(), 'cut'], { maxRetries: 0 })
    await ended(client.topics())
    expect((await ended(client.topics())).value).toBeDefined()
    expect((await ended(client.topics())).error).toBeInstanceOf(ConnectionError)
    expect(sent.length).toBe(4)
  })

  test.each([
    'request-timeout',
    'rate-limited',
    'overloaded',
    'no-snapshot',
    'ledger-unavailable',
  ] as const)('follows %s', async (code) => {
    const { client, sent } = scripted([refusal(code), answer()])
    expect((await ended(client.search('rust'))).value).toBeDefined()
    expect(sent.length).toBe(2)
  })

  test('follows a 200 that cannot be read', async () => {
    for (const text of ['{"results":[', '[', '"text"', 'null']) {
      const { client, sent } = scripted([() => new Response(text), answer()])
      expect((await ended(client.search('rust'))).value).toBeDefined()
      expect(sent.length).toBe(2)
    }
  })

  test('waits for Retry-After', async () => {
    const { client, sent } = scripted([refusal('rate-limited', { 'retry-after': '1' }), answer()])
    await ended(client.search('rust'))
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 1_025])
  })

  test('is not waited for where Retry-After passes the time of the call', async () => {
    const { client, sent } = scripted([refusal('rate-limited', { 'retry-after': '3' }), answer()])
    const { error } = await ended(client.search('rust', { timeoutMs: 2_000 }))
    expect(error).toBeInstanceOf(RateLimitError)
    expect((error as RateLimitError).headers!.get('retry-after')).toBe('3')
    expect(sent.length).toBe(1)
  })

  test('has a wait of full jitter that doubles', async () => {
    const { client, sent } = scripted(['cut'])
    const { error } = await ended(client.search('rust'))
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 25, 75, 175])
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ code: 'connection-failed', attempts: 4, status: null })
  })

  test('is earned by ten calls that are answered', async () => {
    const outcomes = [
      ...Array.from({ length: 23 }, () => 'cut' as const),
      ...Array.from({ length: 11 }, () => answer()),
      'cut' as const,
    ]
    const { client, sent } = scripted(outcomes, { maxRetries: 20 })
    // 20 of the reserve in the first call, then calls without a retry.
    for (let call = 0; call < 3; call += 1)
      await ended(client.search('rust', { timeoutMs: 60_000 }))
    expect(sent.length).toBe(23)
    for (let call = 0; call < 11; call += 1) await ended(client.search('rust'))
    expect(sent.length).toBe(34)
    await ended(client.search('rust'))
    expect(sent.length).toBe(36)
  })
})

describe('the time of a call', () => {
  test('is that of all attempts; a hung one leaves half of it to the next', async () => {
    const { client, sent } = scripted(['hangs'])
    const startMs = Date.now()
    const { error } = await ended(client.search('rust', { timeoutMs: 1_000 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(Date.now() - startMs).toBeLessThanOrEqual(1_000)
    expect(sent.map(({ atMs }) => Math.round(atMs / 25))).toEqual([0, 21, 32])
  })

  test('hides a hung attempt behind a retry', async () => {
    const { client } = scripted(['hangs', answer({ results: [1] })])
    expect((await ended(client.search('rust'))).value?.results).toEqual([1])
  })

  test('includes the wait for a turn among 32 requests at the same time', async () => {
    const { client, sent } = scripted(['hangs'], { maxRetries: 0 })
    const timesMs = [...Array.from({ length: 32 }, () => 1_000), 500, 2_000]
    const calls = Promise.allSettled(timesMs.map((timeoutMs) => client.topics({ timeoutMs })))
    await vi.advanceTimersByTimeAsync(999)
    expect(sent.length).toBe(32)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent.length).toBe(33)
    await vi.runAllTimersAsync()
    for (const outcome of await calls) {
      expect(outcome).toMatchObject({ reason: { code: 'timeout', attempts: 1 } })
    }
  })
})

describe('a signal', () => {
  test('that was aborted before sends nothing', async () => {
    for (const batch of [true, false]) {
      const { client, sent } = scripted([answer()], { batch })
      const call = client.match('a', { signal: AbortSignal.abort(new Error('enough')) })
      expect((await ended(call)).error).toMatchObject({ message: 'enough' })
      expect(sent).toEqual([])
    }
  })

  test('ends a call with its reason, also between attempts', async () => {
    for (const outcome of ['hangs', refusal('rate-limited', { 'retry-after': '1' })] as const) {
      const { client } = scripted([outcome])
      const controller = new AbortController()
      const call = client.search('rust', { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('enough')), 100)
      expect((await ended(call)).error).toMatchObject({ message: 'enough' })
    }
  })

  test('of one of several calls of a batch ends that one only', async () => {
    const { client, sent } = scripted([answer({ results: [{ name: 'A' }, null] })], { batch: true })
    const controller = new AbortController()
    const one = ended(client.match('a', { signal: controller.signal }))
    const other = ended(client.match('b'))
    controller.abort(new Error('enough'))
    expect((await one).error).toMatchObject({ message: 'enough' })
    expect((await other).value).toBeNull()
    expect(sent.length).toBe(1)
  })
})

describe('an answer', () => {
  const owned = { results: [{ name: 'Ann', handle: 'a' }, null] }

  test('to a list has an item for each value, to one value that item', async () => {
    const { client, sent } = scripted([answer(owned)])
    expect((await ended(client.match(['a', 'b']))).value).toEqual(owned.results)
    expect((await ended(client.match('a', { fields: ['name'] }))).value).toEqual(owned.results[0])
    expect(sent.map(({ url, body }) => [url, JSON.parse(body!)])).toEqual([
      ['http://one.test/api/v1/match', { handles: ['a', 'b'], aligned: true }],
      ['http://one.test/api/v1/match', { handles: ['a'], fields: ['name'], aligned: true }],
    ])
  })

  test('has its cost, balance, snapshot and headers beside its data', async () => {
    const { client } = scripted([answer(owned, { 'x-balance-usd': '9', 'x-search-way': 'topic' })])
    const { value } = await ended(client.match(['a', 'b']).withResponse())
    expect(value).toMatchObject({
      data: owned.results,
      cost: 0.001,
      balance: 9,
      snapshot: 's1',
      requestId: 'r1',
    })
    expect(value!.response.headers.get('x-search-way')).toBe('topic')
  })

  test('that is an error is thrown once, also beside its response and from an iteration', async () => {
    const { client } = scripted([refusal('unauthorized')])
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    expect((await ended(client.match('a').withResponse())).error).toBeInstanceOf(APIError)
    const iterated = itemsOf(client.search('rust'))
    expect((await ended(iterated)).error).toBeInstanceOf(AuthenticationError)
    vi.useRealTimers()
    await new Promise(setImmediate)
    process.off('unhandledRejection', unhandled)
    expect(unhandled).not.toHaveBeenCalled()
  })

  test('in pages is asked for page by page, each under a key of its own', async () => {
    const { client, sent } = scripted([
      answer({ results: [1, 2], next_cursor: 'c1' }),
      answer({ results: [], next_cursor: 'c2' }),
      answer({ results: [3], next_cursor: null }),
    ])
    const all = itemsOf(client.search('a,b', { country: ['a,b', 'c'], idempotencyKey: 'k' }))
    expect((await ended(all)).value).toEqual([1, 2, 3])
    const query = 'query=a,b&country=a%2Cb&country=c'
    expect(sent.map(({ url }) => url)).toEqual([
      `http://one.test/api/v1/index?cursor=*&${query}`,
      `http://one.test/api/v1/index?${query}&cursor=c1`,
      `http://one.test/api/v1/index?${query}&cursor=c2`,
    ])
    expect(new Set(sent.map(keyOf)).size).toBe(3)
    expect(keyOf(sent[0]!)).toBe('k')
  })

  test('that is free has no idempotency key', async () => {
    const { client, sent } = scripted([answer({ results: [{}] })])
    for (const call of [client.topics(), client.account({ days: 2 }), client.autocomplete('a')]) {
      await ended<unknown>(call)
    }
    expect(sent.map(keyOf)).toEqual([undefined, undefined, undefined])
    expect(sent[1]!.url).toBe('http://one.test/api/v1/account?days=2')
  })
})

describe('a long list', () => {
  const handles = (count: number) => Array.from({ length: count }, (_, number) => `h${number}`)

  test('begins no further part after one was refused', async () => {
    const { client, sent } = scripted([refusal('invalid-parameter')])
    expect((await ended(client.match(handles(9_000)))).error).toBeInstanceOf(BadRequestError)
    expect(sent.length).toBe(4)
  })

  test('that no snapshot answers as a whole is asked again under the same keys, and then an error', async () => {
    let number = 0
    const outcome = () => {
      number += 1
      return answer({ results: [] }, { 'x-snapshot-id': `s${number}` })()
    }
    const { client, sent } = scripted([outcome])
    const { error } = await ended(client.match(handles(1_500)))
    expect(error).toMatchObject({ code: 'snapshot-changing' })
    expect(sent.length).toBe(5)
    expect(new Set(sent.map(keyOf)).size).toBe(2)
  })
})

describe('an error', () => {
  test.each([
    ['invalid-parameter', BadRequestError],
    ['unauthorized', AuthenticationError],
    ['cap-reached', InsufficientBalanceError],
    ['no-such-snapshot', NotFoundError],
    ['key-restricted', APIError],
    ['internal-error', APIError],
  ] as const)('of %s is thrown at once, by the class of its status', async (code, kind) => {
    const { client, sent } = scripted([refusal(code, {}, { cost_usd: 0.05 })])
    const { error } = await ended(client.search('rust'))
    expect((error as APIError).constructor).toBe(kind)
    const { status } = problems[code]
    expect(error).toMatchObject({ name: kind.name, code, status, requestId: 'r2', attempts: 1 })
    expect(error).toMatchObject({ problem: { cost_usd: 0.05 }, idempotencyKey: keyOf(sent[0]!) })
    expect(String(error)).toBe(`${kind.name}: it is ${code} (request r2)`)
    expect(sent.length).toBe(1)
  })
})

test('an id that is a step of a path is refused before anything is sent', () => {
  const { client, sent } = scripted([answer()])
  for (const id of ['..', '.', '', 'a/b', '%2e%2e', '../account', 'a\n']) {
    expect(() => client.snapshot(id)).toThrow(TypeError)
  }
  expect(sent).toEqual([])
})
