/** Interners: numbers of texts, whatever room there was for them. */
import { describe, expect, it } from 'vitest'
import { Interner } from '../../../src/memory/interner.ts'

/** Of one byte to a hundred, with letters of several bytes. */
const texts = Array.from({ length: 5_000 }, (_, index) => `${index}${'é'.repeat(index % 48)}`)

function internedBy(interner: Interner): number[] {
  return texts.map((text) => interner.intern(text))
}

describe('an interner', () => {
  it.each([
    ['nothing', 0],
    ['less than it gets', 700],
    ['all that it gets', texts.length],
  ])('with room for %s gives the same numbers and the same table', (_, count) => {
    const [plain, roomy] = [new Interner(), new Interner()]
    for (const text of texts.slice(0, 100)) for (const each of [plain, roomy]) each.intern(text)
    const expected = new Interner()
    for (const text of texts.slice(0, count)) expected.intern(text)
    roomy.reserve(expected.textsFrom(0))
    const numbers = internedBy(plain)
    expect(internedBy(roomy)).toEqual(numbers)
    expect(internedBy(roomy)).toEqual(texts.map((_, index) => index))
    expect(roomy.table()).toEqual(plain.table())
    expect(roomy.textAt(4_999)).toBe(texts[4_999])
  })
})
