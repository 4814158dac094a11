/**
 * The fuzzy term index: the terms near an unknown word. A short term with one edit equals the word with
 * one letter deleted; a longer term keeps one of its halves; a term with two edits keeps two of its
 * quarters (`src/snapshot/deletion-signatures.ts`). Neighbouring letters that changed places across a cut
 * are looked up in the other order. Words in Hangul are compared by syllables and by jamo.
 */
import { readLetters } from '../../memory/letters.ts'
import { mixHash } from '../../memory/text-table.ts'
import {
  cuts,
  type DeletionSignatures,
  hashLetters,
  hashPiece,
  hashRest,
  hashWithout,
  letterBits,
  mayBeNear,
  partStart,
  pieceLettersMax,
  shortTerm,
  termMask,
} from '../../snapshot/deletion-signatures.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { editsBetween, exchange, lettersOf } from '../../text/edits.ts'
import { jamoOf } from '../../text/hangul.ts'
import { BoundedCache } from '../bounded-cache.ts'
import type { Postings } from '../postings/postings.ts'

/** Terms that are compared with a word, at most: bounds the work of one that is like a great many. */
const comparedMax = 4_000

/** Terms near to a word, at most: the commonest. */
const nearMax = 64

/** Up to this many jamo, the distance of two syllables is counted. */
const jamoMax = 3

/** Words of which what was found is kept. */
const keptMax = 64

/** A word whose near terms are looked for. */
interface Quest {
  readonly letters: Uint32Array
  /** The set of its letters, as bits. */
  readonly bits: number
  readonly edits: number
  /** Whether the letters are jamo. */
  readonly isOfJamo: boolean
  /** The terms, each with a number by which the nearest of them come first. */
  readonly found: Map<number, number>
  /** The number of terms that may still be compared. */
  left: number
}

export class FuzzyTermIndex {
  readonly #postings: Postings
  readonly #pieces: DeletionSignatures
  readonly #mask: number
  /** The results for the last words: one query asks for a word more than once. */
  readonly #found = new BoundedCache<string, readonly number[]>(keptMax)
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
   * the commonest first, of equals the first in alphabetical order. In Hangul another syllable is one
   * edit, and so is another jamo; those with the fewest other jamo come first.
   * @param edits 1 or 2.
   */
  near(word: string, edits: 1 | 2): readonly number[] {
    return this.#found.get(`${edits}${word}`, () => this.#find(word, edits))
  }

  #find(word: string, edits: 1 | 2): readonly number[] {
    const letters = lettersOf(word)
    if (letters.length > pieceLettersMax) return []
    const found = new Map<number, number>()
    const bits = letterBits(letters)
    const quest = { letters, bits, edits, isOfJamo: false, found, left: comparedMax }
    this.#seek(quest, letters.slice(), edits)
    if (edits === 1) this.#findJamo(letters, found)
    found.delete(this.#postings.numberOf(word))
    const sizeOf = (term: number) => this.#postings.size('word', term)
    const byNearness = (a: number, b: number) => found.get(a)! - found.get(b)!
    return [...found.keys()]
      .sort((a, b) => byNearness(a, b) || sizeOf(b) - sizeOf(a) || a - b)
      .slice(0, nearMax)
  }

  /** In Hangul: the terms with a jamo too many, too few or another, and which of all are the nearest. */
  #findJamo(letters: Uint32Array, found: Map<number, number>): void {
    const jamo = jamoOf(letters)
    if (jamo === undefined || jamo.length > pieceLettersMax) return
    const bySyllable = [...found.keys()]
    const bits = letterBits(jamo)
    const quest = { letters: jamo, bits, edits: 1, isOfJamo: true, found, left: comparedMax }
    this.#seek(quest, jamo.slice(), 1)
    for (const term of bySyllable) {
      const other = jamoOf(this.#lettersOf(term))
      if (other !== undefined) found.set(term, editsBetween(jamo, other, jamoMax) - 1)
    }
  }

  /** Looks for terms that some letters become with so many edits; leaves the letters as they were. */
  #seek(quest: Quest, letters: Uint32Array, edits: number): void {
    if (edits === 0) {
      this.#seekSame(quest, letters)
      return
    }
    const least = edits === 1 ? shortTerm.lettersMin - 1 : shortTerm.lettersMax + 1
    const shortest = Math.max(least, letters.length - edits)
    for (let count = shortest; count <= letters.length + edits; count += 1) {
      if (count <= shortTerm.lettersMax) this.#seekShort(quest, letters, count)
      else this.#seekPieces(quest, letters, edits, count)
    }
    this.#seekExchanged(quest, letters, edits)
  }

  /** Short terms of so many letters: what the word is without a letter, or what is left of them. */
  #seekShort(quest: Quest, letters: Uint32Array, count: number): void {
    if (count < letters.length) {
      const rest = letters.slice(1)
      this.#seekSame(quest, rest)
      for (let at = 1; at < letters.length; at += 1) {
        rest[at - 1] = letters[at - 1]!
        this.#seekSame(quest, rest)
      }
    } else if (count >= shortTerm.lettersMin) this.#seekWithout(quest, letters, count)
  }

  #seekWithout(quest: Quest, letters: Uint32Array, count: number): void {
    const hashOf = count > letters.length ? hashRest : hashWithout
    for (let without = 0; without < count; without += 1) {
      this.#compareBucket(quest, hashOf(letters, without))
    }
  }

  #seekPieces(quest: Quest, letters: Uint32Array, edits: number, count: number): void {
    const { parts, pieces } = cuts[edits - 1]!
    for (const { number, held } of pieces) {
      const piece = { letters, count, parts, held }
      this.#seekPiece(quest, piece, hashPiece(count, number), 0, 0, edits)
    }
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
      this.#compareBucket(quest, mixHash(hash))
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
   * The same with two neighbours put back, and one edit less to look for. Of one edit in long words
   * only those across the cut matter: others leave the other half as it was.
   */
  #seekExchanged(quest: Quest, letters: Uint32Array, edits: number): void {
    const middle = partStart(letters.length, 2, 1)
    const isCut = edits === 1 && letters.length > shortTerm.lettersMax
    const last = isCut ? middle : letters.length - 1
    for (let at = isCut ? middle : 1; at <= last; at += 1) {
      if (letters[at] === letters[at - 1]) continue
      exchange(letters, at)
      this.#seek(quest, letters, edits - 1)
      exchange(letters, at)
    }
  }

  /** The term of these letters; one that is spelled in jamo is known by its pieces. */
  #seekSame(quest: Quest, letters: Uint32Array): void {
    if (!quest.isOfJamo) {
      const term = this.#postings.numberOf(String.fromCodePoint(...letters))
      if (term >= 0) this.#compare(quest, term)
    } else if (letters.length <= shortTerm.lettersMax) {
      this.#compareBucket(quest, hashWithout(letters, 0))
    } else this.#seekPieces(quest, letters, 1, letters.length)
  }

  #compareBucket(quest: Quest, hash: number): void {
    const { starts, terms, letters } = this.#pieces
    const bucket = hash & (starts.length - 2)
    for (let index = starts[bucket]!; index < starts[bucket + 1]!; index += 1) {
      const piece = terms[index]!
      // Other pieces of the bucket differ in the bits of the hash that they carry.
      if (((piece ^ hash) & ~this.#mask) !== 0) continue
      if (mayBeNear(quest.bits, letters[index]!, quest.edits)) {
        this.#compare(quest, piece & this.#mask)
      }
    }
  }

  #compare(quest: Quest, term: number): void {
    const { letters, edits, isOfJamo, found } = quest
    if (quest.left === 0) return
    quest.left -= 1
    const { ends } = this.#postings.terms
    const start = term === 0 ? 0 : ends[term - 1]!
    if (!isOfJamo && ends[term]! - start < letters.length - edits) return
    if (!isOfJamo) {
      const count = this.#read(term)
      if (editsBetween(letters, this.#room, edits, count) === edits) found.set(term, 0)
      return
    }
    const other = this.#lettersOf(term)
    if (editsBetween(letters, jamoOf(other) ?? other, edits) <= edits) found.set(term, 0)
  }

  /** The letters of a term, until the next ones are read; none of one that is too long. */
  #lettersOf(term: number): Uint32Array {
    return this.#room.subarray(0, this.#read(term))
  }

  /** Reads the letters of a term into the room, and returns how many there are. */
  #read(term: number): number {
    const { text, ends } = this.#postings.terms
    const start = term === 0 ? 0 : ends[term - 1]!
    return Math.max(0, readLetters(text, start, ends[term]!, this.#room))
  }
}

/** The held parts of a term of `count` letters, to look for among some letters. */
interface Piece {
  readonly letters: Uint32Array
  readonly count: number
  readonly parts: number
  readonly held: readonly number[]
}
