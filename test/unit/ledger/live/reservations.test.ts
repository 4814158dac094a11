/** Reservations, and the API over them: money moves for an answer of 200 that was written, and for nothing else. */
import { describe, expect, test } from 'vitest'
import type { ActiveSnapshot } from '../../../../src/api/active-snapshot.ts'
import { Api } from '../../../../src/api/api.ts'
import type { ApiRequest } from '../../../../src/api/exchange.ts'
import { keyHash, newKeyText } from '../../../../src/ledger/books/key.ts'
import { createSharedBalances, ThreadBalances } from '../../../../src/ledger/live/balances.ts'
import { type Asking, Reservations } from '../../../../src/ledger/live/reservations.ts'
import { defaultPrices, type RouteName } from '../../../../src/operations.ts'
import { read, sameIds } from '../../../support/api-client.ts'
import { servedOf } from '../../../support/built.ts'
import { keyringOf } from '../../../support/keyring-of.ts'
import { ownerAt, recordedIn } from '../../../support/ledger-fixture.ts'
import { authority, social } from '../../../support/records.ts'

const routesAboutPeople = ['search', 'detail', 'peers', 'match', 'rank'] as const

const prices = { ...defaultPrices, search: 1_000, detail: 2_000, peers: 3_000, match: 500 }
const openingMicroUsd = 10_000
const slot = 3
const endMs = 1_000
const owner = ownerAt(slot)

const key = newKeyText((count) => new Uint8Array(count).fill(7))
const other = newKeyText((count) => new Uint8Array(count).fill(8))

/** The reservations of a thread, of one account of 0.01 USD, whose key ends at `endMs`, and where another is known to be none. */
function newReservations() {
  const clock = { nowMs: 0 }
  const keyring = keyringOf([{ text: key, owner, expiresAtMs: endMs }], () => clock.nowMs)
  void keyring.seek(`Bearer ${other}`)
  keyring.take({ changed: [], keys: [], bad: [keyHash(other)] })
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(slot, openingMicroUsd)
  return { reservations: new Reservations(keyring, balances, prices), balances, clock }
}

describe('the owner of a request', () => {
  test.each([`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key} `])('is known by %j', (header) => {
    expect(newReservations().reservations.keyring.ownerOf(header)).toMatchObject(owner)
  })

  test.each([
    '',
    'Bearer',
    'Bearer ',
    key,
    `Basic ${key}`,
    `Bearer${key}`,
    `Bearer ${key} ${key}`,
    `Bearer ${key},`,
    `Bearer ${other}`,
    `Bearer ${key.slice(0, -1)}`,
    `Bearer ${key.toLowerCase()}`,
  ])('is not known by %j', (header) => {
    expect(newReservations().reservations.keyring.ownerOf(header)).toBeUndefined()
  })

  test('is not known from the moment on when the key ends', () => {
    const { reservations, clock } = newReservations()
    clock.nowMs = endMs - 1
    expect(reservations.keyring.ownerOf(`Bearer ${key}`)).toMatchObject(owner)
    clock.nowMs = endMs
    expect(reservations.keyring.ownerOf(`Bearer ${key}`)).toBeUndefined()
  })
})

function asking(route: RouteName): Asking {
  return { route, search: '', isPosted: true, askedMs: 0 }
}

describe('a reservation', () => {
  test('takes the price of every query, and counts them when it is recorded', () => {
    const { reservations, balances } = newReservations()
    const { charge } = reservations.reserve(owner, asking('detail'), 3)
    expect(charge).toMatchObject({ owner, route: 'detail', queries: 3, costMicroUsd: 6_000 })
    expect(reservations.balanceMicroUsd(owner)).toBe(4_000)
    expect(recordedIn(balances, slot)).toEqual({})
    reservations.record(charge!)
    expect(recordedIn(balances, slot)).toEqual({ detail: { queries: 3, amountMicroUsd: 6_000 } })
    expect(reservations.balanceMicroUsd(owner)).toBe(4_000)
  })

  test('gives everything back when it is released, and counts nothing', () => {
    const { reservations, balances } = newReservations()
    reservations.release(reservations.reserve(owner, asking('peers'), 2).charge!)
    expect(reservations.balanceMicroUsd(owner)).toBe(openingMicroUsd)
    expect(recordedIn(balances, slot)).toEqual({})
  })

  test.each([
    [2, 2],
    [0, 0],
    [4, 3],
  ])('gives back what is behind %d answered queries, and records %d', (answered, queries) => {
    const { reservations, balances } = newReservations()
    const { charge } = reservations.reserve(owner, asking('peers'), 3)
    reservations.record(charge!, { queries: answered, items: 0 })
    const amountMicroUsd = 3_000 * queries
    expect(reservations.balanceMicroUsd(owner)).toBe(openingMicroUsd - amountMicroUsd)
    expect(recordedIn(balances, slot)).toEqual(
      queries === 0 ? {} : { peers: { queries, amountMicroUsd } },
    )
  })

  test.each([
    [1, 1],
    [2, 2],
    [9, 3],
  ])('sells the profiles among %d items as queries of detail: %d', (items, queries) => {
    const { reservations, balances } = newReservations()
    const { charge } = reservations.reserve(owner, asking('search'), 1, undefined, 3)
    expect(charge).toMatchObject({ queries: 1, profiles: 3, costMicroUsd: 7_000 })
    reservations.record(charge!, { queries: Number.POSITIVE_INFINITY, items })
    const amountMicroUsd = 2_000 * queries
    expect(reservations.balanceMicroUsd(owner)).toBe(openingMicroUsd - 1_000 - amountMicroUsd)
    expect(recordedIn(balances, slot)).toEqual({
      search: { queries: 1, amountMicroUsd: 1_000 },
      detail: { queries, amountMicroUsd },
    })
  })

  test('can take the last of the balance, and takes nothing when the price is above it', () => {
    const { reservations } = newReservations()
    const tooDear = { costMicroUsd: 12_000, unavailable: false }
    expect(reservations.reserve(owner, asking('detail'), 6)).toEqual({ unpaid: tooDear })
    expect(reservations.balanceMicroUsd(owner)).toBe(openingMicroUsd)
    expect(reservations.reserve(owner, asking('detail'), 5).charge).toBeDefined()
    expect(reservations.balanceMicroUsd(owner)).toBe(0)
  })

  test('lets through what costs nothing while charges cannot be recorded', () => {
    const { reservations, balances } = newReservations()
    balances.setUnavailable(true)
    expect(reservations.reserve(owner, asking('topics'), 1).charge?.costMicroUsd).toBe(0)
  })

  test('takes nothing while charges cannot be recorded', () => {
    const { reservations, balances } = newReservations()
    balances.setUnavailable(true)
    expect(reservations.reserve(owner, asking('match'), 1)).toEqual({
      unpaid: { costMicroUsd: 500, unavailable: true },
    })
    expect(reservations.balanceMicroUsd(owner)).toBe(openingMicroUsd)
    balances.setUnavailable(false)
    expect(reservations.reserve(owner, asking('match'), 1).charge).toBeDefined()
  })
})

describe('the API over reservations', () => {
  const source = {
    authorities: [
      authority({ sdu: '1', socials: [social('twitter', 'ann')] }),
      authority({ sdu: '2', socials: [social('twitter', 'bob')] }),
    ],
  }

  /** An API over two authorities that charges; a reply counts as written unless it is `aborted`. */
  function newShop(served: ActiveSnapshot | undefined = servedOf(source)) {
    const { reservations, balances } = newReservations()
    const errors: unknown[] = []
    const api = new Api({
      served: () => served,
      reservations,
      clock: () => 0,
      ids: sameIds(),
      onError: (error) => errors.push(error),
    })
    const ask = (target: string, fields: Partial<ApiRequest> = {}, aborted = false) => {
      const [path = '', query = ''] = target.split(/\?(.*)/s)
      const authorization = `Bearer ${key}`
      const reply = api.answer({ method: 'GET', path, query, authorization, ...fields })
      if (!aborted) api.written(reply)
      return read(reply)
    }
    const queries = () => {
      const sales = recordedIn(balances, slot)
      return routesAboutPeople.map((route) => sales[route]?.queries ?? 0)
    }
    return { ask, balances, queries, errors, balance: () => balances.balanceMicroUsd(slot) }
  }

  test.each([
    ['/api/v1/index?query=rust&limit=2', 1_000, [1, 0, 0, 0, 0]],
    ['/api/v1/detail?sdus=1', 2_000, [0, 1, 0, 0, 0]],
    ['/api/v1/detail?sdus=1,2,1&sdu=2,404', 6_000, [0, 3, 0, 0, 0]],
    ['/api/v1/peers?handle=ann', 3_000, [0, 0, 1, 0, 0]],
    ['/api/v1/peers?handles=ann,@ANN,bob&limit=1', 6_000, [0, 0, 2, 0, 0]],
    ['/api/v1/match?handles=ann,nobody,twitter:ann', 1_500, [0, 0, 0, 3, 0]],
    ['/api/v1/match/?handle=nobody', 500, [0, 0, 0, 1, 0]],
  ])('charges %s as it says in its headers', (target, costMicroUsd, counted) => {
    const { ask, balance, queries } = newShop()
    const { status, headers } = ask(target)
    expect(status).toBe(200)
    expect(balance()).toBe(openingMicroUsd - costMicroUsd)
    expect(Number(headers['x-cost-usd']) * 1e6).toBe(costMicroUsd)
    expect(Math.round(Number(headers['x-balance-usd']) * 1e6)).toBe(balance())
    expect(queries()).toEqual(counted)
  })

  test.each<[status: number, target: string, fields: Partial<ApiRequest>]>([
    [400, '/api/v1/index', {}],
    [400, '/api/v1/index?query=%zz', {}],
    [400, '/api/v1/detail?sdus=1,x', {}],
    [400, '/api/v1/peers?handle=ann&limit=0', {}],
    [401, '/api/v1/index?query=rust', { authorization: '' }],
    [401, '/api/v1/index?query=rust', { authorization: `Bearer ${other}` }],
    [402, '/api/v1/peers?handles=a,b,c,d', {}],
    [404, '/api/v2/index?query=rust', {}],
    [405, '/api/v1/index?query=rust', { method: 'POST' }],
    [405, '/api/v1/index?query=rust', { method: 'HEAD' }],
  ])('answers %i to %s and charges nothing', (status, target, fields) => {
    const { ask, balance, queries } = newShop()
    const reply = ask(target, fields)
    expect(reply.status).toBe(status)
    expect(reply.headers).not.toHaveProperty('x-cost-usd')
    expect(balance()).toBe(openingMicroUsd)
    expect(queries()).toEqual([0, 0, 0, 0, 0])
  })

  test('answers 304 and charges nothing, when what the client holds is still so', () => {
    const { ask, balance, queries } = newShop()
    const { headers } = ask('/api/v1/match?handle=ann')
    const { status } = ask('/api/v1/match?handle=ann', { ifNoneMatch: headers.etag! })
    expect(status).toBe(304)
    expect(balance()).toBe(openingMicroUsd - 500)
    expect(queries()).toEqual([0, 0, 0, 1, 0])
  })

  test('says in a 402 what the request costs and what there is', () => {
    const { ask } = newShop()
    expect(ask('/api/v1/peers?handles=a,b,c,d').json).toMatchObject({
      status: 402,
      cost_usd: 0.012,
      balance_usd: 0.01,
      detail: 'this request costs 0.012 USD, the balance is 0.01 USD',
      results: [],
    })
  })

  test('answers 503 and charges nothing while charges cannot be recorded', () => {
    const { ask, balances, balance } = newShop()
    balances.setUnavailable(true)
    const { status, headers, json } = ask('/api/v1/match?handle=ann')
    expect([status, json.type]).toEqual([503, 'urn:authority-index:problem:ledger-unavailable'])
    expect(headers['retry-after']).toBe('1')
    expect(balance()).toBe(openingMicroUsd)
    expect(ask('/api/v1/match').status).toBe(400)
  })

  test('answers 503 and charges nothing while there is no snapshot', () => {
    const { reservations } = newReservations()
    const context = { clock: () => 0, ids: sameIds(), onError: () => {} }
    const api = new Api({ served: () => undefined, reservations, ...context })
    const request = { method: 'GET', path: '/api/v1/match', query: 'handle=ann' }
    expect(api.answer({ ...request, authorization: `Bearer ${key}` }).status).toBe(503)
    expect(api.answer(request).status).toBe(401)
    expect(reservations.balanceMicroUsd(owner)).toBe(openingMicroUsd)
  })

  test('gives the money back when the answer fails', () => {
    const served = servedOf(source)
    const broken = {
      ...served,
      catalog: Object.assign(Object.create(served.catalog), {
        forOwners: () => {
          throw new Error('a bug')
        },
      }),
    }
    const { ask, balance, queries, errors } = newShop(broken)
    expect(ask('/api/v1/match?handle=ann').status).toBe(500)
    expect(errors).toHaveLength(1)
    expect(balance()).toBe(openingMicroUsd)
    expect(queries()).toEqual([0, 0, 0, 0, 0])
  })

  test('counts nothing for an answer that was not written', () => {
    const { ask, queries } = newShop()
    expect(ask('/api/v1/match?handle=ann', {}, true).status).toBe(200)
    expect(queries()).toEqual([0, 0, 0, 0, 0])
  })
})

describe('a balance that several nodes sell from', () => {
  test('is told whole, and missed where it is not', () => {
    const { reservations, balances } = newReservations()
    balances.setHeldByOtherNodes(slot, 90_000)
    expect(reservations.balanceMicroUsd(owner)).toBe(100_000)
    expect(reservations.reserve(owner, asking('search'), 1)).toMatchObject({ leftMicroUsd: 99_000 })
    const unpaid = { costMicroUsd: 50_000, unavailable: false, heldByOtherNodes: true }
    expect(reservations.reserve(owner, asking('search'), 50)).toEqual({ unpaid })
    expect(reservations.reserve(owner, asking('search'), 100)).toEqual({
      unpaid: { costMicroUsd: 100_000, unavailable: false },
    })
  })

  test('is refused to nobody while it is not known', () => {
    const { reservations, balances } = newReservations()
    balances.setUncertain(true)
    const unpaid = { costMicroUsd: 11_000, unavailable: false, heldByOtherNodes: true }
    expect(reservations.reserve(owner, asking('search'), 11)).toEqual({ unpaid })
    balances.setUncertain(false)
    expect(
      reservations.reserve(owner, asking('search'), 11).unpaid?.heldByOtherNodes,
    ).toBeUndefined()
  })
})
