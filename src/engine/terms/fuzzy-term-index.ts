/**
 * The fuzzy term index: the terms near an unknown word. A short term with one edit equals the word with
 * one letter deleted; a longer term keeps one of its halves; a term with two edits keeps two of its
 * quarters (`src/snapshot/deletion-signatures.ts`). Neighbouring letters that changed places across a cut
 * are looked up in the other order. Words in Hangul are compared by syllables and by jamo.
 */
import { readLetters } from '../../memory/letters.ts'
import { mixHash } from '../../memory/text-table.ts'
import {
  type DeletionSignatures,
  hashLetters,
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
import { editsBetween, exchange, readCodePoints } from '../../text/edits.ts'
import { jamoOf } from '../../text/hangul.ts'
import { BoundedCache } from '../bounded-cache.ts'
import type { Postings } from '../postings/postings.ts'
import { NearTerms } from './near-terms.ts'
import { lookLength, PieceLooks } from './piece-looks.ts'

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
  letters: Uint32Array
  /** The set of its letters, as bits. */
  bits: number
  edits: number
  /** Whether the letters are jamo. */
  isOfJamo: boolean
  /** The number of terms that may still be compared. */
  left: number
}

const none: readonly number[] = []

export class FuzzyTermIndex {
  readonly #postings: Postings
  readonly #pieces: DeletionSignatures
  readonly #mask: number
  readonly #looks = new PieceLooks()
  /** The results for the last words, by edits: one query asks for a word more than once. */
  readonly #once = new BoundedCache<string, readonly number[]>(keptMax)
  readonly #twice = new BoundedCache<string, readonly number[]>(keptMax)
  readonly #findOnce = (word: string) => this.#find(word, 1)
  readonly #findTwice = (word: string) => this.#find(word, 2)
  /** The memory of a search, filled in anew for each word: its letters, what becomes of them, and what is found. */
  readonly #word = new LetterRoom()
  readonly #changed = new LetterRoom()
  readonly #rest = new LetterRoom()
  readonly #term = new LetterRoom()
  readonly #quest: Quest = {
    ...{ letters: this.#word.first(0), bits: 0, edits: 1, isOfJamo: false, left: 0 },
  }
  /** The terms; in Hangul each with the number of its other jamo. */
  readonly #found = new NearTerms()

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
    return edits === 1
      ? this.#once.get(word, this.#findOnce)
      : this.#twice.get(word, this.#findTwice)
  }

  #find(word: string, edits: 1 | 2): readonly number[] {
    const count = readCodePoints(word, this.#word.all)
    if (count < 0) return none
    const letters = this.#word.first(count)
    this.#found.clear()
    this.#begin(letters, edits, false)
    this.#seek(this.#changed.copyOf(letters), edits)
    if (edits === 1) this.#findJamo(letters)
    if (this.#found.count === 0) return none
    this.#found.delete(this.#postings.numberOf(word))
    return this.#found.best(this.#postings, nearMax)
  }

  #begin(letters: Uint32Array, edits: number, isOfJamo: boolean): void {
    const quest = this.#quest
    quest.letters = letters
    quest.bits = letterBits(letters)
    quest.edits = edits
    quest.isOfJamo = isOfJamo
    quest.left = comparedMax
  }

  /** In Hangul: the terms with a jamo too many, too few or another, and which of all are the nearest. */
  #findJamo(letters: Uint32Array): void {
    const jamo = jamoOf(letters)
    if (jamo === undefined || jamo.length > pieceLettersMax) return
    const bySyllable = this.#found.all()
    this.#begin(jamo, 1, true)
    this.#seek(jamo.slice(), 1)
    for (const term of bySyllable) {
      const other = jamoOf(this.#lettersOf(term))
      if (other !== undefined) this.#found.set(term, editsBetween(jamo, other, jamoMax) - 1)
    }
  }

  /**
   * Looks for terms that some letters become with so many edits; leaves the letters as they were.
   * @param exchanged of two neighbours that were put back the second, 0 for none.
   */
  #seek(letters: Uint32Array, edits: number, exchanged = 0): void {
    if (edits === 0) {
      this.#seekSame(letters)
      return
    }
    if (edits === 1) this.#seekShort(letters)
    this.#seekPieces(letters, edits, exchanged)
    this.#seekExchanged(letters, edits)
  }

  /** Short terms: what the word is without a letter, or what is left of them. */
  #seekShort(letters: Uint32Array): void {
    const { lettersMin, lettersMax } = shortTerm
    const { length } = letters
    const last = Math.min(lettersMax, length + 1)
    for (let count = Math.max(lettersMin - 1, length - 1); count <= last; count += 1) {
      if (count < length) this.#seekLess(letters)
      else if (count >= lettersMin) this.#seekWithout(letters, count)
    }
  }

  /** The terms that a word is without one of its letters. */
  #seekLess(letters: Uint32Array): void {
    const rest = this.#rest.first(letters.length - 1)
    for (let at = 1; at < letters.length; at += 1) rest[at - 1] = letters[at]!
    this.#seekSame(rest)
    for (let at = 1; at < letters.length; at += 1) {
      rest[at - 1] = letters[at - 1]!
      this.#seekSame(rest)
    }
  }

  #seekWithout(letters: Uint32Array, count: number): void {
    const hashOf = count > letters.length ? hashRest : hashWithout
    for (let without = 0; without < count; without += 1) {
      this.#compareBucket(hashOf(letters, without) | 0)
    }
  }

  /**
   * The terms that share a piece with the word: of `count` letters, or of as many as they may have. Where two
   * neighbours were put back, a piece without them finds no other term: it was looked for before they were.
   */
  #seekPieces(letters: Uint32Array, edits: number, exchanged: number, count = 0): void {
    const looks = this.#looks.of(letters.length, edits)
    for (let at = 0; at < looks.length; at += lookLength) {
      const start = looks[at + 1]!
      const end = looks[at + 2]!
      if (exchanged > 0 && (exchanged < start || exchanged > end)) continue
      if (count > 0 && looks[at + 5] !== count) continue
      const hash = hashLetters(looks[at]!, letters, start, end)
      this.#compareBucket(mixHash(hashLetters(hash, letters, looks[at + 3]!, looks[at + 4]!)) | 0)
    }
  }

  /**
   * The same with two neighbours put back, and one edit less to look for. Of one edit in long words
   * only those across the cut matter: others leave the other half as it was.
   */
  #seekExchanged(letters: Uint32Array, edits: number): void {
    const middle = partStart(letters.length, 2, 1)
    const isCut = edits === 1 && letters.length > shortTerm.lettersMax
    const last = isCut ? middle : letters.length - 1
    for (let at = isCut ? middle : 1; at <= last; at += 1) {
      if (letters[at] === letters[at - 1]) continue
      exchange(letters, at)
      this.#seek(letters, edits - 1, at)
      exchange(letters, at)
    }
  }

  /** The term of these letters; one that is spelled in jamo is known by its pieces. */
  #seekSame(letters: Uint32Array): void {
    if (!this.#quest.isOfJamo) {
      const term = this.#postings.numberOfLetters(letters)
      if (term >= 0) this.#compare(term)
    } else if (letters.length <= shortTerm.lettersMax) {
      this.#compareBucket(hashWithout(letters, 0) | 0)
    } else this.#seekPieces(letters, 1, 0, letters.length)
  }

  #compareBucket(hash: number): void {
    const { starts, terms, letters } = this.#pieces
    const { bits, edits } = this.#quest
    const bucket = hash & (starts.length - 2)
    const end = starts[bucket + 1]!
    for (let index = starts[bucket]!; index < end; index += 1) {
      const piece = terms[index]!
      // Other pieces of the bucket differ in the bits of the hash that they carry.
      if (((piece ^ hash) & ~this.#mask) !== 0) continue
      if (mayBeNear(bits, letters[index]!, edits)) this.#compare(piece & this.#mask)
    }
  }

  #compare(term: number): void {
    const quest = this.#quest
    const { letters, edits, isOfJamo } = quest
    if (quest.left === 0) return
    quest.left -= 1
    const { ends } = this.#postings.terms
    const start = term === 0 ? 0 : ends[term - 1]!
    if (!isOfJamo && ends[term]! - start < letters.length - edits) return
    if (!isOfJamo) {
      const count = this.#read(term)
      if (editsBetween(letters, this.#term.all, edits, count) === edits) this.#found.set(term, 0)
      return
    }
    const other = this.#lettersOf(term)
    if (editsBetween(letters, jamoOf(other) ?? other, edits) <= edits) this.#found.set(term, 0)
  }

  /** The letters of a term, until the next ones are read; none of one that is too long. */
  #lettersOf(term: number): Uint32Array {
    return this.#term.first(this.#read(term))
  }

  /** Reads the letters of a term into the room, and returns how many there are. */
  #read(term: number): number {
    const { text, ends } = this.#postings.terms
    const start = term === 0 ? 0 : ends[term - 1]!
    return Math.max(0, readLetters(text, start, ends[term]!, this.#term.all))
  }
}

/** Memory for the letters of a word, with a view of each number of them: made once, as a view costs more than a small copy. */
class LetterRoom {
  readonly all = new Uint32Array(pieceLettersMax)
  readonly #views = Array.from({ length: pieceLettersMax + 1 }, (_, count) =>
    this.all.subarray(0, count),
  )

  /** The first so many letters. */
  first(count: number): Uint32Array {
    return this.#views[count]!
  }

  /** Other letters, copied to here. */
  copyOf(letters: Uint32Array): Uint32Array {
    for (let at = 0; at < letters.length; at += 1) this.all[at] = letters[at]!
    return this.first(letters.length)
  }
}
