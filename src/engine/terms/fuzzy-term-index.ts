/**
 * The terms near an unknown word. A short term with one edit equals the word with a letter deleted;
 * a longer one keeps one of its halves, with two edits two of its quarters
 * (`src/snapshot/deletion-signatures.ts`). Words in Hangul are compared by syllables and by jamo.
 */
import { readLetters } from '../../memory/letters.ts'
import { countOf, mixHash } from '../../memory/text-table.ts'
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
import { remembered } from '../bounded-cache.ts'
import { Best } from '../postings/best.ts'
import type { Postings } from '../postings/postings.ts'

/** Terms that are compared with a word, at most: bounds the work of one that is like a great many. */
const comparedMax = 4_000

/** Terms near to a word, at most: the commonest. */
const nearMax = 64

/** Up to this many jamo, the distance of two syllables is counted. */
const jamoMax = 3

/** More people than any term has. */
const sizesEnd = 2 ** 32

/** Words of which what was found is kept. */
const keptMax = 64

/** Numbers of a look, in their order: the beginning of the hash, start and end of two runs of letters, letters of the term. */
const lookLength = 6

interface Quest {
  readonly letters: Uint32Array
  /** The set of its letters, as bits. */
  readonly bits: number
  readonly edits: number
  /** Whether the letters are jamo. */
  readonly isOfJamo: boolean
  left: number
  /** The terms; in Hangul each with the number of its other jamo. */
  readonly found: Map<number, number>
}

const none: readonly number[] = []

export class FuzzyTermIndex {
  readonly #postings: Postings
  readonly #pieces: DeletionSignatures
  readonly #mask: number
  /** By edits less 1, and by letters of the word. */
  readonly #looks: readonly (Int32Array | undefined)[][] = [[], []]
  /** One query asks for a word more than once. */
  readonly #once = remembered(keptMax, (word: string) => this.#find(word, 1))
  readonly #twice = remembered(keptMax, (word: string) => this.#find(word, 2))
  readonly #term = new Uint32Array(pieceLettersMax)

  constructor(sections: Sections, postings: Postings) {
    this.#postings = postings
    this.#pieces = {
      starts: sections['piece.starts'],
      terms: sections['piece.terms'],
      letters: sections['piece.letters'],
    }
    this.#mask = termMask(countOf(postings.terms))
  }

  /**
   * Exactly so many edits away, the commonest first, of equals in alphabetical order. In Hangul
   * another syllable or jamo is one edit; those with the fewest other jamo come first.
   */
  near(word: string, edits: 1 | 2): readonly number[] {
    return edits === 1 ? this.#once(word) : this.#twice(word)
  }

  #find(word: string, edits: 1 | 2): readonly number[] {
    const letters = lettersOf(word)
    if (letters.length > pieceLettersMax) return none
    const found = new Map<number, number>()
    this.#seek(questOf(letters, edits, found), letters.slice(), edits)
    if (edits === 1) this.#findJamo(letters, found)
    if (found.size === 0) return none
    found.delete(this.#postings.numberOf(word))
    const best = new Best(nearMax)
    for (const [term, jamo] of found) {
      best.take(term, this.#postings.size('word', term) - jamo * sizesEnd)
    }
    return best.ordinals
  }

  #findJamo(letters: Uint32Array, found: Map<number, number>): void {
    const jamo = jamoOf(letters)
    if (jamo === undefined || jamo.length > pieceLettersMax) return
    const bySyllable = [...found.keys()]
    this.#seek({ ...questOf(jamo, 1, found), isOfJamo: true }, jamo.slice(), 1)
    for (const term of bySyllable) {
      const other = jamoOf(this.#lettersOf(term))
      if (other !== undefined) found.set(term, editsBetween(jamo, other, jamoMax) - 1)
    }
  }

  /**
   * Looks for terms that some letters become with so many edits; leaves the letters as they were.
   * @param exchanged of two neighbours that were put back the second, 0 for none.
   */
  #seek(quest: Quest, letters: Uint32Array, edits: number, exchanged = 0): void {
    if (edits === 0) {
      this.#seekSame(quest, letters)
      return
    }
    if (edits === 1) this.#seekShort(quest, letters)
    this.#seekPieces(quest, letters, edits, exchanged)
    this.#seekExchanged(quest, letters, edits)
  }

  #seekShort(quest: Quest, letters: Uint32Array): void {
    const { lettersMin, lettersMax } = shortTerm
    const { length } = letters
    const last = Math.min(lettersMax, length + 1)
    for (let count = Math.max(lettersMin - 1, length - 1); count <= last; count += 1) {
      if (count < length) this.#seekLess(quest, letters)
      else if (count >= lettersMin) this.#seekWithout(quest, letters, count)
    }
  }

  #seekLess(quest: Quest, letters: Uint32Array): void {
    const rest = letters.slice(1)
    this.#seekSame(quest, rest)
    for (let at = 1; at < letters.length; at += 1) {
      rest[at - 1] = letters[at - 1]!
      this.#seekSame(quest, rest)
    }
  }

  #seekWithout(quest: Quest, letters: Uint32Array, count: number): void {
    const hashOf = count > letters.length ? hashRest : hashWithout
    for (let without = 0; without < count; without += 1) {
      this.#compareBucket(quest, hashOf(letters, without) | 0)
    }
  }

  /**
   * The terms that share a piece with the word: of `count` letters, or of as many as they may have. Where two
   * neighbours were put back, a piece without them finds no other term: it was looked for before they were.
   */
  #seekPieces(
    quest: Quest,
    letters: Uint32Array,
    edits: number,
    exchanged: number,
    count = 0,
  ): void {
    const made = this.#looks[edits - 1]!
    made[letters.length] ??= Int32Array.from(looksOf(letters.length, edits))
    const looks = made[letters.length]!
    for (let at = 0; at < looks.length; at += lookLength) {
      const start = looks[at + 1]!
      const end = looks[at + 2]!
      if (exchanged > 0 && (exchanged < start || exchanged > end)) continue
      if (count > 0 && looks[at + 5] !== count) continue
      const hash = hashLetters(looks[at]!, letters, start, end)
      this.#compareBucket(
        quest,
        mixHash(hashLetters(hash, letters, looks[at + 3]!, looks[at + 4]!)) | 0,
      )
    }
  }

  /**
   * Of one edit in long words only an exchange across the cut matters: others leave the other half.
   */
  #seekExchanged(quest: Quest, letters: Uint32Array, edits: number): void {
    const middle = partStart(letters.length, 2, 1)
    const isCut = edits === 1 && letters.length > shortTerm.lettersMax
    const last = isCut ? middle : letters.length - 1
    for (let at = isCut ? middle : 1; at <= last; at += 1) {
      if (letters[at] === letters[at - 1]) continue
      exchange(letters, at)
      this.#seek(quest, letters, edits - 1, at)
      exchange(letters, at)
    }
  }

  /** The term of these letters; one that is spelled in jamo is known by its pieces. */
  #seekSame(quest: Quest, letters: Uint32Array): void {
    if (!quest.isOfJamo) {
      const term = this.#postings.numberOfLetters(letters)
      if (term >= 0) this.#compare(quest, term)
    } else if (letters.length <= shortTerm.lettersMax) {
      this.#compareBucket(quest, hashWithout(letters, 0) | 0)
    } else this.#seekPieces(quest, letters, 1, 0, letters.length)
  }

  #compareBucket(quest: Quest, hash: number): void {
    const { starts, terms, letters } = this.#pieces
    const { bits, edits } = quest
    const bucket = hash & (starts.length - 2)
    const end = starts[bucket + 1]!
    for (let index = starts[bucket]!; index < end; index += 1) {
      const piece = terms[index]!
      // Other pieces of the bucket differ in the bits of the hash that they carry.
      if (((piece ^ hash) & ~this.#mask) !== 0) continue
      if (mayBeNear(bits, letters[index]!, edits)) this.#compare(quest, piece & this.#mask)
    }
  }

  #compare(quest: Quest, term: number): void {
    const { letters, edits, isOfJamo, found } = quest
    if (quest.left === 0) return
    quest.left -= 1
    const { starts } = this.#postings.terms
    if (!isOfJamo && starts[term + 1]! - starts[term]! < letters.length - edits) return
    if (!isOfJamo) {
      const count = this.#read(term)
      if (editsBetween(letters, this.#term, edits, count) === edits) found.set(term, 0)
      return
    }
    const other = this.#lettersOf(term)
    if (editsBetween(letters, jamoOf(other) ?? other, edits) <= edits) found.set(term, 0)
  }

  #lettersOf(term: number): Uint32Array {
    return this.#term.slice(0, this.#read(term))
  }

  /** Reads the letters of a term, until the next ones are read; returns how many there are. */
  #read(term: number): number {
    const { text, starts } = this.#postings.terms
    return Math.max(0, readLetters(text, starts[term]!, starts[term + 1]!, this.#term))
  }
}

function questOf(letters: Uint32Array, edits: number, found: Map<number, number>): Quest {
  return { letters, bits: letterBits(letters), edits, isOfJamo: false, left: comparedMax, found }
}

/** Where pieces of near terms are looked for in a word of so many letters. */
function looksOf(letters: number, edits: number): number[] {
  const { parts, pieces } = cuts[edits - 1]!
  const looks: number[] = []
  const shortest = Math.max(shortTerm.lettersMax + 1, letters - edits)
  for (let count = shortest; count <= Math.min(pieceLettersMax, letters + edits); count += 1) {
    for (const { number, held } of pieces) {
      for (const runs of runsOf({ letters, count, parts, held, edits })) {
        const [start = 0, end = 0, secondStart = 0, secondEnd = 0] = runs
        looks.push(hashPiece(count, number), start, end, secondStart, secondEnd, count)
      }
    }
  }
  return looks
}

interface Piece {
  readonly letters: number
  readonly count: number
  readonly parts: number
  readonly held: readonly number[]
  readonly edits: number
}

/**
 * The starts and ends of the parts of a piece in the word, in each way that they may stand there: each part stands where
 * it does in the term, moved by the letters that are too many before it, as many as there may be edits.
 */
function runsOf(piece: Piece, index = 0, moved = 0, left = piece.edits): number[][] {
  const { letters, count, parts, held } = piece
  const part = held[index]
  if (part === undefined) return [[]]
  const surplus = letters - count
  const found: number[][] = []
  for (let by = -left; by <= left; by += 1) {
    const place = moved + by
    const rest = left - Math.abs(by)
    if (Math.abs(surplus - place) > rest) continue
    if (part === 0 && place !== 0) continue
    if (part === parts - 1 && place !== surplus) continue
    const start = partStart(count, parts, part) + place
    const end = partStart(count, parts, part + 1) + place
    if (start < 0 || end > letters) continue
    for (const others of runsOf(piece, index + 1, place, rest)) found.push([start, end, ...others])
  }
  return found
}
