import { describe, expect, it } from 'vitest'
import type { Pair } from '../../../src/sync/changes/pair.ts'
import { stabilityOf } from '../../../src/sync/changes/stability.ts'
import { Random } from '../../support/random.ts'

/** Two snapshots with one topic: its members before are 0, 1, 2 …, and an order next. */
function pairOf(next: Uint32Array): Pair {
  const same = Int32Array.from(next, (_, ordinal) => ordinal)
  const snapshotOf = (members: Uint32Array) => ({
    header: { counts: { topics: 1 } },
    sections: {
      'topic.member-starts': Uint32Array.of(0, members.length),
      'topic.members': members,
    },
  })
  // All that is read of snapshots.
  return {
    before: snapshotOf(Uint32Array.from(same)),
    next: snapshotOf(next),
    successors: same,
    predecessors: same,
    stayed: next.length,
    topicSuccessors: Int32Array.of(0),
  } as unknown as Pair
}

function exchangedOf(order: Uint32Array): number {
  let exchanged = 0
  for (let one = 0; one < order.length; one += 1) {
    for (let other = one + 1; other < order.length; other += 1) {
      if (order[one]! > order[other]!) exchanged += 1
    }
  }
  return exchanged / ((order.length * (order.length - 1)) / 2)
}

describe('pairs exchanged', () => {
  it('are those that counting every pair finds, whether little or much of an order is another', () => {
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = new Random(seed, 5)
      const order = Uint32Array.from({ length: random.between(20, 70) }, (_, index) => index)
      for (let swaps = random.below(seed); swaps > 0; swaps -= 1) {
        const [one, other] = [random.below(order.length), random.below(order.length)]
        const held = order[one]!
        order[one] = order[other]!
        order[other] = held
      }
      const { mean } = stabilityOf(pairOf(order)).kendallTau
      expect((1 - mean!) / 2, `seed ${seed}`).toBeCloseTo(exchangedOf(order), 4)
    }
  })
})
