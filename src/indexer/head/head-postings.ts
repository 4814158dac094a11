/**
 * The words, names and meanings of a head: each list holds those of its ordinals that are below the number of its
 * people, which are its first. Words that only people behind it have are left out; meanings keep their numbers.
 */

import { Interner } from '../../memory/interner.ts'
import { textAt } from '../../memory/text-table.ts'
import { piecesOf } from '../../snapshot/deletion-signatures.ts'
import { filterShape } from '../../snapshot/filters.ts'
import { listFormOf, readPacked } from '../../snapshot/packed-lists.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { type FieldPostings, fieldSections, wordSections } from '../field-sections.ts'
import { tabled } from '../text-sections.ts'

/** Ordinals of a list that is read. */
type ListAt = (list: number) => Uint32Array

/** The sections of terms and of the three fields. O(postings). */
export function postingsOfHead(sections: Sections, people: number) {
  const words = wordsOf(sections)
  const terms = keptTerms(words, sections['term.ends'].length, people)
  const texts = new Interner()
  const table = { text: sections['term.text'], ends: sections['term.ends'] }
  for (const term of terms) texts.intern(textAt(table, term))
  const pieces = piecesOf(texts.table())
  const meanings = Array.from({ length: sections['meaning.starts'].length - 1 }, (_, list) => list)
  const topics = sections['topic.member-starts'].length - 1
  const ofMeanings = firstOf(listsOf(sections, 'meaning'), meanings, people)
  return {
    ...tabled('term', texts.table()),
    'piece.starts': pieces.starts,
    'piece.terms': pieces.terms,
    'piece.letters': pieces.letters,
    ...fieldSections('name', firstOf(listsOf(sections, 'name'), terms, people), people),
    ...wordSections(firstOf(words, terms, people), people),
    ...fieldSections('meaning', ofMeanings, people),
    'meaning.topic-ranks': topicRanks(sections, ofMeanings, topics, people),
  }
}

/** The terms that one of the first people has; a list ascends, so that its first says it. */
function keptTerms(words: ListAt, terms: number, people: number): number[] {
  const kept: number[] = []
  for (let term = 0; term < terms; term += 1) {
    const [first = people] = words(term)
    if (first < people) kept.push(term)
  }
  return kept
}

/** The ordinals below a number, of some lists. */
function firstOf(listAt: ListAt, lists: readonly number[], people: number): FieldPostings {
  const starts = new Uint32Array(lists.length + 1)
  lists.forEach((list, index) => {
    starts[index + 1] = starts[index]! + lengthBelow(listAt(list), people)
  })
  const ordinals = new Uint32Array(starts[lists.length]!)
  lists.forEach((list, index) => {
    ordinals.set(listAt(list).subarray(0, starts[index + 1]! - starts[index]!), starts[index])
  })
  return { starts, ordinals }
}

/** The number of ascending numbers that are below another. */
function lengthBelow(numbers: Uint32Array, below: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle]! < below) low = middle + 1
    else high = middle
  }
  return low
}

function listsOf(sections: Sections, field: 'name' | 'meaning'): ListAt {
  const [starts, ordinals] = [sections[`${field}.starts`], sections[`${field}.ordinals`]]
  return (list) => ordinals.subarray(starts[list], starts[list + 1])
}

/** The packed lists of all words; each is good until the next. */
function wordsOf(sections: Sections): ListAt {
  const authorities = sections['authority.scores'].length
  const [starts, places] = [sections['word.starts'], sections['word.places']]
  const [ordinals, rowStarts] = [sections['word.ordinals'], sections['word.filter-starts']]
  const packed = { halves: sections['word.halves'], rows: sections['word.filters'] }
  const room = new Uint32Array(authorities)
  return (list) => {
    const size = starts[list + 1]! - starts[list]!
    const place = places[list]!
    const isWhole = listFormOf(filterShape(size, authorities)) === 'whole'
    if (isWhole) return ordinals.subarray(place, place + size)
    const row = rowStarts[list]!
    return room.subarray(0, readPacked(packed, { size, place, row }, authorities, room))
  }
}

/** The place of each member of a topic among the members that are left, in the order of ordinals. */
function topicRanks(
  sections: Sections,
  { starts, ordinals }: FieldPostings,
  topics: number,
  people: number,
): Uint32Array {
  const whole = sections['topic.member-starts']
  const members = sections['topic.members']
  const places = new Uint32Array(people)
  const ranks = new Uint32Array(starts[topics]!)
  for (let topic = 0; topic < topics; topic += 1) {
    let place = 0
    for (let at = whole[topic]!; at < whole[topic + 1]!; at += 1) {
      if (members[at]! >= people) continue
      place += 1
      places[members[at]!] = place
    }
    for (let at = starts[topic]!; at < starts[topic + 1]!; at += 1)
      ranks[at] = places[ordinals[at]!]!
  }
  return ranks
}
