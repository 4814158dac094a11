/** One spelling for singular and plural, and the forms that share it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formsOf, numberless, phraseKey } from '../../../src/text/number.ts'

describe('singular and plural', () => {
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
