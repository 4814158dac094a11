/**
 * The terms that texts asked for last, each with how it is spelled as a word and with the people who hold it. A
 * term has one slot by its hash, and the next one with that slot takes its place: nothing grows, and nothing is
 * made for a term that is known. The next one also takes the memory of the one before, so that a term that is not
 * known leaves no garbage either, unless the text that is being read has that one, too.
 *
 * Invariant: what is kept of a term is true of the snapshot at any time; no text leaves anything to the next. Sets and
 * words of known terms last until the next text begins.
 */
import { hashByte, mixHash, noBytesHash } from '../../memory/text-table.ts'
import { asciiText, wordEnd, wordStart, wordsOf } from '../../text/analyzer.ts'
import { otherFormsOf } from '../../text/number.ts'
import { type DocSet, nobody, unionOf } from '../postings/doc-set.ts'
import { ListRoom } from '../postings/list.ts'
import type { Postings, TermRange } from '../postings/postings.ts'
import { QueryWord, Spelling, type TermHolders } from './query-word.ts'

/** Slots, a power of two: enough for the usual words of texts, and some megabytes a thread at most. */
const slotCount = 4_096

/** The number of a term that was not looked up; -1 is that of none. */
const notLookedUp = -2

/** The sets of a term: each is made when it is first asked for, as the ways ask for the same ones. */
export class KnownTerm implements TermHolders {
  #term: string
  readonly #postings: Postings
  /** `notLookedUp` until it is: a text that is a topic needs none. */
  #number = notLookedUp
  #spelling: Spelling | undefined
  /** The first word of it in a text, and the last text that took it. */
  #firstWord: QueryWord | undefined
  #wordTakenBy = 0
  #name: DocSet | undefined
  #word: DocSet | undefined
  #forms: DocSet | undefined
  #range: TermRange | undefined
  readonly #nameRoom = new ListRoom()
  readonly #wordRoom = new ListRoom()
  /** The number of the last text that asked for it. */
  askedBy = 0

  constructor(postings: Postings, term: string) {
    this.#term = term
    this.#postings = postings
  }

  get term(): string {
    return this.#term
  }

  /** Becomes another term. Precondition: its words and sets are over. */
  refill(term: string): void {
    this.#term = term
    this.#number = notLookedUp
    this.#spelling?.respell(term)
    this.#name = undefined
    this.#word = undefined
    this.#forms = undefined
    this.#range = undefined
  }

  /** The term as it is spelled as a word. */
  get #spelled(): Spelling {
    this.#spelling ??= new Spelling({ text: this.#term, terms: [this.#term] })
    return this.#spelling
  }

  /** The term as a word of a text: another object for each word of it. @param text its number. */
  wordIn(text: number): QueryWord {
    if (this.#wordTakenBy === text) return new QueryWord(this.#spelled, false, this)
    this.#wordTakenBy = text
    this.#firstWord ??= new QueryWord(this.#spelled, false, this)
    return this.#firstWord
  }

  /** Those whose name holds the term. */
  get name(): DocSet {
    this.#name ??= this.#in('name', this.#nameRoom)
    return this.#name
  }

  /** Those who hold the term anywhere. */
  get word(): DocSet {
    this.#word ??= this.#in('word', this.#wordRoom)
    return this.#word
  }

  /** Those who hold any of the terms that are its forms: most forms are no term. */
  get forms(): DocSet {
    this.#forms ??= this.#unionOfForms()
    return this.#forms
  }

  #unionOfForms(): DocSet {
    let held: DocSet[] | undefined
    for (const form of otherFormsOf(this.#term, this.#postings.mayBeTerm)) {
      const number = this.#postings.numberOf(form)
      if (number < 0 || this.#postings.size('word', number) === 0) continue
      held ??= [this.word]
      held.push(this.#postings.list('word', number))
    }
    return held === undefined ? this.word : unionOf(held)
  }

  /** The terms that begin with it. */
  get range(): TermRange {
    this.#range ??= this.#postings.startingWith(this.#term)
    return this.#range
  }

  #in(field: 'name' | 'word', room: ListRoom): DocSet {
    if (this.#number === notLookedUp) this.#number = this.#postings.numberOf(this.#term)
    return this.#number < 0 || this.#postings.size(field, this.#number) === 0
      ? nobody
      : this.#postings.list(field, this.#number, room)
  }
}

export class KnownTerms {
  readonly #postings: Postings
  readonly #slots: (KnownTerm | undefined)[] = new Array(slotCount).fill(undefined)

  /** The number of the text that is being read. */
  #text = 1

  constructor(postings: Postings) {
    this.#postings = postings
  }

  /** Begins another text: all words and sets of the one before are over. */
  begin(): void {
    this.#text += 1
  }

  /** The term that is a text, or a piece of one. */
  of(text: string, start = 0, end = text.length): KnownTerm {
    let hash = noBytesHash
    for (let at = start; at < end; at += 1) hash = hashByte(hash, text.charCodeAt(at))
    const slot = mixHash(hash) & (slotCount - 1)
    const known = this.#slots[slot]
    if (known !== undefined && isPiece(known.term, text, start, end)) {
      known.askedBy = this.#text
      return known
    }
    const taken = this.#takeSlot(slot, text.slice(start, end))
    taken.askedBy = this.#text
    return taken
  }

  /** The term as a word of the text that is being read. */
  wordOf(text: string, start: number, end: number): QueryWord {
    return this.of(text, start, end).wordIn(this.#text)
  }

  /**
   * Reads the words of a text without quotation marks into a room, a repeated word once; returns how many there are.
   * Nothing is read differently for what stands behind a space, so a name in another script costs only its own piece.
   */
  readInto(room: QueryWord[], query: string): number {
    const text = asciiText(query)
    if (text !== undefined) return this.#addAscii(room, 0, text)
    let count = 0
    for (const piece of query.split(' ')) {
      const plain = asciiText(piece)
      if (plain !== undefined) count = this.#addAscii(room, count, plain)
      else for (const word of wordsOf(piece)) count = addWord(room, count, new QueryWord(word))
    }
    return count
  }

  #addAscii(room: QueryWord[], before: number, text: string): number {
    let count = before
    for (let start = wordStart(text, 0); start < text.length; ) {
      const end = wordEnd(text, start)
      count = addWord(room, count, this.wordOf(text, start, end))
      start = wordStart(text, end)
    }
    return count
  }

  /** Puts a term in the place of another, and in its memory where the text that is being read has not asked for it. */
  #takeSlot(slot: number, term: string): KnownTerm {
    const known = this.#slots[slot]
    if (known !== undefined && known.askedBy !== this.#text) {
      known.refill(term)
      return known
    }
    const made = new KnownTerm(this.#postings, term)
    this.#slots[slot] = made
    return made
  }
}

function isPiece(term: string, text: string, start: number, end: number): boolean {
  if (term.length !== end - start) return false
  for (let at = 0; at < term.length; at += 1) {
    if (term.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  }
  return true
}

/** Adds a word behind so many, unless it repeats the last; returns how many there are. */
function addWord(room: QueryWord[], count: number, word: QueryWord): number {
  if (count > 0 && room[count - 1]!.text === word.text) return count
  room[count] = word
  return count + 1
}
