/** The live balances: exact under races of real threads, and never below zero. */
import { describe, expect, test } from 'vitest'
import {
  Balances,
  createSharedBalances,
  purseCells,
  ThreadBalances,
} from '../../../../src/ledger/live/balances.ts'
import { recordedIn } from '../../../support/ledger-fixture.ts'
import { Random } from '../../../support/random.ts'
import { race } from './race.ts'

const only = { seed: 1, keys: [{ line: 0, purses: [0] }], releasesOfTen: 0 }

/** What threads have taken of a purse and not released. */
function takenIn(balances: Balances, slot: number): number {
  return balances.purseCell(slot, purseCells.taken)
}

test('a clock with fractions of milliseconds says how far commits are behind', () => {
  const shared = createSharedBalances(1)
  const thread = new ThreadBalances(shared, 0)
  new Balances(shared).setSellUntil(3_000.25)
  const isStopped = [1_000.5, 3_000.25, 3_000.75].map((nowMs) => {
    thread.lookAtCommits(nowMs)
    return thread.isUnavailable()
  })
  expect(isStopped).toEqual([false, false, true])
})

describe('a balance', () => {
  test('takes no fraction, and no sum that a double does not hold exactly', () => {
    const balances = new Balances(createSharedBalances(1))
    balances.credit(0, 2 ** 53 - 10)
    for (const [purse, amount] of [
      [0, 10],
      [0, 0.5],
      [1, Number.NaN],
      [1, -(2 ** 53)],
    ] as const) {
      expect(() => balances.credit(purse, amount)).toThrow(RangeError)
    }
    expect(() => balances.credit(-1, 1)).toThrow(RangeError)
    expect([0, 1].map((purse) => balances.balanceMicroUsd(purse))).toEqual([2 ** 53 - 10, 0])
    balances.credit(1, -7)
    expect([balances.balanceMicroUsd(1), balances.withdraw(1, 5)]).toEqual([-7, 0])
  })

  test('of exactly 500 queries serves exactly 500 of 4,000 racing requests', async () => {
    const shared = createSharedBalances(4)
    const balances = new Balances(shared)
    balances.credit(0, 500 * 1_000)
    const racer = { ...only, attempts: 1_000, costs: [1_000] }
    const finished = await race(shared, [racer, racer, racer, racer])
    expect(finished.map(({ negative }) => negative)).toEqual([0, 0, 0, 0])
    expect(balances.balanceMicroUsd(0)).toBe(0)
    expect(recordedIn(balances, 0)).toEqual({ search: 500_000 })
    expect(takenIn(balances, 0)).toBe(500_000)
  })

  test('never refuses a cheap request because a dear one was refused at the same time', async () => {
    const shared = createSharedBalances(4)
    const balances = new Balances(shared)
    balances.credit(0, 300_000 * 10)
    const cheap = { ...only, attempts: 300_000, costs: [10] }
    const dear = { ...only, attempts: Number.POSITIVE_INFINITY, costs: [3_000_001] }
    const [served, refused] = await race(shared, [cheap, dear])
    expect(served).toEqual({ soldMicroUsd: [3_000_000], negative: 0, refused: 0 })
    expect(refused).toMatchObject({ soldMicroUsd: [0], negative: 0 })
    expect(balances.balanceMicroUsd(0)).toBe(0)
  })
})

test.each([1, 2, 3])(
  'balances that several threads reserve, release and sell from while others fill and empty them add up (seed %i)',
  async (seed) => {
    const shared = createSharedBalances(3)
    const balances = new Balances(shared)
    const random = new Random(seed, 100)
    const purses = [0, 1, 65_535]
    // Beyond 32 bits and up to amounts that a double just holds, so that no half of a number is lost.
    const costs = [1, 999, 1_000_003, 2 ** 31 + 1, 5_000_000_000]
    const inside = purses.map(() => 0)
    const fillOrEmpty = () => {
      for (const [index, purse] of purses.entries()) {
        const amountMicroUsd = random.below(2 ** 31) * 2_000
        if (random.below(2) === 0) {
          balances.credit(purse, amountMicroUsd)
          inside[index]! += amountMicroUsd
        } else inside[index]! -= balances.withdraw(purse, amountMicroUsd)
      }
    }
    for (let round = 0; round < 5; round += 1) fillOrEmpty()
    const keys = purses.map((purse) => ({ line: purse, purses: [purse] }))
    const racer = { attempts: 30_000, seed, keys, costs, releasesOfTen: 4 }
    const finished = await race(shared, [racer, racer, racer], fillOrEmpty)
    expect(finished.map(({ negative }) => negative)).toEqual([0, 0, 0])
    for (const [index, purse] of purses.entries()) {
      const sold = finished.reduce((sum, { soldMicroUsd }) => sum + soldMicroUsd[index]!, 0)
      expect(sold).toBeGreaterThan(0)
      expect(balances.balanceMicroUsd(purse) + sold).toBe(inside[index])
      expect(takenIn(balances, purse)).toBe(sold)
      expect(recordedIn(balances, purse)).toEqual({ search: sold })
    }
  },
)
