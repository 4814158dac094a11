/**
 * The dictionary: the terms that are near to a word nobody has. A term with one edit has one of its
 * halves as it was, one with two has two of its quarters (`src/snapshot/pieces.ts`), but for neighbours
 * that changed places across a cut: those are looked for with the neighbours put back.
 */
import { readLetters } from '../../memory/letters.ts'
import {
  cuts,
  finishHash,
  hashLetters,
  hashPiece,
  letterBits,
  mayBeNear,
  type Pieces,
  partStart,
  pieceLettersMax,
  termMask,
} from '../../snapshot/pieces.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { editsBetween, lettersOf } from '../../text/edits.ts'
import type { Postings } from './postings.ts'

/** How many edits a word of so many letters may have suffered. */
export function editsOf(letters: number): number {
  return letters < 4 ? 0 : letters < 8 ? 1 : 2
}

/** Terms that are compared with a word, at most: bounds the work of one that is like a great many. */
const comparedMax = 4_000

/** Terms near to a word, at most: the commonest. */
const nearMax = 64

/** Words of which what was found is kept. */
const keptMax = 8

/** What a word is compared with while terms near to it are looked for. */
interface Quest {
  readonly letters: Uint32Array
  /** Which letters they are. */
  readonly bits: number
  readonly edits: number
  readonly found: Set<number>
  /** How many terms may still be compared. */
  left: number
}

export class Dictionary {
  readonly #postings: Postings
  readonly #pieces: Pieces
  readonly #mask: number
  /** What was found for the last words: one query asks for a word more than once. */
  readonly #found = new Map<string, readonly number[]>()
  readonly #room = new Uint32Array(pieceLettersMax)

  constructor(sections: Sections, postings: Postings) {
    this.#postings = postings
    this.#pieces = {
      starts: sections['piece.starts'],
      terms: sections['piece.terms'],
      letters: sections['piece.letters'],
    }
    this.#mask = termMask(sections['term.ends'].length)
  }

  /**
   * The terms that are so many edits from a word, no more and no fewer: those that most people hold,
   * the commonest first, of equals the first in alphabetical order.
   * @param edits 1 or 2.
   */
  near(word: string, edits: 1 | 2): readonly number[] {
    const asked = `${edits}${word}`
    const known = this.#found.get(asked)
    if (known !== undefined) return known
    if (this.#found.size === keptMax) this.#found.clear()
    const found = this.#find(word, edits)
    this.#found.set(asked, found)
    return found
  }

  #find(word: string, edits: 1 | 2): readonly number[] {
    const letters = lettersOf(word)
    if (letters.length > pieceLettersMax) return []
    const bits = letterBits(letters, letters.length)
    const quest = { letters, bits, edits, found: new Set<number>(), left: comparedMax }
    this.#seek(quest, letters, edits)
    const sizeOf = (term: number) => this.#postings.size('word', term)
    return [...quest.found].sort((a, b) => sizeOf(b) - sizeOf(a) || a - b).slice(0, nearMax)
  }

  /** Looks for terms that some letters become with so many edits. */
  #seek(quest: Quest, letters: Uint32Array, edits: number): void {
    if (edits === 0) {
      this.#compareExact(quest, letters)
      return
    }
    const { parts, lettersMin, pieces } = cuts[edits - 1]!
    const shortest = Math.max(lettersMin, letters.length - edits)
    for (let count = shortest; count <= letters.length + edits; count += 1) {
      for (const { number, held } of pieces) {
        const piece = { letters, count, parts, held }
        this.#seekPiece(quest, piece, hashPiece(count, number), 0, 0, edits)
      }
    }
    this.#seekExchanged(quest, letters, edits)
  }

  /**
   * Each part of a piece stands where it does in the term, moved by the letters that are too many
   * before it: by `moved` up to the part at `index`, and from there on with as many edits as are left.
   */
  #seekPiece(
    quest: Quest,
    piece: Piece,
    hash: number,
    index: number,
    moved: number,
    left: number,
  ): void {
    const { letters, count, parts, held } = piece
    const surplus = letters.length - count
    const part = held[index]
    if (part === undefined) {
      this.#compareBucket(quest, finishHash(hash))
      return
    }
    const start = partStart(count, parts, part)
    const end = partStart(count, parts, part + 1)
    for (let by = -left; by <= left; by += 1) {
      const place = moved + by
      const rest = left - Math.abs(by)
      if (Math.abs(surplus - place) > rest) continue
      if (part === 0 && place !== 0) continue
      if (part === parts - 1 && place !== surplus) continue
      if (start + place < 0 || end + place > letters.length) continue
      const longer = hashLetters(hash, letters, start + place, end + place)
      this.#seekPiece(quest, piece, longer, index + 1, place, rest)
    }
  }

  /**
   * The same with two neighbours put back, and one edit less to look for. Of one edit only those
   * across the cut matter: others leave the other half as it was.
   */
  #seekExchanged(quest: Quest, letters: Uint32Array, edits: number): void {
    const middle = partStart(letters.length, 2, 1)
    const first = edits === 1 ? middle : 1
    const last = edits === 1 ? middle : letters.length - 1
    for (let at = first; at <= last; at += 1) {
      if (at === 0 || letters[at] === letters[at - 1]) continue
      const exchanged = letters.slice()
      exchanged[at] = letters[at - 1]!
      exchanged[at - 1] = letters[at]!
      this.#seek(quest, exchanged, edits - 1)
    }
  }

  #compareExact(quest: Quest, letters: Uint32Array): void {
    const term = this.#postings.numberOf(String.fromCodePoint(...letters))
    if (term >= 0) this.#compare(quest, term)
  }

  #compareBucket(quest: Quest, hash: number): void {
    const { starts, terms, letters } = this.#pieces
    const bucket = hash & (starts.length - 2)
    for (let index = starts[bucket]!; index < starts[bucket + 1]!; index += 1) {
      const piece = terms[index]!
      // Other pieces of the bucket are told apart by what of the hash they carry.
      if (((piece ^ hash) & ~this.#mask) !== 0) continue
      if (mayBeNear(quest.bits, letters[index]!, quest.edits)) {
        this.#compare(quest, piece & this.#mask)
      }
    }
  }

  #compare(quest: Quest, term: number): void {
    const { letters, edits, found } = quest
    if (quest.left === 0) return
    quest.left -= 1
    const { text, ends } = this.#postings.terms
    const start = term === 0 ? 0 : ends[term - 1]!
    if (ends[term]! - start < letters.length - edits) return
    const count = readLetters(text, start, ends[term]!, this.#room)
    if (count < 0 || Math.abs(count - letters.length) > edits) return
    if (editsBetween(letters, this.#room, edits, count) === edits) found.add(term)
  }
}

/** What is looked for among some letters: the held parts of a term of `count` letters. */
interface Piece {
  readonly letters: Uint32Array
  readonly count: number
  readonly parts: number
  readonly held: readonly number[]
}
