/** The terms near a word: each once, and the best first, as a sort of all of them gives them. */
import { describe, expect, it } from 'vitest'
import type { Postings } from '../../../../src/engine/postings/postings.ts'
import { NearTerms } from '../../../../src/engine/terms/near-terms.ts'
import { Random } from '../../../support/random.ts'

describe('the terms near a word', () => {
  it('come by distance, then by people, then by number, with each term once and none that was taken away', () => {
    const random = new Random(5, 1)
    const near = new NearTerms()
    for (let round = 0; round < 200; round += 1) {
      near.clear()
      const distances = new Map<number, number>()
      const sizes = Array.from({ length: 40 }, () => random.below(4))
      const postings = { size: (_: string, term: number) => sizes[term]! } as unknown as Postings
      for (let step = random.below(80); step > 0; step -= 1) {
        const term = random.below(40)
        if (random.chance(0.2)) {
          near.delete(term)
          distances.delete(term)
          continue
        }
        const distance = random.below(3)
        near.set(term, distance)
        distances.set(term, distance)
      }
      const sorted = [...distances.keys()].sort(
        (a, b) => distances.get(a)! - distances.get(b)! || sizes[b]! - sizes[a]! || a - b,
      )
      expect(near.count).toBe(sorted.length)
      expect(near.all()).toEqual(sorted.toSorted((a, b) => a - b))
      const most = random.below(12)
      expect(near.best(postings, most)).toEqual(sorted.slice(0, most))
    }
  })
})
