/** Likeness: the letter filter drops no key within reach of a word; edits and numbers are exact. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  comparedWordOf,
  hasLetters,
  keyLettersOf,
  wordLikeness,
} from '../../../../src/engine/terms/likeness.ts'
import { QueryWord } from '../../../../src/engine/terms/query-word.ts'

const wordOf = (text: string) => comparedWordOf(new QueryWord({ text, terms: [text] }))

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
        expect(hasLetters([word], keyLettersOf(terms))).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ['lacks too many letters of one word', ['rust', 'xyzw'], ['rust', 'python']],
    ['has fewer terms than half of the words', ['rust', 'rust', 'rust'], ['rust']],
  ])('is told apart where it %s', (_, texts, terms) => {
    expect(hasLetters(texts.map(wordOf), keyLettersOf(terms))).toBe(false)
  })
})

describe('a word is like a term', () => {
  it.each([
    ['in the other number', 'people', 'person', 1],
    ['that it begins', 'physi', 'physics', 0.8 + 0.1 * (5 / 7)],
    ['with a slip', 'phisics', 'physics', 0.8 - 1 / 7],
  ])('%s', (_, word, term, likeness) => {
    expect(wordLikeness(wordOf(word), term)).toBeCloseTo(likeness)
  })

  it('not where it is short or has more slips', () => {
    expect(wordLikeness(wordOf('ph'), 'physics')).toBe(0)
    expect(wordLikeness(wordOf('fisics'), 'physics')).toBe(0)
  })
})
