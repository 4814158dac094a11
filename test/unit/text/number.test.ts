/** One spelling for singular and plural, and the forms that share it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formsOf, numberless, phraseKey } from '../../../src/text/number.ts'

describe('singular and plural', () => {
  it.each([
    ['senator', 'senators'],
    ['city', 'cities'],
    ['movie', 'movies'],
    ['house', 'houses'],
    ['nurse', 'nurses'],
    ['database', 'databases'],
    ['church', 'churches'],
    ['cache', 'caches'],
    ['box', 'boxes'],
    ['hero', 'heroes'],
    ['class', 'classes'],
    ['virus', 'viruses'],
    ['law', 'laws'],
    ['woman', 'women'],
    ['man', 'men'],
    ['chairman', 'chairmen'],
    ['person', 'people'],
    ['salesperson', 'salespeople'],
    ['child', 'children'],
    ['midwife', 'midwives'],
  ])('%s and %s have one spelling, and each is a form of the other', (one, many) => {
    expect(numberless(one)).toBe(numberless(many))
    expect(formsOf(one)).toContain(many)
    expect(formsOf(many)).toContain(one)
  })

  it.each([
    ['new', 'news'],
    ['bus', 'bu'],
    ['rose', 'ros'],
    ['as', 'a'],
    ['c', 'cs'],
    ['министр', 'министры'],
  ])('%s and %s are two words', (one, other) => {
    expect(numberless(one)).not.toBe(numberless(other))
  })

  it('leave the word first among its forms, which all have its spelling, each once', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcehiosxyn') })
    fc.assert(
      fc.property(word, (term) => {
        const forms = formsOf(term)
        expect(forms[0]).toBe(term)
        expect(new Set(forms).size).toBe(forms.length)
        expect(new Set(forms.map(numberless))).toEqual(new Set([numberless(term)]))
      }),
    )
  })
})

describe('the key of a phrase', () => {
  it('knows no spaces and no number', () => {
    expect(phraseKey(['xamarin', 'forms'])).toBe(phraseKey(['xamarinform']))
    expect(phraseKey(['united', 'states'])).toBe('unitedstate')
  })
})
