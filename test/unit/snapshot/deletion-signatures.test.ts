/** Pieces: what every term leaves in the table, and what edits leave of it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLetters } from '../../../src/memory/letters.ts'
import { mixHash } from '../../../src/memory/text-table.ts'
import {
  cuts,
  hashLetters,
  hashPiece,
  hashRest,
  hashWithout,
  letterBits,
  mayBeNear,
  partStart,
  piecesOf,
  shortTerm,
  termMask,
} from '../../../src/snapshot/deletion-signatures.ts'
import { lettersOf } from '../../../src/text/edits.ts'
import { jamoOf } from '../../../src/text/hangul.ts'
import { distance } from '../../support/oracle-search.ts'

function textsOf(terms: readonly string[]) {
  const text = Buffer.from(terms.join(''))
  let end = 0
  const ends = Uint32Array.from(terms, (term) => {
    end += Buffer.byteLength(term)
    return end
  })
  return { text, ends }
}

function holds(terms: readonly string[], term: number, hash: number): boolean {
  const { starts, terms: values } = piecesOf(textsOf(terms))
  const bucket = hash & (starts.length - 2)
  const mask = termMask(terms.length)
  const pieces = [...values.subarray(starts[bucket], starts[bucket + 1])]
  return pieces.some((piece) => (piece & mask) === term && ((piece ^ hash) & ~mask) === 0)
}

const terms = ['ruse', 'rustacean', 'привет', 'สมชัย', '김민수', 'ab', 'x'.repeat(65)]

/** The hashes of all pieces that some letters leave, by the definition. */
function hashesOf(letters: Uint32Array): number[] {
  const count = letters.length
  if (count < shortTerm.lettersMin || count > 64) return []
  if (count <= shortTerm.lettersMax) {
    return Array.from(letters, (_, without) => hashWithout(letters, without))
  }
  return cuts.flatMap(({ parts, pieces }) =>
    pieces.map(({ number, held }) => {
      const hash = held.reduce(
        (before, part) => {
          const end = partStart(count, parts, part + 1)
          return hashLetters(before, letters, partStart(count, parts, part), end)
        },
        hashPiece(count, number),
      )
      return mixHash(hash)
    }),
  )
}

describe('the pieces of terms', () => {
  it('are found by their letters, their parts and the length of the term, in jamo too', () => {
    terms.forEach((term, number) => {
      const letters = lettersOf(term)
      for (const spelled of [letters, jamoOf(letters) ?? letters]) {
        for (const hash of hashesOf(spelled)) expect(holds(terms, number, hash)).toBe(true)
      }
    })
  })

  it('of a short term are known by what is left of it, and from which place', () => {
    const hash = hashWithout(lettersOf('ruse'), 1)
    expect(hashRest(lettersOf('rse'), 1)).toBe(hash)
    expect(hashWithout(lettersOf('rase'), 1)).toBe(hash)
    expect(hashRest(lettersOf('rse'), 2)).not.toBe(hash)
  })

  it('hold every choice of half of the parts, and each has a number of its own', () => {
    for (const { parts, pieces } of cuts) {
      const choices = pieces.map(({ held }) => held.join())
      expect(new Set(choices).size).toBe(choices.length)
      expect(pieces.every(({ held }) => held.length * 2 === parts)).toBe(true)
    }
    expect(cuts.map(({ pieces }) => pieces.length)).toEqual([2, 6])
    const numbers = cuts.flatMap(({ pieces }) => pieces.map(({ number }) => number))
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('are as many as short letters, eight of a longer term, none where it is very short or long', () => {
    expect(piecesOf(textsOf(['ab', 'x'.repeat(65)])).terms.length).toBe(0)
    expect(piecesOf(textsOf(['abc', 'abcde', 'abcdefg'])).terms.length).toBe(3 + 5 + 8)
    expect(piecesOf(textsOf(['김민준'])).terms.length).toBe(3 + 8)
  })
})

describe('words whose letters cannot be so many edits apart', () => {
  it('are told, and none that are so near', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdяж王'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const [a, b] = [lettersOf(one), lettersOf(other)]
        const edits = distance([...one], [...other])
        const bits = [letterBits(a), letterBits(b)] as const
        expect(mayBeNear(...bits, edits)).toBe(true)
      }),
      { numRuns: 1000 },
    )
    const bitsOf = (text: string) => letterBits(lettersOf(text))
    expect(mayBeNear(bitsOf('abcd'), bitsOf('abef'), 2)).toBe(true)
    expect(mayBeNear(bitsOf('abcd'), bitsOf('abef'), 1)).toBe(false)
    expect(mayBeNear(bitsOf('abcd'), bitsOf('ab'), 1)).toBe(false)
  })
})

describe('letters', () => {
  it('are the code points of a text, unless there are too many', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(3), (text, before) => {
        const bytes = Buffer.from('_'.repeat(before) + text)
        const expected = [...text].map((letter) => letter.codePointAt(0)!)
        const letters = new Uint32Array(expected.length)
        expect(readLetters(bytes, before, bytes.length, letters)).toBe(expected.length)
        expect([...letters]).toEqual(expected)
        if (expected.length === 0) return
        const few = letters.subarray(1)
        expect(readLetters(bytes, before, bytes.length, few)).toBe(-1)
      }),
    )
  })
})
