/** Pieces: what every term leaves in the table, and what edits leave of it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLetters } from '../../src/memory/letters.ts'
import { cuts, hashPiece, partStart, piecesOf, termMask } from '../../src/snapshot/pieces.ts'

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
  it('are found by their letters, their part and the length of the term', () => {
    terms.forEach((term, number) => {
      const letters = Uint32Array.from([...term], (letter) => letter.codePointAt(0)!)
      for (const { parts, lettersMin } of cuts) {
        if (letters.length < lettersMin || letters.length > 64) continue
        for (let part = 0; part < parts; part += 1) {
          const start = partStart(letters.length, parts, part)
          const end = partStart(letters.length, parts, part + 1)
          const hash = hashPiece(letters, start, end, letters.length, parts, part)
          expect(holds(terms, number, hash)).toBe(true)
        }
      }
    })
  })

  it('are two or five of each term, and none of one that is very short or very long', () => {
    expect(piecesOf(textsOf(['ab', 'x'.repeat(65)])).terms.length).toBe(0)
    expect(piecesOf(textsOf(['abc', 'abcdefg'])).terms.length).toBe(7)
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
