/** Caps in shared memory: exact under races of real threads, and never a reason to refuse too much. */
import { expect, test } from 'vitest'
import {
  Balances,
  createSharedBalances,
  ThreadBalances,
} from '../../../../src/ledger/live/balances.ts'
import { Slots } from '../../../../src/ledger/live/slots.ts'
import { unitPrices } from '../../../support/ledger-fixture.ts'
import { race } from './race.ts'

/** An account with keys: `one` and `other` have caps, and `free` has none. */
function newKeys(amounts: { account: number; one: number; other: number }, threads = 3) {
  const shared = createSharedBalances(threads)
  const balances = new Balances(shared)
  const slots = new Slots(balances, unitPrices)
  const funds = (amountMicroUsd: number, keyId?: string) => ({
    accountNumber: 1,
    ...(keyId !== undefined && { keyId }),
    grantedMicroUsd: amountMicroUsd,
    spentMicroUsd: 0,
  })
  slots.grant(funds(amounts.account))
  slots.grant(funds(amounts.one, 'one'))
  slots.grant(funds(amounts.other, 'other'))
  const keys = [
    slots.placeOf(1, 'free', false)!,
    slots.placeOf(1, 'one', true)!,
    slots.placeOf(1, 'other', true)!,
  ]
  return { shared, balances, slots, keys, funds }
}

test('a key spends from its cap and from the account, and names the wall it reaches', () => {
  const { shared, balances, keys } = newKeys({ account: 10_000, one: 3_000, other: 2_000 })
  const thread = new ThreadBalances(shared, 0)
  const [free, one, other] = keys.map(({ purses }) => purses)
  expect(thread.take(one!, 1_500)).toBe(8_500)
  expect(one!.map((purse) => balances.balanceMicroUsd(purse))).toEqual([8_500, 1_500])
  expect(thread.take(one!, 1_501)).toBe(-2)
  expect(thread.take(other!, 1_100)).toBe(7_400)
  expect(thread.take(free!, 7_400)).toBe(0)
  expect(thread.take(one!, 0)).toBe(0)
  expect(thread.take(one!, 400)).toBe(-1)
  expect([thread.lacking(one!, 1_501), thread.lacking(one!, 400)]).toEqual([1, 0])
  thread.release(one!, 1_500)
  expect(one!.map((purse) => balances.balanceMicroUsd(purse))).toEqual([1_500, 3_000])
  expect(thread.lacking(one!, 1_500)).toBe(-1)
})

test.each([1, 2, 3])('no race passes a cap, and all of it can be sold (seed %i)', async (seed) => {
  const amounts = { account: 60_000, one: 20_000, other: 12_000 }
  const { shared, balances, slots, keys, funds } = newKeys(amounts)
  const sold = new Map<string, number>()
  const commit = () => {
    const { charges } = slots.review()
    for (const { keyId, amountMicroUsd } of charges) {
      sold.set(keyId, (sold.get(keyId) ?? 0) + amountMicroUsd)
    }
    const of = (...keyIds: string[]) =>
      keyIds.reduce((sum, keyId) => sum + (sold.get(keyId) ?? 0), 0)
    slots.settle(charges, [
      { ...funds(amounts.account), spentMicroUsd: of('free', 'one', 'other') },
      { ...funds(amounts.one, 'one'), spentMicroUsd: of('one') },
      { ...funds(amounts.other, 'other'), spentMicroUsd: of('other') },
    ])
  }
  const racer = { attempts: 20_000, seed, keys, costs: [1, 2, 3], releasesOfTen: 3 }
  const finished = await race(shared, [racer, racer, racer], commit)
  commit()
  expect(finished.map(({ negative }) => negative)).toEqual([0, 0, 0])
  const soldBy = (key: number) => finished.reduce((sum, each) => sum + each.soldMicroUsd[key]!, 0)
  expect(soldBy(2)).toBe(amounts.other)
  expect(soldBy(1)).toBe(amounts.one)
  expect(soldBy(0) + soldBy(1) + soldBy(2)).toBeLessThanOrEqual(amounts.account)
  expect(balances.balanceMicroUsd(0)).toBe(amounts.account - soldBy(0) - soldBy(1) - soldBy(2))
  expect(['free', 'one', 'other'].map((each) => sold.get(each))).toEqual([0, 1, 2].map(soldBy))
  expect(slots.review()).toMatchObject({ charges: [], imbalances: new Map() })
})

test.each([
  ['the balance', { account: 300_000, one: 900_000, other: 900_000 }],
  ['its cap', { account: 900_000, one: 900_000, other: 300_000 }],
])(
  'never refuses a cheap request because %s is below a dear one at the same time',
  async (_, amounts) => {
    const { shared, keys } = newKeys(amounts, 2)
    const other = [keys[2]!]
    const cheap = { attempts: 30_000, seed: 1, keys: other, costs: [10], releasesOfTen: 0 }
    const dear = { attempts: 30_000, seed: 1, keys: other, costs: [300_001], releasesOfTen: 0 }
    const [served, refused] = await race(shared, [cheap, dear])
    expect(served).toEqual({ soldMicroUsd: [300_000], negative: 0, refused: 0 })
    expect(refused).toMatchObject({ soldMicroUsd: [0], refused: 30_000 })
  },
)

test('what a dead thread had taken goes back to the account and to the cap, and its locks open', () => {
  const { shared, balances, keys } = newKeys({ account: 10_000, one: 3_000, other: 2_000 })
  const { line, purses } = keys[2]!
  const dead = new ThreadBalances(shared, 0)
  dead.take(purses, 700)
  dead.record(line, purses, 'search', 300, 300)
  new Int32Array(shared.locks)[purses[0]!] = 1
  new ThreadBalances(shared, 0).releaseLeftOver()
  expect(purses.map((purse) => balances.balanceMicroUsd(purse))).toEqual([9_700, 1_700])
  expect(new ThreadBalances(shared, 1).take(purses, 100)).toBe(9_600)
})

test('a cap that is set while a key sells counts what was on its way as soon as that is charged', () => {
  const { shared, balances, slots, funds } = newKeys({ account: 10_000, one: 0, other: 0 })
  const thread = new ThreadBalances(shared, 0)
  const before = slots.placeOf(1, 'later', false)!
  thread.take(before.purses, 600)
  thread.record(before.line, before.purses, 'search', 600, 600)
  slots.grant(funds(1_000, 'later'))
  const after = slots.placeOf(1, 'later', true)!
  expect(after.line).not.toBe(before.line)
  expect(thread.take(after.purses, 300)).toBe(9_100)
  const { charges } = slots.review()
  slots.settle(charges, [
    { ...funds(10_000), spentMicroUsd: 600 },
    { ...funds(1_000, 'later'), spentMicroUsd: 600 },
  ])
  expect(balances.balanceMicroUsd(after.purses[1]!)).toBe(100)
  expect(slots.review().imbalances).toEqual(new Map())
})

test('a new period gives a cap again what was charged in the last one, and not what is on its way', () => {
  const { shared, balances, slots, keys, funds } = newKeys({
    account: 10_000,
    one: 0,
    other: 1_000,
  })
  const thread = new ThreadBalances(shared, 0)
  const { line, purses } = keys[2]!
  thread.take(purses, 600)
  thread.record(line, purses, 'search', 600, 600)
  slots.settle(slots.review().charges, [
    { ...funds(10_000), spentMicroUsd: 600 },
    { ...funds(1_000, 'other'), spentMicroUsd: 600 },
  ])
  thread.take(purses, 250)
  slots.grant(funds(1_000, 'other'))
  expect(purses.map((purse) => balances.balanceMicroUsd(purse))).toEqual([9_150, 750])
  expect(slots.review().imbalances).toEqual(new Map())
})
