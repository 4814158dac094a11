/** Edits between words against the definition, on all prefixes. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editsBetween, lettersOf } from '../../../src/text/edits.ts'
import { distance } from '../../support/oracle-search.ts'

/** Words of few letters, some outside the basic plane, so that many are near to each other. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'я', '𠮷'), maxLength: 9 })

describe('the edits between two words', () => {
  it('are those of the definition up to the most that are asked for, and one more than that beyond', () => {
    fc.assert(
      fc.property(word, word, fc.integer({ min: 0, max: 4 }), (a, b, most) => {
        const edits = editsBetween(lettersOf(a), lettersOf(b), most)
        expect(edits).toBe(Math.min(distance([...a], [...b]), most + 1))
      }),
      { numRuns: 3000 },
    )
  })

  it('are counted without what stands behind the letters of the other', () => {
    fc.assert(
      fc.property(word, word, word, (a, b, behind) => {
        const letters = lettersOf(b + behind)
        const edits = editsBetween(lettersOf(a), letters, 2, lettersOf(b).length)
        expect(edits).toBe(editsBetween(lettersOf(a), lettersOf(b), 2))
      }),
      { numRuns: 3000 },
    )
  })
})
