/**
 * The terms that texts asked for last, each with how it is spelled as a word and with the people who hold it. A
 * term has one slot by its hash, and the next one with that slot takes its place: nothing grows, and nothing is
 * made for a term that is known.
 *
 * Invariant: what is kept of a term is true of the snapshot at any time.
 */
import { hashByte, mixHash, noBytesHash } from '../../memory/text-table.ts'
import { asciiText, wordEnd, wordStart, wordsOf } from '../../text/analyzer.ts'
import { otherFormsOf } from '../../text/number.ts'
import { type DocSet, nobody, unionOf } from '../postings/doc-set.ts'
import type { Postings, TermRange } from '../postings/postings.ts'
import { QueryWord, Spelling, type TermHolders } from './query-word.ts'

/** Slots, a power of two: enough for the usual words of texts, and some megabytes a thread at most. */
const slotCount = 4_096

/** The number of a term that was not looked up; -1 is that of none. */
const notLookedUp = -2

/** The sets of a term: each is made when it is first asked for, as the ways ask for the same ones. */
export class KnownTerm implements TermHolders {
  readonly term: string
  readonly #postings: Postings
  /** `notLookedUp` until it is: a text that is a topic needs none. */
  #number = notLookedUp
  #spelling: Spelling | undefined
  #name: DocSet | undefined
  #word: DocSet | undefined
  #forms: DocSet | undefined
  #range: TermRange | undefined

  constructor(postings: Postings, term: string) {
    this.term = term
    this.#postings = postings
  }

  /** The term as a word of a text: another object each time. */
  get asWord(): QueryWord {
    this.#spelling ??= new Spelling({ text: this.term, terms: [this.term] })
    return new QueryWord(this.#spelling, false, this)
  }

  /** Those whose name holds the term. */
  get name(): DocSet {
    this.#name ??= this.#in('name')
    return this.#name
  }

  /** Those who hold the term anywhere. */
  get word(): DocSet {
    this.#word ??= this.#in('word')
    return this.#word
  }

  /** Those who hold any of the terms that are its forms: most forms are no term. */
  get forms(): DocSet {
    this.#forms ??= this.#unionOfForms()
    return this.#forms
  }

  #unionOfForms(): DocSet {
    let held: DocSet[] | undefined
    for (const form of otherFormsOf(this.term, this.#postings.mayBeTerm)) {
      const number = this.#postings.numberOf(form)
      if (number < 0 || this.#postings.size('word', number) === 0) continue
      held ??= [this.word]
      held.push(this.#postings.list('word', number))
    }
    return held === undefined ? this.word : unionOf(held)
  }

  /** The terms that begin with it. */
  get range(): TermRange {
    this.#range ??= this.#postings.startingWith(this.term)
    return this.#range
  }

  #in(field: 'name' | 'word'): DocSet {
    if (this.#number === notLookedUp) this.#number = this.#postings.numberOf(this.term)
    return this.#number < 0 || this.#postings.size(field, this.#number) === 0
      ? nobody
      : this.#postings.list(field, this.#number)
  }
}

export class KnownTerms {
  readonly #postings: Postings
  readonly #slots: (KnownTerm | undefined)[] = new Array(slotCount).fill(undefined)

  constructor(postings: Postings) {
    this.#postings = postings
  }

  /** The term that is a text, or a piece of one. */
  of(text: string, start = 0, end = text.length): KnownTerm {
    let hash = noBytesHash
    for (let at = start; at < end; at += 1) hash = hashByte(hash, text.charCodeAt(at))
    const slot = mixHash(hash) & (slotCount - 1)
    const known = this.#slots[slot]
    if (known !== undefined && isPiece(known.term, text, start, end)) return known
    const made = new KnownTerm(this.#postings, text.slice(start, end))
    this.#slots[slot] = made
    return made
  }

  /**
   * The words of a text without quotation marks, a repeated word once. Nothing is read differently for what stands
   * behind a space, so a name in another script costs only its own piece.
   */
  read(query: string): QueryWord[] {
    const words: QueryWord[] = []
    const text = asciiText(query)
    if (text !== undefined) {
      this.#addAscii(words, text)
      return words
    }
    for (const piece of query.split(' ')) {
      const plain = asciiText(piece)
      if (plain !== undefined) this.#addAscii(words, plain)
      else for (const word of wordsOf(piece)) addWord(words, new QueryWord(word))
    }
    return words
  }

  #addAscii(words: QueryWord[], text: string): void {
    for (let start = wordStart(text, 0); start < text.length; ) {
      const end = wordEnd(text, start)
      addWord(words, this.of(text, start, end).asWord)
      start = wordStart(text, end)
    }
  }
}

function isPiece(term: string, text: string, start: number, end: number): boolean {
  if (term.length !== end - start) return false
  for (let at = 0; at < term.length; at += 1) {
    if (term.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  }
  return true
}

/** Adds a word, unless it repeats the last. */
function addWord(words: QueryWord[], word: QueryWord): void {
  if (words.at(-1)?.text !== word.text) words.push(word)
}
