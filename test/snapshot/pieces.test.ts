/** Pieces: what every term leaves in the table, and what edits leave of it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLetters } from '../../src/memory/letters.ts'
import {
  cuts,
  finishHash,
  hashLetters,
  hashPiece,
  letterBits,
  mayBeNear,
  partStart,
  piecesOf,
  termMask,
} from '../../src/snapshot/pieces.ts'
import { lettersOf } from '../../src/text/edits.ts'
import { distance } from '../oracle-search.ts'

function textsOf(terms: readonly string[]) {
  const text = Buffer.from(terms.join(''))
  let end = 0
  const ends = Uint32Array.from(terms, (term) => {
    end += Buffer.byteLength(term)
    return end
  })
  return { text, ends }
}

/** Whether a term stands in the bucket of a piece of some letters. */
function holds(terms: readonly string[], term: number, hash: number): boolean {
  const { starts, terms: values } = piecesOf(textsOf(terms))
  const bucket = hash & (starts.length - 2)
  const mask = termMask(terms.length)
  const pieces = [...values.subarray(starts[bucket], starts[bucket + 1])]
  return pieces.some((piece) => (piece & mask) === term && ((piece ^ hash) & ~mask) === 0)
}

const terms = ['ruse', 'rustacean', 'привет', 'สมชัย', '김민수', 'ab', 'x'.repeat(65)]

describe('the pieces of terms', () => {
  it('are found by their letters, their parts and the length of the term', () => {
    terms.forEach((term, number) => {
      const letters = Uint32Array.from([...term], (letter) => letter.codePointAt(0)!)
      for (const { parts, lettersMin, pieces } of cuts) {
        if (letters.length < lettersMin || letters.length > 64) continue
        for (const piece of pieces) {
          const hash = piece.held.reduce(
            (before, part) => {
              const start = partStart(letters.length, parts, part)
              const end = partStart(letters.length, parts, part + 1)
              return hashLetters(before, letters, start, end)
            },
            hashPiece(letters.length, piece.number),
          )
          expect(holds(terms, number, finishHash(hash))).toBe(true)
        }
      }
    })
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

  it('are two or eight of each term, and none of one that is very short or very long', () => {
    expect(piecesOf(textsOf(['ab', 'x'.repeat(65)])).terms.length).toBe(0)
    expect(piecesOf(textsOf(['abc', 'abcdefg'])).terms.length).toBe(10)
  })
})

describe('words whose letters cannot be so many edits apart', () => {
  it('are told, and none that are so near', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcdяж王'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const [a, b] = [lettersOf(one), lettersOf(other)]
        const edits = distance([...one], [...other])
        const bits = [letterBits(a, a.length), letterBits(b, b.length)] as const
        expect(mayBeNear(...bits, edits)).toBe(true)
      }),
      { numRuns: 1000 },
    )
    const bitsOf = (text: string) => letterBits(lettersOf(text), text.length)
    expect(mayBeNear(bitsOf('abcd'), bitsOf('abef'), 2)).toBe(true)
    expect(mayBeNear(bitsOf('abcd'), bitsOf('abef'), 1)).toBe(false)
    expect(mayBeNear(bitsOf('abcd'), bitsOf('ab'), 1)).toBe(false)
  })

  it('are not told by letters behind those that count', () => {
    expect(letterBits(lettersOf('abcd'), 2)).toBe(letterBits(lettersOf('ab'), 2))
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
