/** Which names hide something, mix scripts, or look like others. */
import fc from 'fast-check'
import unhomoglyph from 'unhomoglyph'
import { describe, expect, it } from 'vitest'
import { confusables } from '../../../../src/text/related/confusables.made.ts'
import {
  isMixedName,
  openName,
  plainLettersOf,
  skeletonOf,
} from '../../../../src/text/related/lookalikes.ts'
import { codePoint } from '../../../support/code-points.ts'

describe('a name', () => {
  it('may hold letters of any script, and what their writing needs', () => {
    const names = [
      'Ann O’Neil-Ünal',
      '王小明',
      '葛\u{e0100}城',
      'علی\u200cرضا',
      'क्\u200dष',
      'José Нагорный',
    ]
    expect(names.map(openName)).toEqual(names)
  })

  it('mixes scripts only where one word has letters of two that look alike', () => {
    expect(['Tеd Cruz', 'Αnn', 'Pаul'].map(isMixedName)).toEqual([true, true, true])
    expect(['Ted Круз', '王 Xiaoming', 'Kimさん', 'Ted Cruz', 'Œuvre Ünal'].some(isMixedName)).toBe(
      false,
    )
  })
})

describe('a skeleton', () => {
  it('is one for names that look the same, in letters that are others', () => {
    for (const twin of ['Тed Cruz', 'Ted Сruz', '𝐓ed Cruz', 'Ted  Cruz.']) {
      expect(skeletonOf(twin)).toBe(skeletonOf('Ted Cruz'))
    }
    expect(plainLettersOf('Тed Cruz')).not.toBe(plainLettersOf('Ted Cruz'))
    expect(plainLettersOf('ted o’cruz')).toBe(plainLettersOf("Ted O'Cruz"))
  })

  it('is another for names that can be told apart', () => {
    expect(new Set(['Ted Cruz', 'Tod Cruz', 'José', 'Jose'].map(skeletonOf)).size).toBe(4)
  })

  it('writes confusable characters as the package does that the table is of', () => {
    const character = fc.oneof(
      fc.constantFrom(...Object.keys(confusables())),
      fc.string({ unit: codePoint, minLength: 1, maxLength: 1 }),
    )
    const names = fc.array(character, { maxLength: 9 }).map((some) => some.join(''))
    fc.assert(
      fc.property(names, (name) => {
        const written = unhomoglyph(name.normalize('NFD')).normalize('NFD')
        const plain = written.toLowerCase().replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
        expect(skeletonOf(name.normalize('NFD'))).toBe(plain.trim())
      }),
    )
  })
})
