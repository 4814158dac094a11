/** Reservations, and the API over them: money moves for an answer of 200 that was written, and for nothing else. */
import { describe, expect, test } from 'vitest'
import { createSharedBalances, ThreadBalances } from '../../../../src/ledger/live/balances.ts'
import { type Asking, Reservations } from '../../../../src/ledger/live/reservations.ts'
import { defaultPrices, type RouteName } from '../../../../src/operations.ts'
import { read } from '../../../support/api-client.ts'
import { apiShop } from '../../../support/api-shop.ts'
import { servedOf } from '../../../support/built.ts'
import { keyringOf } from '../../../support/keyring-of.ts'
import { ownerAt, recordedIn } from '../../../support/ledger-fixture.ts'
import { authority, social } from '../../../support/records.ts'

const prices = { ...defaultPrices, search: 1_000, detail: 2_000, peers: 3_000, match: 500 }
const openingMicroUsd = 10_000
const slot = 3
const owner = ownerAt(slot)

/** The reservations of a thread, of one account of 0.01 USD. */
function newReservations() {
  const balances = new ThreadBalances(createSharedBalances(1), 0)
  balances.credit(slot, openingMicroUsd)
  return { reservations: new Reservations(keyringOf([]), balances, prices), balances }
}

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
    expect(recordedIn(balances, slot)).toEqual({ detail: 3 })
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
    expect(recordedIn(balances, slot)).toEqual(queries === 0 ? {} : { peers: queries })
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
      search: 1,
      detail: queries,
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
  const source = { authorities: [authority({ sdu: '1', socials: [social('twitter', 'ann')] })] }

  /** Asks an API, which has its answers written. */
  function newShop(served = servedOf(source)) {
    const errors: unknown[] = []
    const onError = (error: unknown) => void errors.push(error)
    const shop = apiShop({ served: () => served, balances: [openingMicroUsd], more: { onError } })
    const { api, balances, authorizations } = shop
    const ask = (query: string) => {
      const get = { method: 'GET', path: '/api/v1/match', authorization: authorizations[0]! }
      const reply = api.answer({ ...get, query })
      api.written(reply)
      return read(reply)
    }
    return { ask, balances, errors }
  }

  test('answers 503 and charges nothing while charges cannot be recorded', () => {
    const { ask, balances } = newShop()
    balances.setUnavailable(true)
    const { status, headers, json } = ask('handle=ann')
    expect([status, json.type]).toEqual([503, 'urn:authority-index:problem:ledger-unavailable'])
    expect(headers['retry-after']).toBe('1')
    expect(balances.balanceMicroUsd(0)).toBe(openingMicroUsd)
    expect(ask('').status).toBe(400)
  })

  test('gives the money back when the answer fails', () => {
    const served = servedOf(source)
    const fail = () => {
      throw new Error('a bug')
    }
    const catalog = Object.assign(Object.create(served.catalog), { forOwners: fail })
    const { ask, balances, errors } = newShop({ ...served, catalog })
    expect(ask('handle=ann').status).toBe(500)
    expect(errors).toHaveLength(1)
    expect(balances.balanceMicroUsd(0)).toBe(openingMicroUsd)
    expect(recordedIn(balances, 0)).toEqual({})
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
