/**
 * Checks that the sections of search agree with each other: the terms with their deletion signatures and
 * filters, and the meanings of topics, places and phrases. It relies on the checks of texts, columns and
 * lists in `verify.ts`.
 */

import { wrongPart } from '../deletion-signatures.ts'
import { filterShape, isFilterOf, type Run } from '../filters.ts'
import { listFormOf, listPlacesOf, readPacked } from '../packed-lists.ts'
import {
  type Counts,
  type Field,
  fields,
  type References,
  type SectionName,
  type Sections,
  wholeShare,
} from '../sections.ts'
import { areBelow, type Check, type Finding, type Rest, stepLength } from './contradiction.ts'

/** In this order: a later check may read through what an earlier one has proved. */
export const searchChecks: readonly Check[] = [
  checkVocabulary,
  checkPieces,
  checkPackedLists,
  checkFilters,
  checkShares,
  checkTopicMeanings,
  checkPlaceMeanings,
  checkPhrases,
]

/** Terms must ascend by their bytes, so that those with one beginning are a range. */
function checkVocabulary(sections: Sections, counts: Counts, rest: Rest) {
  const text = sections['term.text']
  const ends = sections['term.ends']
  for (let term = 1, start = 0; term < counts.terms; term += 1) {
    if (term % stepLength === 0) rest()
    const middle = ends[term - 1]!
    if (!isBefore(text, start, middle, ends[term]!)) {
      return { section: 'term.text', problem: 'terms are not in ascending order' } as const
    }
    start = middle
  }
  return undefined
}

/** Whether the bytes from `start` to `middle` come before those from there to `end`. */
function isBefore(text: Uint8Array, start: number, middle: number, end: number): boolean {
  let a = start
  let b = middle
  while (a < middle && b < end && text[a] === text[b]) {
    a += 1
    b += 1
  }
  if (a === middle || b === end) return b < end
  return text[a]! < text[b]!
}

/** The filter of each list must be the one of its postings. */
function checkFilters(sections: Sections, counts: Counts, rest: Rest): Finding {
  for (const field of Object.keys(fields) as Field[]) {
    const contradiction = fieldFilterProblem(field, sections, counts, rest)
    if (contradiction !== undefined) return contradiction
  }
  return undefined
}

function fieldFilterProblem(field: Field, sections: Sections, counts: Counts, rest: Rest): Finding {
  const { authorities } = counts
  const starts = sections[`${field}.starts`]
  const rowStarts = sections[`${field}.filter-starts`]
  const rows = sections[`${field}.filters`]
  const numbersOf = field === 'word' ? wordNumbers(sections, counts) : numbersIn(sections, field)
  for (let list = 0; list < counts[fields[field]]; list += 1) {
    if (list % (stepLength / 16) === 0) rest()
    const start = starts[list]!
    const end = starts[list + 1]!
    const row = rowStarts[list]!
    const { words, ranks } = filterShape(end - start, authorities)
    if (rowStarts[list + 1]! - row !== words + ranks) {
      return { section: `${field}.filter-starts`, problem: `list ${list} has not its own row` }
    }
    const numbers = numbersOf(list)
    if (
      numbers.end - numbers.start !== end - start ||
      !isFilterOf(rows, row, numbers, authorities)
    ) {
      return { section: `${field}.filters`, problem: `the row of list ${list} is not its own` }
    }
    if (field === 'word' && !doAscend(numbers, authorities)) {
      return { section: 'word.ordinals', problem: `list ${list} is not in ascending order` }
    }
  }
  return undefined
}

/** Whether each number is above the one before it, and all are below another. */
function doAscend({ values, start, end }: Run, below: number): boolean {
  let before = -1
  for (let index = start; index < end; index += 1) {
    const value = values[index]!
    if (value <= before) return false
    before = value
  }
  return before < below
}

/** The numbers of each list; good until the next. */
type NumbersOf = (list: number) => Run

type Changing<T> = { -readonly [K in keyof T]: T[K] }

function numbersIn(sections: Sections, field: Exclude<Field, 'word'>): NumbersOf {
  const starts = sections[`${field}.starts`]
  const run = { values: sections[`${field}.ordinals`], start: 0, end: 0 }
  return (list) => {
    run.start = starts[list]!
    run.end = starts[list + 1]!
    return run
  }
}

/** The same of packed lists. */
function wordNumbers(sections: Sections, { authorities }: Counts): NumbersOf {
  const starts = sections['word.starts']
  const places = sections['word.places']
  const rowStarts = sections['word.filter-starts']
  const ordinals = sections['word.ordinals']
  const packed = { halves: sections['word.halves'], rows: sections['word.filters'] }
  const room = new Uint32Array(authorities)
  const run: Changing<Run> = { values: room, start: 0, end: 0 }
  return (list) => {
    const size = starts[list + 1]! - starts[list]!
    const place = places[list]!
    const isWhole = listFormOf(filterShape(size, authorities)) === 'whole'
    run.values = isWhole ? ordinals : room
    run.start = isWhole ? place : 0
    const own = { size, place, row: rowStarts[list]! }
    run.end = isWhole ? place + size : readPacked(packed, own, authorities, room)
    return run
  }
}

/** Packed lists begin where those before them end, and each has one place for each number. */
function checkPackedLists(sections: Sections, { terms, authorities }: Counts, rest: Rest): Finding {
  const starts = sections['word.starts']
  if (starts.length !== terms + 1 || starts[0] !== 0) {
    return { section: 'word.starts', problem: 'does not hold one list for each of the terms' }
  }
  for (let list = 0; list < terms; list += 1) {
    if (list % stepLength === 0) rest()
    const size = starts[list + 1]! - starts[list]!
    if (size >= 0 && size <= authorities) continue
    return { section: 'word.starts', problem: 'offsets are out of order' }
  }
  const { places, whole, halved } = listPlacesOf(starts, authorities)
  if (places.some((place, list) => place !== sections['word.places'][list])) {
    return { section: 'word.places', problem: 'a list is not where it is said to be' }
  }
  if (sections['word.ordinals'].length !== whole) {
    return { section: 'word.ordinals', problem: 'length is not that of the lists written whole' }
  }
  return sections['word.halves'].length === halved
    ? undefined
    : { section: 'word.halves', problem: 'length is not that of the lists in halves' }
}

/** The deletion signatures must be those of the terms. */
function checkPieces(sections: Sections, _: Counts, rest: Rest): Finding {
  const pieces = {
    starts: sections['piece.starts'],
    terms: sections['piece.terms'],
    letters: sections['piece.letters'],
  }
  const terms = { text: sections['term.text'], ends: sections['term.ends'] }
  const part = wrongPart(pieces, terms, (term) => {
    if (term % (stepLength / 8) === 0) rest()
  })
  return part && { section: `piece.${part}`, problem: 'the pieces are not those of the terms' }
}

/** Ranks are the order of the shares, equals by authority, and all shares of a topic are its whole. */
function checkShares(sections: Sections, counts: Counts, rest: Rest): Finding {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const shares = sections['topic.shares']
  for (let topic = 0; topic < counts.topics; topic += 1) {
    if (topic % (stepLength / 128) === 0) rest()
    const start = starts[topic]!
    const end = starts[topic + 1]!
    let sum = 0
    for (let index = start; index < end; index += 1) {
      const share = shares[index]!
      sum += share
      if (index === start || shares[index - 1]! > share) continue
      if (shares[index - 1] === share && members[index]! > members[index - 1]!) continue
      return {
        section: 'topic.shares',
        problem: `topic ${topic} is not in the order of its shares`,
      }
    }
    // Each was rounded.
    if (Math.abs(sum - wholeShare) > end - start) {
      return { section: 'topic.shares', problem: `the shares of topic ${topic} are not its whole` }
    }
  }
  return undefined
}

/** A topic means its members, each with the rank that it has there. */
function checkTopicMeanings(sections: Sections, counts: Counts, rest: Rest): Finding {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const meaningStarts = sections['meaning.starts']
  const ordinals = sections['meaning.ordinals']
  const ranks = sections['meaning.topic-ranks']
  if (counts.meanings !== counts.topics + counts.places + counts.attributes) {
    const problem = 'does not hold one list for each topic, place and attribute'
    return { section: 'meaning.starts', problem }
  }
  if (ranks.length !== members.length) {
    return { section: 'meaning.topic-ranks', problem: 'length is not that of all members' }
  }
  for (let topic = 0; topic < counts.topics; topic += 1) {
    if (topic % (stepLength / 128) === 0) rest()
    const start = starts[topic]!
    const end = starts[topic + 1]!
    if (meaningStarts[topic] !== start) {
      return { section: 'meaning.starts', problem: `topic ${topic} has not its own members` }
    }
    for (let index = start; index < end; index += 1) {
      const rank = ranks[index]!
      if (rank >= 1 && rank <= end - start && members[start + rank - 1] === ordinals[index])
        continue
      return { section: 'meaning.topic-ranks', problem: 'a rank is not the one in its topic' }
    }
  }
  return meaningStarts[counts.topics] === members.length
    ? undefined
    : { section: 'meaning.starts', problem: 'the places do not begin behind the topics' }
}

/** A place means everybody of its countries. */
function checkPlaceMeanings(sections: Sections, counts: Counts, rest: Rest): Finding {
  const countries = sections['authority.countries']
  const people = new Uint32Array(counts.countries)
  for (let ordinal = 0; ordinal < countries.length; ordinal += 1) people[countries[ordinal]!]! += 1
  const isOwn = new Uint8Array(counts.countries)
  for (let place = 0; place < counts.places; place += 1) {
    rest()
    const own = listOf(sections, 'place.starts', 'place.countries', place)
    const ordinals = listOf(sections, 'meaning.starts', 'meaning.ordinals', counts.topics + place)
    const expected = own.reduce((sum, country) => sum + people[country]!, 0)
    isOwn.fill(0)
    for (const country of own) isOwn[country] = 1
    if (ordinals.length !== expected || !areMarked(isOwn, countries, ordinals)) {
      return { section: 'meaning.ordinals', problem: `place ${place} has not its own people` }
    }
  }
  return undefined
}

/** Whether what a column says of each of some people is marked. */
function areMarked(isMarked: Uint8Array, column: References, ordinals: Uint32Array): boolean {
  for (let index = 0; index < ordinals.length; index += 1) {
    if (isMarked[column[ordinals[index]!]!] === 0) return false
  }
  return true
}

function listOf(
  sections: Sections,
  starts: 'place.starts' | 'meaning.starts',
  values: 'place.countries' | 'meaning.ordinals',
  list: number,
): Uint32Array {
  return sections[values].subarray(sections[starts][list], sections[starts][list + 1])
}

/** A phrase means a topic, a place or an attribute that there is, or nothing. */
function checkPhrases(sections: Sections, counts: Counts, rest: Rest): Finding {
  const columns: readonly (readonly [section: PhraseColumn, most: number])[] = [
    ['phrase.topics', counts.topics],
    ['phrase.topics-behind', counts.topics],
    ['phrase.places', counts.places],
    ['phrase.codes', counts.places],
    ['phrase.attributes', counts.attributes],
    ['phrase.attribute-codes', counts.attributes],
    ['phrase.related', counts.topics],
  ]
  for (const [section, most] of columns) {
    if (!areBelow(sections[section], most + 1, rest)) {
      return { section, problem: 'a reference is out of range' }
    }
  }
  return undefined
}

type PhraseColumn = Extract<
  SectionName,
  `phrase.${'topics' | 'topics-behind' | 'places' | 'codes' | 'attributes' | 'attribute-codes' | 'related'}`
>
