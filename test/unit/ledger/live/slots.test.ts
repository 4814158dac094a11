/** Accounts in shared memory: what is granted is there to be sold, and every account adds up. */
import { expect, test } from 'vitest'
import {
  accountsMax,
  type Funds,
  soldKeysMax,
  termsMax,
} from '../../../../src/ledger/books/port.ts'
import {
  Balances,
  createSharedBalances,
  ThreadBalances,
} from '../../../../src/ledger/live/balances.ts'
import { Slots } from '../../../../src/ledger/live/slots.ts'
import { defaultPrices } from '../../../../src/operations.ts'

const prices = { ...defaultPrices, search: 500, match: 3_000 }

/** @param sold accounts that have a key each, with lines in their order. */
function newSlots(...sold: readonly number[]) {
  const shared = createSharedBalances(2)
  const slots = new Slots(new Balances(shared), prices)
  for (const number of sold) {
    slots.grant(funds(number, 0))
    slots.placeOf(number, keyId, false)
  }
  return { slots, threads: [0, 1].map((place) => new ThreadBalances(shared, place)) }
}

const keyId = 'key_1'

function funds(accountNumber: number, grantedMicroUsd: number, spentMicroUsd = 0): Funds {
  return { accountNumber, grantedMicroUsd, spentMicroUsd }
}

test('slots are given one after the other, whatever numbers the accounts have', () => {
  const { slots, threads } = newSlots()
  for (const number of [7_000_000_000, 3, 65_537]) slots.grant(funds(number, number))
  expect([7_000_000_000, 3, 65_537, 1].map((number) => slots.slotOf(number))).toEqual([
    0,
    1,
    2,
    undefined,
  ])
  expect(threads[1]!.balanceMicroUsd(0)).toBe(7_000_000_000)
  expect(threads[1]!.balanceMicroUsd(1)).toBe(3)
})

test('a review tells what was sold from what is reserved and what was charged before', () => {
  const { slots, threads } = newSlots(5, 6)
  slots.grant(funds(5, 10_000))
  slots.grant(funds(6, 10_000))
  const [one, other] = [threads[0]!, threads[1]!]
  one.take([0], 1_000)
  one.record(0, [0], 'search', 2, 1_000)
  other.take([0], 4_000)
  other.record(0, [0], 'search', 1, 500)
  const review = slots.review()
  const charges = [{ accountNumber: 5, keyId, route: 'search', queries: 3, amountMicroUsd: 1_500 }]
  expect(review).toEqual({ charges, imbalances: new Map() })
  slots.settle(review.charges, [funds(5, 10_000, 1_500)])
  expect(slots.review()).toEqual({ charges: [], imbalances: new Map() })
  other.record(0, [0], 'match', 1, 3_000)
  expect(slots.review()).toMatchObject({
    charges: [{ accountNumber: 5, route: 'match', queries: 1, amountMicroUsd: 3_000 }],
    imbalances: new Map(),
  })
})

test('what is granted beside a charge is credited with it', () => {
  const { slots, threads } = newSlots(5)
  slots.grant(funds(5, 1_000))
  threads[0]!.take([0], 1_000)
  threads[0]!.record(0, [0], 'search', 2, 1_000)
  const { charges } = slots.review()
  slots.settle(charges, [funds(5, 4_000, 1_000)])
  expect(threads[0]!.balanceMicroUsd(0)).toBe(3_000)
  expect(slots.review()).toMatchObject({ charges: [], imbalances: new Map() })
})

test.each<[string, (parts: ReturnType<typeof newSlots>) => void, string]>([
  [
    'more live than the ledger has',
    ({ threads }) => threads[0]!.credit(1, 1),
    'live 0.009001 + reserved 0.001 + uncommitted 0.00 USD is not 0.01 USD',
  ],
  [
    'less live than the ledger has',
    ({ threads }) => threads[0]!.credit(1, -1),
    'live 0.008999 + reserved 0.001 + uncommitted 0.00 USD is not 0.01 USD',
  ],
  [
    'sales of what was never taken',
    ({ threads }) => threads[1]!.record(1, [1], 'match', 1, 1_001),
    'live 0.009 + reserved -0.000001 + uncommitted 0.001001 USD is not 0.01 USD',
  ],
  [
    'another charge in the ledger than was sent',
    ({ slots }) => slots.settle([], [funds(6, 10_000, 500)]),
    'live 0.009 + reserved 0.001 + uncommitted 0.00 USD is not 0.0095 USD',
  ],
])('an account with %s does not add up, and the others do', (_, damage, expected) => {
  const parts = newSlots()
  for (const number of [5, 6, 7]) parts.slots.grant(funds(number, 10_000))
  parts.threads[0]!.take([1], 1_000)
  expect(parts.slots.review().imbalances).toEqual(new Map())
  damage(parts)
  expect(parts.slots.review().imbalances).toEqual(new Map([['account 6', expected]]))
})

test('there are slots for so many accounts, and one more is an error', () => {
  const { slots } = newSlots()
  for (let number = 1; number <= accountsMax; number += 1) slots.grant(funds(number, 1))
  expect(slots.slotOf(accountsMax)).toBe(accountsMax - 1)
  expect(slots.liveMicroUsd(accountsMax)).toBe(1)
  expect(() => slots.grant(funds(accountsMax + 1, 1))).toThrow('more than 65536 accounts')
})

test('one account may take all places of keys and of terms; the keys that have theirs keep them', () => {
  const { slots } = newSlots(5)
  const other = { place: slots.placeOf(5, keyId, false), terms: slots.termsPlaceOf(keyId) }
  slots.grant(funds(6, 1))
  for (let count = 1; count < soldKeysMax; count += 1) slots.placeOf(6, `of6_${count}`, false)
  for (let count = 1; count < termsMax; count += 1) slots.termsPlaceOf(`of6_${count}`)
  expect(slots.placeOf(6, 'one more', false)).toBeUndefined()
  expect(slots.termsPlaceOf('one more')).toBeUndefined()
  slots.grant({ ...funds(5, 1), keyId: 'one more' })
  expect(slots.placeOf(5, 'one more', true)).toBeUndefined()
  expect({ place: slots.placeOf(5, keyId, false), terms: slots.termsPlaceOf(keyId) }).toEqual(other)
})

test('what an account has elsewhere is known, and what is withdrawn is there and granted no more', () => {
  const { slots, threads } = newSlots()
  slots.grant({ ...funds(5, 1_000), heldByOtherNodesMicroUsd: 400 })
  expect(threads[0]!.heldByOtherNodesMicroUsd(0)).toBe(400)
  expect(threads[0]!.take([0], 300)).toBe(700)
  expect(slots.withdraw(5, 200)).toBe(200)
  expect(slots.withdraw(5, 900)).toBe(500)
  expect([slots.liveMicroUsd(5), threads[1]!.heldByOtherNodesMicroUsd(0)]).toEqual([0, 1_100])
  slots.grant({ ...funds(5, 300), heldByOtherNodesMicroUsd: 1_100 })
  expect(slots.liveMicroUsd(5)).toBe(0)
  expect([slots.withdraw(6, 1), slots.liveMicroUsd(6)]).toEqual([0, 0])
})

test('what was missed of an account is told once, the dearest of it', () => {
  const { slots, threads } = newSlots()
  slots.grant({ ...funds(5, 100), heldByOtherNodesMicroUsd: 5_000 })
  expect(threads[0]!.isHeldByOtherNodes(0, 1_000)).toBe(true)
  expect(threads[1]!.isHeldByOtherNodes(0, 3_000)).toBe(true)
  expect(threads[0]!.isHeldByOtherNodes(0, 5_101)).toBe(false)
  expect([...slots.takeMissed()]).toEqual([[5, 3_000]])
  expect([...slots.takeMissed()]).toEqual([])
})
