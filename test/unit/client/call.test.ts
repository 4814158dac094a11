/** Calls with answers made up: when a retry is made, how long it waits, and which error is thrown in the end. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  AuthorityClient,
  type ClientOptions,
  ConnectionFailedError,
  DeadlineExceededError,
  errorClasses,
  InsufficientBalanceError,
  type SentRequest,
  type WireAnswer,
  WireFailure,
} from '../../../src/client/authority-client.ts'
import { problems, problemType } from '../../../src/problems.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const dead = new WireFailure('reset', { wasReused: true, hasBegun: false })
const cut = new WireFailure('reset', { wasReused: false, hasBegun: true })

/** How one attempt ends: an answer, a failure, or never. */
type Outcome = WireAnswer | WireFailure | 'hangs'

function answer(results: unknown[] = []): WireAnswer {
  const headers = {
    'x-snapshot-id': 's1',
    'x-request-id': 'r1',
    'x-cost-usd': '0.001',
    'x-balance-usd': '9',
  }
  return { status: 200, headers, text: JSON.stringify({ duration: 0, results }) }
}

function refusal(
  code: keyof typeof problems,
  more: Record<string, string> = {},
  members = {},
): WireAnswer {
  const { status, title } = problems[code]
  const document = {
    type: `${problemType}${code}`,
    title,
    status,
    detail: `it is ${code}`,
    ...members,
  }
  const headers = { 'x-request-id': 'r2', 'content-type': 'application/problem+json', ...more }
  return { status, headers, text: JSON.stringify(document) }
}

/** A client whose attempts end as a list says; the last outcome stands for all behind it. */
function scripted(outcomes: readonly Outcome[], options: Partial<ClientOptions> = {}) {
  const sent: (SentRequest & { atMs: number })[] = []
  const startMs = Date.now()
  const send = async (request: SentRequest): Promise<WireAnswer> => {
    const outcome = outcomes[Math.min(sent.length, outcomes.length - 1)]!
    sent.push({ ...request, atMs: Date.now() - startMs })
    if (outcome instanceof WireFailure) throw outcome
    if (outcome !== 'hangs') return outcome
    return new Promise((_, reject) => {
      const fail = () => reject(new WireFailure('aborted', { wasReused: false, hasBegun: false }))
      request.signal.addEventListener('abort', fail)
    })
  }
  const client = new AuthorityClient({
    baseUrl: 'http://one.test',
    apiKey: 'aik_1',
    transport: { send, close: () => {} },
    timing: { now: () => Date.now(), random: () => 0.5 },
    ...options,
  })
  return { client, sent }
}

/** Runs a call to its end while time passes by itself. */
async function ended<T>(call: Promise<T>): Promise<{ value?: T; error?: unknown }> {
  const settled = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  await vi.runAllTimersAsync()
  return settled
}

describe('a retry', () => {
  test('carries the same idempotency key, another carries another', async () => {
    const { client, sent } = scripted([cut, answer(), answer()])
    await ended(client.search('rust'))
    await ended(client.search('rust'))
    const keys = sent.map(({ headers }) => headers['idempotency-key'])
    expect(keys[0]).toMatch(/^[!-~]{1,64}$/)
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  test('of a connection that was dead is made at once on a new one, and only once so', async () => {
    const { client, sent } = scripted([dead, dead, answer()])
    const { value } = await ended(client.search('rust'))
    expect(value?.requestId).toBe('r1')
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 0, 50])
    expect(sent.map(({ isFresh }) => isFresh)).toEqual([false, true, true])
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

  test.each([
    'invalid-parameter',
    'unauthorized',
    'insufficient-balance',
    'internal-error',
  ] as const)('does not follow %s', async (code) => {
    const { client, sent } = scripted([refusal(code)])
    const { error } = await ended(client.search('rust'))
    expect(error).toBeInstanceOf(errorClasses[code])
    expect(error).toMatchObject({
      code,
      requestId: 'r2',
      attempts: 1,
      status: problems[code].status,
    })
    expect(sent.length).toBe(1)
  })

  test('waits for Retry-After', async () => {
    const { client, sent } = scripted([refusal('rate-limited', { 'retry-after': '1' }), answer()])
    await ended(client.search('rust'))
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 1_025])
  })

  test('is not waited for where Retry-After passes the deadline', async () => {
    const { client, sent } = scripted([refusal('rate-limited', { 'retry-after': '3' }), answer()])
    const { error } = await ended(client.search('rust'))
    expect(error).toMatchObject({ code: 'rate-limited', retryAfter: 3 })
    expect(sent.length).toBe(1)
  })

  test('goes to another address at once, where the first has to rest', async () => {
    const baseUrl = ['http://one.test', 'http://two.test/']
    const { client, sent } = scripted([refusal('overloaded', { 'retry-after': '9' }), answer()], {
      baseUrl,
    })
    await ended(client.search('rust'))
    await ended(client.search('rust'))
    expect(sent.map(({ url }) => new URL(url).host)).toEqual(['one.test', 'two.test', 'two.test'])
    expect(sent[1]!.atMs).toBe(25)
  })

  test('has a wait of full jitter that doubles', async () => {
    const { client, sent } = scripted([cut])
    const { error } = await ended(client.search('rust'))
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 25, 75, 175])
    expect(error).toBeInstanceOf(ConnectionFailedError)
    expect(error).toMatchObject({ attempts: 4 })
  })

  test('is beyond the budget once twenty calls had none that was answered', async () => {
    const { client, sent } = scripted([cut])
    for (let call = 0; call < 100; call += 1) await ended(client.search('rust'))
    expect(sent.length).toBe(120)
  })

  test('is earned by ten calls that are answered', async () => {
    const outcomes = [
      ...Array.from({ length: 23 }, () => cut),
      ...Array.from({ length: 11 }, () => answer()),
      cut,
    ]
    const { client, sent } = scripted(outcomes, { retries: 20 })
    // 20 of the reserve in the first call, then calls without a retry.
    for (let call = 0; call < 3; call += 1)
      await ended(client.search('rust', {}, { deadlineMs: 60_000 }))
    expect(sent.length).toBe(23)
    for (let call = 0; call < 11; call += 1) await ended(client.search('rust'))
    expect(sent.length).toBe(34)
    await ended(client.search('rust'))
    expect(sent.length).toBe(36)
  })
})

describe('the deadline', () => {
  test('is of the whole call; a hung attempt leaves half of it to the next', async () => {
    const { client, sent } = scripted(['hangs'])
    const startMs = Date.now()
    const { error } = await ended(client.search('rust', {}, { deadlineMs: 1_000 }))
    expect(error).toBeInstanceOf(DeadlineExceededError)
    expect(Date.now() - startMs).toBeLessThanOrEqual(1_000)
    expect(sent.map(({ atMs }) => Math.round(atMs / 25))).toEqual([0, 21, 32])
  })

  test.each([
    ['a function that gives no key', { apiKey: () => new Promise<string>(() => {}) }],
    ['middleware', { middleware: [() => new Promise<WireAnswer>(() => {})] }],
  ])('ends a call that hangs in %s', async (_, options) => {
    const { client } = scripted([answer()], options)
    const { error } = await ended(client.search('rust', {}, { deadlineMs: 1_000 }))
    expect(error).toBeInstanceOf(DeadlineExceededError)
  })

  test('hides a hung attempt behind a retry', async () => {
    const { client } = scripted(['hangs', answer([1])])
    expect((await ended(client.search('rust'))).value?.results).toEqual([1])
  })
})

describe('a signal', () => {
  test('that was aborted before sends nothing', async () => {
    for (const options of [{ coalesce: true }, { coalesce: false }]) {
      const { client, sent } = scripted([answer()], options)
      const call = client.match('a', {}, { signal: AbortSignal.abort(new Error('enough')) })
      expect((await ended(call)).error).toMatchObject({ message: 'enough' })
      expect(sent).toEqual([])
    }
  })

  test('ends a call with its reason, also between attempts', async () => {
    for (const outcome of ['hangs', refusal('rate-limited', { 'retry-after': '1' })] as const) {
      const { client } = scripted([outcome])
      const controller = new AbortController()
      const call = client.search('rust', {}, { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('enough')), 100)
      expect((await ended(call)).error).toMatchObject({ message: 'enough' })
    }
  })

  test('of one of several coalesced calls ends that one only', async () => {
    const { client, sent } = scripted([
      answer([
        { source: 'a', index: 0 },
        { source: 'b', index: 1 },
      ]),
    ])
    const controller = new AbortController()
    const one = ended(client.rank('a', {}, { signal: controller.signal }))
    const other = ended(client.rank('b'))
    controller.abort(new Error('enough'))
    expect((await one).error).toMatchObject({ message: 'enough' })
    expect((await other).value?.results).toEqual([{ source: 'b', index: 0 }])
    expect(sent.length).toBe(1)
  })
})

describe('a long list', () => {
  test('begins no further part after one was refused', async () => {
    const { client, sent } = scripted([refusal('invalid-parameter')], { partsAtOnce: 2 })
    const handles = Array.from({ length: 9_000 }, (_, number) => `h${number}`)
    expect((await ended(client.match(handles))).error).toMatchObject({ code: 'invalid-parameter' })
    expect(sent.length).toBe(2)
  })

  test('that no snapshot answers as a whole is asked again under the same keys, and then an error', async () => {
    let number = 0
    const keys: string[] = []
    const send = async ({ headers }: SentRequest): Promise<WireAnswer> => {
      number += 1
      keys.push(headers['idempotency-key']!)
      return { ...answer(), headers: { ...answer().headers, 'x-snapshot-id': `s${number}` } }
    }
    const { client } = scripted([], { transport: { send, close: () => {} }, partsAtOnce: 1 })
    const handles = Array.from({ length: 1_500 }, (_, at) => `h${at}`)
    const { error } = await ended(client.match(handles))
    expect(error).toMatchObject({ code: 'snapshot-changing' })
    expect(keys.length).toBe(5)
    expect(new Set(keys).size).toBe(2)
  })
})

describe('an error', () => {
  test('has a class of its own for every problem', () => {
    expect(
      Object.keys(errorClasses)
        .filter((code) => code !== 'idempotency-key-reused')
        .sort(),
    ).toEqual(
      Object.keys(problems)
        .filter((code) => code !== 'idempotency-key-reused')
        .sort(),
    )
    expect(new Set(Object.values(errorClasses)).size).toBe(Object.keys(errorClasses).length)
  })

  test('has the members of its problem', async () => {
    const { client } = scripted([
      refusal('insufficient-balance', {}, { cost_usd: 0.05, balance_usd: 0.01 }),
    ])
    const { error } = await ended(client.peers('ann'))
    expect(error).toBeInstanceOf(InsufficientBalanceError)
    expect(error).toMatchObject({
      costUsd: 0.05,
      balanceUsd: 0.01,
      message: expect.stringContaining('r2'),
    })
  })
})

describe('middleware', () => {
  test('stands around each attempt, the first outermost', async () => {
    const seen: string[] = []
    const named =
      (name: string) =>
      async (request: { attempt: number }, next: (r: never) => Promise<WireAnswer>) => {
        seen.push(`${name} ${request.attempt}`)
        return next(request as never)
      }
    const { client } = scripted([cut, answer()], { middleware: [named('outer'), named('inner')] })
    await ended(client.search('rust'))
    expect(seen).toEqual(['outer 1', 'inner 1', 'outer 2', 'inner 2'])
  })
})

describe('a key', () => {
  test('that is a function is asked for each attempt', async () => {
    let number = 0
    const { client, sent } = scripted([cut, answer()], {
      apiKey: async () => {
        number += 1
        return `aik_${number}`
      },
    })
    await ended(client.search('rust'))
    expect(sent.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer aik_1',
      'Bearer aik_2',
    ])
  })
})

describe('money', () => {
  const priced = (url: string): WireAnswer => {
    const paths = { '/api/v1/match': { get: { 'x-price-usd': 0.001 } } }
    return url.endsWith('/openapi.json')
      ? { status: 200, headers: {}, text: JSON.stringify({ paths }) }
      : answer()
  }
  const withPrices = (options: Partial<ClientOptions>) => {
    const targets: string[] = []
    const { client } = scripted([answer()], {
      transport: {
        send: async ({ url }) => {
          targets.push(new URL(url).pathname)
          return priced(url)
        },
        close: () => {},
      },
      ...options,
    })
    return { client, targets }
  }

  test('of a call is limited before anything is sent', async () => {
    const { client, targets } = withPrices({})
    const { error } = await ended(client.match(['a', 'b', 'c'], {}, { maxCostUsd: 0.002 }))
    expect(error).toMatchObject({ code: 'cost-limit', attempts: 0 })
    expect(targets).toEqual(['/openapi.json'])
  })

  test('of a long list is limited as a whole', async () => {
    const { client, targets } = withPrices({})
    const handles = Array.from({ length: 1_500 }, (_, number) => `h${number}`)
    const { error } = await ended(client.match(handles, {}, { maxCostUsd: 1.2 }))
    expect(error).toMatchObject({ code: 'cost-limit', attempts: 0 })
    expect(targets).toEqual(['/openapi.json'])
    expect((await ended(client.match(handles, {}, { maxCostUsd: 1.5 }))).error).toBeUndefined()
  })

  test('of a client is limited by what is spent and what is on its way', async () => {
    const { client } = withPrices({ maxCostUsd: 0.002, coalesce: false })
    const calls = ['a', 'b', 'c'].map((handle) => ended(client.match(handle)))
    const outcomes = await Promise.all(calls)
    expect(outcomes.filter(({ error }) => error !== undefined).length).toBe(1)
    expect(client.spentUsd).toBe(0.002)
  })

  test('counts against the limit what a call without an answer may have cost', async () => {
    let isCut = true
    const { client } = withPrices({
      maxCostUsd: 0.002,
      coalesce: false,
      retries: 0,
      middleware: [
        (request, next) => {
          if (!isCut || request.url.endsWith('/openapi.json')) return next(request)
          isCut = false
          throw cut
        },
      ],
    })
    expect((await ended(client.match('a'))).error).toBeInstanceOf(ConnectionFailedError)
    expect((await ended(client.match('b'))).error).toBeUndefined()
    expect((await ended(client.match('c'))).error).toMatchObject({ code: 'cost-limit' })
    expect(client.spentUsd).toBe(0.001)
  })

  test('calls once when the balance falls below an amount', async () => {
    const seen: number[] = []
    const { client } = withPrices({ onBalanceBelow: { usd: 10, call: (usd) => seen.push(usd) } })
    await ended(client.match('a'))
    await ended(client.match('b'))
    expect(seen).toEqual([9])
  })
})

test('an id that is a step of a path is refused before anything is sent', async () => {
  const { client, sent } = scripted([answer()])
  for (const id of ['..', '.', '', 'a/b', '%2e%2e', '../account', 'a\n']) {
    await expect(client.snapshot(id)).rejects.toThrow(TypeError)
  }
  expect(sent).toEqual([])
})
