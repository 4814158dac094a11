/** One pipeline: a request that is read quickly is answered and charged as one that is not. */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Api } from '../../src/api/api.ts'
import { type ApiReply, headersOf } from '../../src/api/exchange.ts'
import { createSharedLimits, RateLimit } from '../../src/api/limits/rate-limit.ts'
import { RouteReader } from '../../src/api/read/readers.ts'
import { answerLineNames } from '../../src/api/write/response-headers.ts'
import { keyHash, newKeyText } from '../../src/ledger/key.ts'
import { createSharedBalances, ThreadBalances } from '../../src/ledger/live/balances.ts'
import { Keyring } from '../../src/ledger/live/keyring.ts'
import { Reservations } from '../../src/ledger/live/reservations.ts'
import { writeUsd } from '../../src/memory/ascii.ts'
import { formatUsd } from '../../src/money.ts'
import { defaultPrices, getRouteNames, operations } from '../../src/operations.ts'
import { servedOf } from '../built.ts'
import { recordedIn } from '../ledger/fixture.ts'
import { handlePool, labelPool, sduPool, smallSources } from '../records.ts'
import { sameIds } from './client.ts'

const key = newKeyText((count) => randomBytes(count))
const authorization = `Bearer ${key}`
const prices = { ...defaultPrices, search: 1_000, detail: 2_500, peers: 70_001, match: 1_000_000 }

/** An API over a snapshot for one account with so much money. */
function shopOf(served: ReturnType<typeof servedOf>, balanceMicroUsd: number, limited = false) {
  const keyring = new Keyring(() => 0)
  const owner = { accountSlot: 0, keyId: 'key_1' }
  const keys = [{ ...owner, hash: keyHash(key), expiresAtMs: Number.POSITIVE_INFINITY }]
  keyring.replace({ keys })
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(0, balanceMicroUsd)
  const limit = { rateLimit: 1, rateBurst: 2, failedKeyLimit: 0 }
  const limits = createSharedLimits(1)
  const api = new Api({
    served: () => served,
    reservations: new Reservations(keyring, balances, prices),
    ...(limited && {
      rateLimit: new RateLimit(limits, limit),
      lookupLimit: new RateLimit(limits, { ...limit, rateBurst: 3 }, 'lookup'),
    }),
    clock: () => 0,
    ids: sameIds(),
    onError: (error) => {
      throw error
    },
  })
  return { api, balances }
}

const value = fc.oneof(
  fc.constantFrom(...sduPool, ...handlePool, ...labelPool, 'nobody', '404'),
  fc.constantFrom('@ada', 'x:ada', 'a,b', '', '%41da', 'Ada+Lovelace', 'ada-l_o.v', '١٢'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
)
const name = fc.constantFrom('sdus', 'sdu', 'handles', 'handle', 'query', 'limit', 'other')
const query = fc
  .array(fc.tuple(name, value), { minLength: 1, maxLength: 2 })
  .map((pairs) => pairs.map(([left, right]) => `${left}=${right}`).join('&'))
const sduList = fc
  .array(fc.constantFrom(...sduPool), { minLength: 1, maxLength: 20 })
  .map((sdus) => `sdus=${sdus}`)
const handleList = fc
  .array(
    fc.oneof(
      fc.constantFrom(...handlePool),
      fc.constantFrom('nobody', 'noone', '@ada', 'ADA', '@@ada', 'x:ada', '', ' ada'),
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((handles) => `handles=${handles.join(',')}`)
const label = fc.constantFrom(...labelPool).map((text) => `query=${encodeURIComponent(text)}`)
const limited = fc
  .tuple(fc.constantFrom('handle', 'handles'), fc.array(fc.constantFrom(...handlePool)), fc.nat(70))
  .map(([left, right, limit]) => `${left}=${right.join(',')}&limit=${limit}`)

/** A parameter that nobody reads: with it, no request is a usual one. */
const unusual = '&unread=1'

function seen(reply: ApiReply) {
  const { status, body, charge } = reply
  const headers = headersOf(reply).filter(([header]) => header !== 'ETag')
  return { status, body: Buffer.from(body).toString(), charge, headers }
}

describe('a request that is read quickly', () => {
  it('is answered and charged as one that is read by its parameters, byte for byte', () => {
    const request = fc.oneof(
      fc.tuple(fc.constantFrom(...getRouteNames), query),
      fc.tuple(fc.constantFrom('peers' as const, 'match' as const), fc.oneof(limited, handleList)),
      fc.tuple(fc.constant('detail' as const), sduList),
      fc.tuple(fc.constant('search' as const), label),
    )
    let quick = 0
    fc.assert(
      fc.property(smallSources, fc.array(request, { maxLength: 40 }), (records, requests) => {
        fc.pre(records.authorities.some(({ verified }) => verified))
        const served = servedOf(records)
        const one = shopOf(served, 1e12)
        const other = shopOf(servedOf(records), 1e12)
        for (const [route, text] of requests) {
          const [path] = operations[route].paths
          const asked = { method: 'GET', path, authorization }
          // The second time a search is one that was kept.
          for (let time = 0; time < 2; time += 1) {
            const reply = one.api.answer({ ...asked, query: text })
            const expected = other.api.answer({ ...asked, query: `${text}${unusual}` })
            expect(seen(reply)).toEqual(seen(expected))
            one.api.written(reply)
            other.api.written(expected)
          }
          const reader = new RouteReader(route)
          if (reader.read(served, text).problem === undefined && reader.isQuick) quick += 1
        }
        expect(one.balances.balanceMicroUsd(0)).toBe(other.balances.balanceMicroUsd(0))
      }),
      { numRuns: 60 },
    )
    expect(quick).toBeGreaterThan(20)
  })
})

describe('an answer', () => {
  it('is charged only once it is written', () => {
    const { api, balances } = shopOf(servedOf({ authorities: [] }), 10_000)
    const request = { method: 'GET', path: '/api/v1/detail', query: 'sdu=1', authorization }
    const reply = api.answer(request)
    expect(recordedIn(balances, 0)).toEqual({})
    api.written(reply)
    expect(recordedIn(balances, 0)).toEqual({ detail: { queries: 1, amountMicroUsd: 2_500 } })
  })

  it('carries every line of the table, in its order, where there are prices and limits', () => {
    const { api } = shopOf(servedOf({ authorities: [] }), 10_000, true)
    const request = { method: 'GET', path: '/api/v1/index', query: 'query=rust', authorization }
    const names = headersOf(api.answer(request)).map(([header]) => header)
    expect(names).toEqual(answerLineNames)
  })
})

describe('a request that the limit refuses', () => {
  it('has nothing reserved for it', () => {
    const { api, balances } = shopOf(servedOf({ authorities: [] }), 10_000, true)
    const request = { method: 'GET', path: '/api/v1/detail', query: 'sdu=1', authorization }
    expect([1, 2, 3].map(() => api.answer(request).status)).toEqual([200, 200, 429])
    expect(balances.balanceMicroUsd(0)).toBe(10_000 - 2 * prices.detail)
  })

  it('is told so before anything else that is wrong with it but its key', () => {
    const { api } = shopOf(servedOf({ authorities: [] }), 10_000, true)
    const request = { method: 'GET', path: '/api/v1/detail', query: 'sdu=x', authorization }
    expect([1, 2, 3].map(() => api.answer(request).status)).toEqual([400, 400, 429])
    expect(api.answer({ ...request, authorization: '' }).status).toBe(401)
  })
})

describe('a lookup', () => {
  it('is free and counted apart from queries, by a limit of its own', () => {
    const { api, balances } = shopOf(servedOf({ authorities: [] }), 0, true)
    const statusOf = (path: string, query: string) =>
      api.answer({ method: 'GET', path, query, authorization }).status
    const lookups = [
      statusOf('/api/v1/autocomplete', 'query=a'),
      statusOf('/api/v1/topics', ''),
      statusOf('/api/v1/autocomplete', ''),
      statusOf('/api/v1/topics', ''),
    ]
    expect(lookups).toEqual([200, 200, 400, 429])
    expect([1, 2, 3].map(() => statusOf('/api/v1/snapshots', ''))).toEqual([200, 200, 429])
    expect(balances.balanceMicroUsd(0)).toBe(0)
  })

  it('says where the account stands by the name of that limit', () => {
    const { api } = shopOf(servedOf({ authorities: [] }), 0, true)
    const path = '/api/v1/autocomplete'
    const reply = api.answer({ method: 'GET', path, query: 'query=a', authorization })
    const headers = Object.fromEntries(headersOf(reply))
    expect(headers['RateLimit-Policy']).toBe('"lookup";q=3;w=3')
    expect(headers.RateLimit).toBe('"lookup";r=2;t=1')
  })
})

describe('an amount in a header', () => {
  it('is written as it is formatted everywhere else', () => {
    const bytes = Buffer.alloc(40)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e15 }), (amountMicroUsd) => {
        const end = writeUsd(bytes, 3, amountMicroUsd)
        expect(bytes.toString('latin1', 3, end)).toBe(formatUsd(amountMicroUsd))
      }),
    )
  })
})
