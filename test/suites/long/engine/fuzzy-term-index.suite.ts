/** The dictionary against comparing a word with every term of the vocabulary. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Postings } from '../../../../src/engine/postings/postings.ts'
import { FuzzyTermIndex } from '../../../../src/engine/terms/fuzzy-term-index.ts'
import { jamoOf } from '../../../../src/text/hangul.ts'
import { snapshotOf } from '../../../support/built.ts'
import { distance } from '../../../support/oracle-search.ts'
import { authority } from '../../../support/records.ts'

/** @param names of those who have no bio. */
function dictionaryOf(bios: readonly string[], names: readonly string[] = []) {
  const people = [...bios.map((bio) => ({ name: 'x', bio })), ...names.map((name) => ({ name }))]
  const authorities = people.map((each, index) => authority({ sdu: String(index + 1), ...each }))
  const { header, sections } = snapshotOf({ authorities })
  const postings = new Postings(sections, header.counts)
  const dictionary = new FuzzyTermIndex(sections, postings)
  const terms = Array.from({ length: header.counts.terms }, (_, term) => postings.textOf(term))
  const sizeOf = (term: string) => postings.size('word', postings.numberOf(term))
  const near = (word: string, edits: 1 | 2) =>
    dictionary.near(word, edits).map((term) => postings.textOf(term))
  return { near, terms, sizeOf }
}

/** Words of few letters, so that many are near to each other. */
const word = fc.oneof(
  fc.string({ unit: fc.constantFrom(...'abc'), minLength: 2, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'яжщ'), minLength: 2, maxLength: 10 }),
)
/** A word, and what becomes of it with some slips. */
const slips = fc.tuple(word, fc.array(fc.tuple(fc.nat(3), fc.nat(11), fc.constantFrom(...'abcя'))))

function slipped([text, edits]: [string, [number, number, string][]]): string {
  const letters = [...text]
  for (const [kind, place, letter] of edits.slice(0, 2)) {
    const at = place % letters.length
    if (kind === 0 && letters.length > 1) letters.splice(at, 1)
    else if (kind === 1) letters.splice(at, 0, letter)
    else if (kind === 2) letters[at] = letter
    else letters.splice(at, 2, ...letters.slice(at, at + 2).reverse())
  }
  return letters.join('')
}

describe('the terms near to a word', () => {
  it('are all that so many edits make of it, the commonest first, from three letters for each edit', () => {
    const library = fc.array(fc.array(slips, { maxLength: 8 }), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(library, slips, (people, asked) => {
        const bios = people.map((each) =>
          each
            .map(([text]) => text)
            .concat(asked[0])
            .join(' '),
        )
        const { near, terms, sizeOf } = dictionaryOf(bios)
        const text = slipped(asked)
        for (const edits of [1, 2] as const) {
          const expected = terms
            .filter((term) => distance([...text], [...term]) === edits)
            .sort((a, b) => sizeOf(b) - sizeOf(a))
          // Shorter ones are found or not; nobody asks for them.
          const isLong = (term: string) => [...term].length >= edits * 3
          expect(near(text, edits).filter(isLong)).toEqual(expected.filter(isLong))
          expect(expected).toEqual(expect.arrayContaining(near(text, edits)))
        }
      }),
      { numRuns: 250 },
    )
  })

  it('are in Hangul those with another syllable or jamo, the nearest by jamo first', () => {
    const syllable = fc.constantFrom(...'김민준서박은바근이')
    const name = fc.array(syllable, { minLength: 2, maxLength: 4 }).map((each) => each.join(''))
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 40 }), name, (names, asked) => {
        const { near, terms } = dictionaryOf([], names)
        const jamo = (text: string) =>
          jamoOf(Uint32Array.from([...text], (letter) => letter.codePointAt(0)!))!
        const byJamo = (term: string) =>
          distance(Array.from(jamo(asked), String), Array.from(jamo(term), String))
        const isNear = (term: string) => distance([...asked], [...term]) === 1 || byJamo(term) <= 1
        const hangul = terms.filter((term) => /^[가-힣]{2,}$/.test(term))
        const expected = hangul.filter((term) => term !== asked && isNear(term))
        // Of two syllables none can be another one: too little would be left of the name.
        const isSure = (term: string) => term.length > 2 || byJamo(term) <= 1
        const found = near(asked, 1)
        expect(expected).toEqual(expect.arrayContaining(found))
        expect(found).toEqual(expect.arrayContaining(expected.filter(isSure)))
        const distances = found.map((term) => Math.min(4, Math.max(1, byJamo(term))))
        expect(distances).toEqual(distances.toSorted())
      }),
      { numRuns: 120 },
    )
  })

  it('are none of a word that is longer than any that is compared', () => {
    const { near } = dictionaryOf(['x'.repeat(64)])
    expect(near('x'.repeat(63), 1)).toEqual(['x'.repeat(64)])
    expect(near('x'.repeat(65), 1)).toEqual([])
  })
})
