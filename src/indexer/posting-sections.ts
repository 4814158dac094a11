/**
 * Postings: for each term the authorities whose name holds it, and those whose name, topics or bio
 * hold it. Terms are numbered in the order of their UTF-8 bytes, so that those with one beginning
 * are a range; ordinals ascend, so that every list is in authority order.
 */

import type { ListView } from '../memory/columns.ts'
import { orderTexts, rangesOf } from '../memory/text-order.ts'
import { countOf, fillSlots, type Texts, type TextTable } from '../memory/text-table.ts'
import { piecesOf } from '../snapshot/deletion-signatures.ts'
import { fieldSections, wordSections } from './field-sections.ts'
import { tabled } from './text-sections.ts'

/** Terms by number, and by arrival of an authority: those of its name, bio and topics. */
interface HeldTerms {
  readonly terms: TextTable
  readonly names: ListView
  readonly bios: ListView
  readonly topics: ListView
  readonly topicTerms: readonly (readonly number[])[]
}

export type PostingSections = ReturnType<typeof postingSections>

/** O(terms in all texts). @param arrivals of the authorities, in the order of their ordinals. */
export function postingSections(held: HeldTerms, arrivals: Uint32Array) {
  const { names, bios } = held
  const { table, numbers } = sortedVocabulary(held.terms)
  const pieces = piecesOf(table)
  return {
    ...tabled('term', table),
    'piece.starts': pieces.starts,
    'piece.terms': pieces.terms,
    'piece.letters': pieces.letters,
    ...fieldSections('name', invert(arrivals, numbers, { lists: [names] }), arrivals.length),
    ...wordSections(invert(arrivals, numbers, { ...held, lists: [names, bios] }), arrivals.length),
  }
}

function sortedVocabulary(texts: Texts) {
  const ranges = rangesOf(texts)
  const { text, starts } = texts
  const order = new Uint32Array(countOf(texts)).map((_, term) => term)
  orderTexts(ranges, order)
  const sorted = { text: new Uint8Array(text.length), starts: new Uint32Array(starts.length) }
  const numbers = new Uint32Array(order.length)
  order.forEach((term, number) => {
    const [start, end] = [starts[term]!, starts[term + 1]!]
    const place = sorted.starts[number]!
    sorted.text.set(text.subarray(start, end), place)
    sorted.starts[number + 1] = place + end - start
    numbers[term] = number
  })
  return { table: { ...sorted, slots: fillSlots(sorted) }, numbers }
}

/** Lists of the terms of each authority, and those of its topics, if they count. */
type OwnTerms = Partial<Pick<HeldTerms, 'topics' | 'topicTerms'>> & {
  readonly lists: readonly ListView[]
}

function invert(arrivals: Uint32Array, numbers: Uint32Array, own: OwnTerms): ListView {
  const distinct = new DistinctTerms(own, numbers.length)
  // By the numbers that terms have until now, so that each is looked up once and not for every authority.
  const counts = new Uint32Array(numbers.length)
  for (let ordinal = 0; ordinal < arrivals.length; ordinal += 1) {
    const count = distinct.collect(arrivals[ordinal]!)
    for (let at = 0; at < count; at += 1) counts[distinct.terms[at]!]! += 1
  }
  const starts = new Uint32Array(numbers.length + 1)
  for (let term = 0; term < numbers.length; term += 1) starts[numbers[term]! + 1] = counts[term]!
  for (let term = 1; term < starts.length; term += 1) starts[term]! += starts[term - 1]!
  const ends = counts
  for (let term = 0; term < numbers.length; term += 1) ends[term] = starts[numbers[term]!]!
  const ordinals = new Uint32Array(starts.at(-1)!)
  for (let ordinal = 0; ordinal < arrivals.length; ordinal += 1) {
    const count = distinct.collect(arrivals[ordinal]!)
    for (let at = 0; at < count; at += 1) ordinals[ends[distinct.terms[at]!]!++] = ordinal
  }
  return { starts, values: ordinals }
}

class DistinctTerms {
  /** Those of the last one; more than it has. */
  readonly terms: number[] = []
  readonly #own: OwnTerms
  /** By term, the turn in which it was seen last. */
  readonly #seenIn: Uint32Array
  #turn = 0
  #count = 0

  constructor(own: OwnTerms, termCount: number) {
    this.#own = own
    this.#seenIn = new Uint32Array(termCount)
  }

  /** Collects the terms of an authority, each once; returns how many. */
  collect(arrival: number): number {
    const { lists, topics, topicTerms } = this.#own
    this.#turn += 1
    this.#count = 0
    for (const { starts, values } of lists) {
      this.#add(values, starts[arrival]!, starts[arrival + 1]!)
    }
    if (topics === undefined || topicTerms === undefined) return this.#count
    const { starts, values } = topics
    for (let at = starts[arrival]!; at < starts[arrival + 1]!; at += 1) {
      const terms = topicTerms[values[at]!]!
      this.#add(terms, 0, terms.length)
    }
    return this.#count
  }

  #add(terms: ArrayLike<number>, start: number, end: number): void {
    const seenIn = this.#seenIn
    const turn = this.#turn
    let count = this.#count
    for (let at = start; at < end; at += 1) {
      const term = terms[at]!
      if (seenIn[term] === turn) continue
      seenIn[term] = turn
      this.terms[count] = term
      count += 1
    }
    this.#count = count
  }
}
