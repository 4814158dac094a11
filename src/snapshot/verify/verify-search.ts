/**
 * Whether the sections that search relies on agree with each other: the vocabulary with its pieces,
 * filters, and what is meant by topics, places and phrases. What `verify.ts` has proved of texts,
 * columns and lists is taken for granted here.
 */

import { fillFilter, filterWords } from '../filters.ts'
import { piecesOf } from '../pieces.ts'
import {
  type Counts,
  type Field,
  fields,
  type SectionName,
  type Sections,
  wholeShare,
} from '../sections.ts'
import type { Check, Contradiction } from './contradiction.ts'

/** In this order: a later check may read through what an earlier one has proved. */
export const searchChecks: readonly Check[] = [
  checkVocabulary,
  checkPieces,
  checkFilters,
  checkShares,
  checkTopicMeanings,
  checkPlaceMeanings,
  checkPhrases,
]

/** Terms must ascend by their bytes, so that those with one beginning are a range. */
function checkVocabulary(sections: Sections, counts: Counts): Contradiction | undefined {
  const { buffer, byteOffset, length } = sections['term.text']
  const text = Buffer.from(buffer, byteOffset, length)
  const ends = sections['term.ends']
  for (let term = 1, start = 0; term < counts.terms; term += 1) {
    const middle = ends[term - 1]!
    if (text.compare(text, start, middle, middle, ends[term]!) <= 0) {
      return { section: 'term.text', problem: 'terms are not in ascending order' }
    }
    start = middle
  }
  return undefined
}

/** The filter of each list must be the one of its postings. */
function checkFilters(sections: Sections, counts: Counts): Contradiction | undefined {
  for (const field of Object.keys(fields) as Field[]) {
    const contradiction = fieldFilterProblem(field, sections, counts)
    if (contradiction !== undefined) return contradiction
  }
  return undefined
}

function fieldFilterProblem(
  field: Field,
  sections: Sections,
  counts: Counts,
): Contradiction | undefined {
  const { authorities } = counts
  const ordinals = sections[`${field}.ordinals`]
  const starts = sections[`${field}.starts`]
  const filterStarts = sections[`${field}.filter-starts`]
  const longest = filterWords(authorities, authorities)
  const expected = { bits: new Uint32Array(longest), ranks: new Uint32Array(longest) }
  for (let list = 0; list < counts[fields[field]]; list += 1) {
    const held = ordinals.subarray(starts[list], starts[list + 1])
    const start = filterStarts[list]!
    const words = filterWords(held.length, authorities)
    if (filterStarts[list + 1]! - start !== words) {
      return { section: `${field}.filter-starts`, problem: `list ${list} has not its own row` }
    }
    if (words === 0) continue
    expected.bits.fill(0, 0, words)
    fillFilter(expected, 0, held, authorities)
    for (const part of ['bits', 'ranks'] as const) {
      const section = `${field}.filter-${part}` as const
      const values = sections[section]
      for (let word = 0; word < words; word += 1) {
        if (values[start + word] === expected[part][word]) continue
        return { section, problem: `the row of list ${list} is not its own` }
      }
    }
  }
  return undefined
}

/** Pieces must be those of the terms. */
function checkPieces(sections: Sections): Contradiction | undefined {
  const pieces = piecesOf({ text: sections['term.text'], ends: sections['term.ends'] })
  for (const part of ['starts', 'terms', 'letters'] as const) {
    const section = `piece.${part}` as const
    const found = sections[section]
    const expected = pieces[part]
    const differs = expected.some((value, index) => found[index] !== value)
    if (differs || found.length !== expected.length) {
      return { section, problem: 'the pieces are not those of the terms' }
    }
  }
  return undefined
}

/** Ranks are the order of the shares, equals by authority, and all shares of a topic are its whole. */
function checkShares(sections: Sections, counts: Counts): Contradiction | undefined {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const shares = sections['topic.shares']
  for (let topic = 0; topic < counts.topics; topic += 1) {
    let sum = 0
    for (let index = starts[topic]!; index < starts[topic + 1]!; index += 1) {
      sum += shares[index]!
      if (index === starts[topic]) continue
      const fall = shares[index - 1]! - shares[index]! || members[index]! - members[index - 1]!
      if (fall > 0) continue
      return {
        section: 'topic.shares',
        problem: `topic ${topic} is not in the order of its shares`,
      }
    }
    // Each was rounded.
    if (Math.abs(sum - wholeShare) > starts[topic + 1]! - starts[topic]!) {
      return { section: 'topic.shares', problem: `the shares of topic ${topic} are not its whole` }
    }
  }
  return undefined
}

/** By a topic its members are meant, each with the rank that it has there. */
function checkTopicMeanings(sections: Sections, counts: Counts): Contradiction | undefined {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const ordinals = sections['meaning.ordinals']
  const ranks = sections['meaning.topic-ranks']
  if (counts.meanings !== counts.topics + counts.places) {
    return { section: 'meaning.starts', problem: 'does not hold one list for each topic and place' }
  }
  if (ranks.length !== members.length) {
    return { section: 'meaning.topic-ranks', problem: 'length is not that of all members' }
  }
  for (let topic = 0; topic < counts.topics; topic += 1) {
    const start = starts[topic]!
    const end = starts[topic + 1]!
    if (sections['meaning.starts'][topic] !== start) {
      return { section: 'meaning.starts', problem: `topic ${topic} has not its own members` }
    }
    for (let index = start; index < end; index += 1) {
      const rank = ranks[index]!
      if (rank >= 1 && rank <= end - start && members[start + rank - 1] === ordinals[index])
        continue
      return { section: 'meaning.topic-ranks', problem: 'a rank is not the one in its topic' }
    }
  }
  return sections['meaning.starts'][counts.topics] === members.length
    ? undefined
    : { section: 'meaning.starts', problem: 'the places do not begin behind the topics' }
}

/** By a place everybody of its countries is meant. */
function checkPlaceMeanings(sections: Sections, counts: Counts): Contradiction | undefined {
  const people = new Uint32Array(counts.countries)
  for (const country of sections['authority.countries']) people[country]! += 1
  for (let place = 0; place < counts.places; place += 1) {
    const own = listOf(sections, 'place.starts', 'place.countries', place)
    const ordinals = listOf(sections, 'meaning.starts', 'meaning.ordinals', counts.topics + place)
    const expected = own.reduce((sum, country) => sum + people[country]!, 0)
    const areOwn = ordinals.every((each) => own.includes(sections['authority.countries'][each]!))
    if (!areOwn || ordinals.length !== expected) {
      return { section: 'meaning.ordinals', problem: `place ${place} has not its own people` }
    }
  }
  return undefined
}

function listOf(
  sections: Sections,
  starts: 'place.starts' | 'meaning.starts',
  values: 'place.countries' | 'meaning.ordinals',
  list: number,
): Uint32Array {
  return sections[values].subarray(sections[starts][list], sections[starts][list + 1])
}

/** A phrase means a topic or a place that there is, or nothing. */
function checkPhrases(sections: Sections, counts: Counts): Contradiction | undefined {
  const columns: readonly (readonly [section: SectionName, most: number])[] = [
    ['phrase.topics', counts.topics],
    ['phrase.places', counts.places],
    ['phrase.codes', counts.places],
  ]
  for (const [section, most] of columns) {
    if (!sections[section].every((meant) => meant <= most)) {
      return { section, problem: 'a reference is out of range' }
    }
  }
  return undefined
}
