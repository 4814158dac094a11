/** The one analyzer: what it folds together, what it keeps apart, and scripts without spaces. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf, topicKey, wordsOf, wordTextsOf } from '../../../src/text/analyzer.ts'

describe('the terms of a text', () => {
  it.each([
    ['Machine Learning', ['machine', 'learning']],
    ['  machine-learning,  ', ['machine', 'learning']],
    ['José Núñez', ['jose', 'nunez']],
    ['Jose\u0301', ['jose']],
    ['Ｒｕｓｔ', ['rust']],
    ['C#', ['csharp']],
    ['C++', ['cplusplus']],
    ['F# and C++ 20', ['fsharp', 'and', 'cplusplus', '20']],
    ['#rust', ['rust']],
    ['a+b', ['a', 'b']],
    ['.NET', ['net']],
    ['P!nk, Ke$ha & A$AP', ['pink', 'kesha', 'asap']],
    ['Rock! $5 US$5 n!', ['rock', '5', 'us', '5', 'n']],
    ['Or\u00addi\u200bnary \u202eword\u202c\ufeff', ['ordinary', 'word']],
    ['Ma\u2060ri\u034fa\ufe0f', ['maria']],
    ["O'Brien", ['obrien']],
    ['O’Brien', ['obrien']],
    ["'quoted'", ['quoted']],
    ['Straße Łódź Øresund', ['strasse', 'lodz', 'oresund']],
    ['Привет Мир', ['привет', 'мир']],
    ['Ελλάς ΕΛΛΑΣ', ['ελλασ']],
    ['שָׁלוֹם', ['שלום']],
    ['مُحَمَّد', ['محمد']],
    ['李明', ['李', '明']],
    ['東京 politics', ['東', '京', 'politics']],
    ['ひらがな', ['ひ', 'ら', 'が', 'な']],
    ['한국', ['한', '국']],
    ['GPT4 4K', ['gpt4', '4k']],
    ['', []],
    ['?! — …', []],
    ['+', []],
    ['😀', []],
  ])('of %j are %j', (text, terms) => {
    expect(termsOf(text)).toEqual(terms)
  })

  it('keep the marks of Thai and Devanagari, which are letters of a word', () => {
    expect(termsOf('สวัสดี').join('')).toBe('สวัสดี')
    expect(termsOf('हिन्दी')).toEqual(['हिन्दी'])
  })
})

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
  it.each([
    ['José Núñez', ['jose', 'nunez']],
    ['東京 politics', ['東京', 'politics']],
    ['GPT東京4', ['gpt', '東京', '4']],
    ["O'Brien, 李明!", ['obrien', '李明']],
    ['สมชัย ใจดี', ['สมชัย', 'ใจดี']],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text).map((word) => word.text)).toEqual(words)
    expect(wordTextsOf(text)).toEqual(words)
  })

  it('are made of its terms', () => {
    const scripts = fc.constantFrom(..."aAéßÆıİςйŁ李あ々ガ。ー한ไเاىשׂह्ि#+'’- .1²ﬁ".match(/./gu)!)
    const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: scripts }))
    fc.assert(
      fc.property(text, (given) => {
        const terms = wordsOf(given).flatMap((word) => word.terms)
        expect(terms.filter((term, index) => term !== terms[index - 1])).toEqual(termsOf(given))
      }),
      { numRuns: 5_000 },
    )
  })
})
