/**
 * Postings: for each term the authorities whose name holds it, and those whose name, topics or bio
 * hold it. Terms are numbered in the order of their UTF-8 bytes, so that those with one beginning
 * are a range; ordinals ascend, so that every list is in authority order.
 */

import { fillSlots, type Texts, type TextTable } from '../memory/text-table.ts'
import { piecesOf } from '../snapshot/deletion-signatures.ts'
import { type FieldPostings, fieldSections, wordSections } from './field-sections.ts'
import { tabled } from './text-sections.ts'

/** Lists of numbers: list i is `values[starts[i]]` to `values[starts[i + 1]]`, exclusive. */
export interface ListView {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

/** Terms by number, and by arrival of an authority: those of its name, bio and topics. */
interface HeldTerms {
  readonly terms: TextTable
  readonly names: ListView
  readonly bios: ListView
  /** Topics of each authority, and the terms of each topic. */
  readonly topics: ListView
  readonly topicTerms: readonly (readonly number[])[]
}

/** The sections that keywords are found by. */
export type PostingSections = ReturnType<typeof postingSections>

/**
 * The vocabulary with its pieces, and both kinds of postings. O(terms in all texts).
 * @param arrivals of the authorities, in the order of their ordinals.
 */
export function postingSections(held: HeldTerms, arrivals: Uint32Array) {
  const { names, bios, topics, topicTerms } = held
  const { table, numbers } = sortedVocabulary(held.terms)
  const visitName: Visit = (arrival, see) => visitList(names, arrival, see)
  const visitAll: Visit = (arrival, see) => {
    visitList(names, arrival, see)
    visitList(bios, arrival, see)
    visitList(topics, arrival, (topic) => topicTerms[topic]!.forEach(see))
  }
  const pieces = piecesOf(table)
  return {
    ...tabled('term', table),
    'piece.starts': pieces.starts,
    'piece.terms': pieces.terms,
    'piece.letters': pieces.letters,
    ...fieldSections('name', invert(arrivals, numbers, visitName), arrivals.length),
    ...wordSections(invert(arrivals, numbers, visitAll), arrivals.length),
  }
}

/** Shows every term of an authority, perhaps several times. */
type Visit = (arrival: number, see: (term: number) => void) => void

function visitList({ starts, values }: ListView, list: number, see: (term: number) => void): void {
  const end = starts[list + 1]!
  for (let index = starts[list]!; index < end; index += 1) see(values[index]!)
}

/** The vocabulary in byte order, and the new number of each term. */
function sortedVocabulary({ text, ends }: Texts) {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.length)
  const startOf = (term: number) => (term === 0 ? 0 : ends[term - 1]!)
  const order = Uint32Array.from(ends, (_, term) => term)
  order.sort((a, b) => bytes.compare(bytes, startOf(b), ends[b]!, startOf(a), ends[a]!))
  const sorted = { text: new Uint8Array(text.length), ends: new Uint32Array(ends.length) }
  const numbers = new Uint32Array(ends.length)
  let end = 0
  order.forEach((term, number) => {
    sorted.text.set(text.subarray(startOf(term), ends[term]!), end)
    end += ends[term]! - startOf(term)
    sorted.ends[number] = end
    numbers[term] = number
  })
  return { table: { ...sorted, slots: fillSlots(sorted) }, numbers }
}

/** Turns the terms of each authority into the authorities of each term, each once. */
function invert(arrivals: Uint32Array, numbers: Uint32Array, visit: Visit): FieldPostings {
  const starts = new Uint32Array(numbers.length + 1)
  const seenIn = new Uint32Array(numbers.length)
  const eachOnce = (take: (number: number, ordinal: number) => void) => {
    seenIn.fill(0)
    arrivals.forEach((arrival, ordinal) => {
      visit(arrival, (term) => {
        if (seenIn[term] === ordinal + 1) return
        seenIn[term] = ordinal + 1
        take(numbers[term]!, ordinal)
      })
    })
  }
  eachOnce((number) => {
    starts[number + 1]! += 1
  })
  for (let term = 1; term < starts.length; term += 1) starts[term]! += starts[term - 1]!
  const ends = starts.slice()
  const ordinals = new Uint32Array(starts.at(-1)!)
  eachOnce((number, ordinal) => {
    ordinals[ends[number]!++] = ordinal
  })
  return { starts, ordinals }
}
