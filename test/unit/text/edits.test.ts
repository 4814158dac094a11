/** Edits between words against the definition, on all prefixes. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editsBetween, lettersOf } from '../../../src/text/edits.ts'
import { distance } from '../../support/oracle-search.ts'

/** Words of few letters, some outside the basic plane, so that many are near to each other. */
const word = fc.string({ unit: fc.constantFrom('a', 'b', 'я', '𠮷'), maxLength: 9 })

it('are those of the definition up to the most that are asked for, and one more than that beyond', () => {
  fc.assert(
    fc.property(word, word, word, fc.integer({ min: 0, max: 4 }), (a, b, behind, most) => {
      const count = lettersOf(b).length
      const edits = editsBetween(lettersOf(a), lettersOf(b + behind), most, count)
      expect(edits).toBe(Math.min(distance([...a], [...b]), most + 1))
    }),
    { numRuns: 3000 },
  )
})
