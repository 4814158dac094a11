/** Rules of search: terms with their pieces, postings with their filters, meanings and topics. */
import { isBefore, rangesOf } from '../../memory/text-order.ts'
import { piecesOf } from '../deletion-signatures.ts'
import { fillFilter, filterShape, type Run } from '../filters.ts'
import { listFormOf, listPlacesOf, readPacked } from '../packed-lists.ts'
import { type Counts, type Field, fields, type Sections, wholeShare } from '../sections.ts'
import { textsOf } from '../text-tables.ts'
import { countsAs, doAscend, every, isEqual, isSo, type Rules, type Verified } from './rule.ts'

export function* searchRules(verified: Verified): Rules {
  yield* vocabularyRules(verified)
  yield* packedListRules(verified)
  for (const field of Object.keys(fields) as Field[]) yield* postingRules(field, verified)
  yield* shareRules(verified)
  yield* topicMeaningRules(verified)
  yield* topicListRules(verified)
}

/** Terms ascend by their bytes, so that those with one beginning are a range; the pieces are those of the terms. */
function* vocabularyRules({ sections, counts }: Verified): Rules {
  const terms = textsOf({ sections }, 'term')
  const ranges = rangesOf(terms)
  yield every('term.text', ['term', counts.terms], 'is not behind the one before', (term) => {
    return term === 0 || isBefore(ranges, term - 1, term, 0)
  })
  const pieces = piecesOf(terms)
  for (const part of ['starts', 'terms', 'letters'] as const) {
    yield isEqual(`piece.${part}`, sections[`piece.${part}`], pieces[part], 'those of the terms')
  }
}

/** Packed lists begin where those before them end, and each has one place for each number. */
function* packedListRules({ sections, counts: { terms, authorities } }: Verified): Rules {
  const starts = sections['word.starts']
  const isOneForEach = starts.length === terms + 1 && starts[0] === 0
  yield isSo('word.starts', isOneForEach, 'does not hold one list for each of the terms')
  yield every('word.starts', ['term', terms], 'has no list of authorities', (term) => {
    const size = starts[term + 1]! - starts[term]!
    return size >= 0 && size <= authorities
  })
  const { places, whole, halved } = listPlacesOf(starts, authorities)
  const stored = sections['word.places']
  yield every('word.places', ['list', terms], 'is not where it is said to be', (list) => {
    return places[list] === stored[list]
  })
  yield countsAs('word.ordinals', sections['word.ordinals'], whole, 'those in lists written whole')
  yield countsAs('word.halves', sections['word.halves'], halved, 'those in lists in halves')
}

function* postingRules(field: Field, { sections, counts }: Verified): Rules {
  const { authorities } = counts
  const starts = sections[`${field}.starts`]
  const rowStarts = sections[`${field}.filter-starts`]
  const rows = sections[`${field}.filters`]
  const lists = ['list', counts[fields[field]], 512] as const
  yield every(`${field}.filter-starts`, lists, 'has not its own row', (list) => {
    const { words, ranks } = filterShape(starts[list + 1]! - starts[list]!, authorities)
    return rowStarts[list + 1]! - rowStarts[list]! === words + ranks
  })
  const isPacked = field === 'word'
  const numbersOf = isPacked ? wordNumbers(sections, counts) : numbersIn(sections, field)
  const longest = filterShape(authorities, authorities)
  const made = new Uint32Array(longest.words + longest.ranks)
  yield every(`${field}.filters`, lists, 'has the row of another, or does not ascend', (list) => {
    const numbers = numbersOf(list)
    if (numbers.end - numbers.start !== starts[list + 1]! - starts[list]!) return false
    // All others are proved to ascend as lists.
    if (isPacked && !doAscend(numbers, authorities)) return false
    const row = rowStarts[list]!
    const length = rowStarts[list + 1]! - row
    if (length === 0) return true
    made.fill(0, 0, length)
    fillFilter(made, 0, numbers, authorities)
    for (let at = 0; at < length; at += 1) if (rows[row + at] !== made[at]) return false
    return true
  })
}

/** The numbers of each list; good until the next. */
type NumbersOf = (list: number) => Run

function numbersIn(sections: Sections, field: Exclude<Field, 'word'>): NumbersOf {
  const starts = sections[`${field}.starts`]
  const values = sections[`${field}.ordinals`]
  return (list) => ({ values, start: starts[list]!, end: starts[list + 1]! })
}

function wordNumbers(sections: Sections, { authorities }: Counts): NumbersOf {
  const starts = sections['word.starts']
  const places = sections['word.places']
  const rowStarts = sections['word.filter-starts']
  const ordinals = sections['word.ordinals']
  const packed = { halves: sections['word.halves'], rows: sections['word.filters'] }
  const room = new Uint32Array(authorities)
  return (list) => {
    const size = starts[list + 1]! - starts[list]!
    const place = places[list]!
    if (listFormOf(filterShape(size, authorities)) === 'whole') {
      return { values: ordinals, start: place, end: place + size }
    }
    const end = readPacked(packed, { size, place, row: rowStarts[list]! }, authorities, room)
    return { values: room, start: 0, end }
  }
}

/** Ranks are the order of the shares, equals by authority, and all shares of a topic are its whole. */
function* shareRules({ sections, counts: { topics } }: Verified): Rules {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const shares = sections['topic.shares']
  const problem = 'is not in the order of its shares, or they are not its whole'
  yield every('topic.shares', ['topic', topics, 64], problem, (topic) => {
    const [start, end] = [starts[topic]!, starts[topic + 1]!]
    let sum = 0
    for (let index = start; index < end; index += 1) {
      const share = shares[index]!
      sum += share
      if (index === start || shares[index - 1]! > share) continue
      if (shares[index - 1]! < share || members[index]! <= members[index - 1]!) return false
    }
    // Each was rounded.
    return Math.abs(sum - wholeShare) <= end - start
  })
}

function* topicMeaningRules({ sections, counts }: Verified): Rules {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const meaningStarts = sections['meaning.starts']
  const ordinals = sections['meaning.ordinals']
  const ranks = sections['meaning.topic-ranks']
  const isOneForEach = counts.meanings === counts.topics + counts.places + counts.attributes
  const problem = 'does not hold one list for each topic, place and attribute'
  yield isSo('meaning.starts', isOneForEach, problem)
  yield every(
    'meaning.starts',
    ['topic', counts.topics + 1],
    'has not its own members',
    (topic) => {
      return meaningStarts[topic] === starts[topic]
    },
  )
  const topics = ['topic', counts.topics, 64] as const
  yield every('meaning.topic-ranks', topics, 'has a rank that is not the one in it', (topic) => {
    const [start, end] = [starts[topic]!, starts[topic + 1]!]
    for (let index = start; index < end; index += 1) {
      const rank = ranks[index]!
      const isRank = rank >= 1 && rank <= end - start
      if (!isRank || members[start + rank - 1] !== ordinals[index]) return false
    }
    return true
  })
}

/** Each person has topics, the core topic first, and all of them together are the memberships. */
function* topicListRules({ sections, counts }: Verified): Rules {
  const topics = sections['authority.topics']
  const starts = sections['authority.topic-starts']
  const coreTopics = sections['authority.core-topics']
  yield countsAs('authority.topics', topics, sections['topic.members'].length, 'memberships')
  const people = ['authority', counts.authorities] as const
  yield every('authority.topics', people, 'has not the core topic first', (ordinal) => {
    const start = starts[ordinal]!
    return start < starts[ordinal + 1]! && topics[start] === coreTopics[ordinal]
  })
}
