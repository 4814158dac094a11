/** The one analyzer: what it folds together, what it keeps apart, and scripts without spaces. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf, topicKey, wordsOf, wordTextsOf } from '../../../src/text/analyzer.ts'

describe('the key of a topic', () => {
  it('is one for all spellings', () => {
    const spellings = ['Économie politique', 'economie-politique', ' ÉCONOMIE   POLITIQUE! ']
    expect(new Set(spellings.map(topicKey))).toEqual(new Set(['economie politique']))
  })

  it('is read back as the terms that it is made of', () => {
    const scripts = fc.constantFrom(
      ..."aAéßÆø$!\u00ad\u200dİıſΣςйЙőŁ李あガ한ไเاىیشِשׂהिंक्ष#+'’- .1²½ﬁ".match(/./gu)!,
    )
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: scripts }))
    fc.assert(
      fc.property(text, (given) => {
        const key = topicKey(given)
        expect(termsOf(key)).toEqual(key === '' ? [] : key.split(' '))
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('the words of a text', () => {
  it('are made of its terms', () => {
    const scripts = fc.constantFrom(..."aAéßÆıİςйŁ李あ々ガ。ー한ไเاىשׂह्ि#+'’- .1²ﬁ".match(/./gu)!)
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: scripts }))
    fc.assert(
      fc.property(text, (given) => {
        const words = wordsOf(given)
        const terms = words.flatMap((word) => word.terms)
        expect(wordTextsOf(given)).toEqual(words.map((word) => word.text))
        expect(terms.filter((term, index) => term !== terms[index - 1])).toEqual(termsOf(given))
      }),
      { numRuns: 5_000 },
    )
  })
})
