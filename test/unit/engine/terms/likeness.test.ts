/** The letter filter drops no key within reach of a word. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  comparedWordOf,
  hasLetters,
  keyOf,
  wordLikeness,
} from '../../../../src/engine/terms/likeness.ts'
import { searchOver } from '../searched.ts'

const { search } = searchOver([])
const wordOf = (text: string) => comparedWordOf(search.words.wordOf(text))

/** Words that are often alike, some of them in another number. */
const words = fc
  .tuple(
    fc.string({ unit: fc.constantFrom('a', 'e', 'я'), minLength: 1, maxLength: 8 }),
    fc.constantFrom('', 's', 'es', 'ie', 'women', 'man', 'people', 'person'),
  )
  .map((parts) => parts.join(''))

describe('a key', () => {
  it('has the letters of every word that one of its terms is like', () => {
    fc.assert(
      fc.property(words, fc.array(words, { minLength: 1, maxLength: 2 }), (text, terms) => {
        const word = wordOf(text)
        fc.pre(terms.some((term) => wordLikeness(word, term) > 0))
        expect(hasLetters([word], keyOf(terms))).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })
})
