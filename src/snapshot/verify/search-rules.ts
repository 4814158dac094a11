/** Rules of search: terms with their pieces, postings with their filters, meanings of topics and places, and what filters ask. */
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
  yield* placeMeaningRules(verified)
  yield* topicListRules(verified)
  yield* platformSetRules(verified)
  yield* attributeSetRules(verified)
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

function* placeMeaningRules({ sections, counts }: Verified): Rules {
  const countries = sections['authority.countries']
  const [placeStarts, placeCountries] = [sections['place.starts'], sections['place.countries']]
  const meaningStarts = sections['meaning.starts'].subarray(counts.topics)
  const ordinals = sections['meaning.ordinals']
  const people = new Uint32Array(counts.countries)
  for (let ordinal = 0; ordinal < countries.length; ordinal += 1) people[countries[ordinal]!]! += 1
  const places = ['place', counts.places, 1] as const
  yield every('meaning.ordinals', places, 'has not its own people', (place) => {
    const own = placeCountries.subarray(placeStarts[place], placeStarts[place + 1])
    const [start, end] = [meaningStarts[place]!, meaningStarts[place + 1]!]
    if (end - start !== own.reduce((sum, country) => sum + people[country]!, 0)) return false
    const isOwn = new Uint8Array(counts.countries)
    for (const country of own) isOwn[country] = 1
    for (let index = start; index < end; index += 1) {
      if (isOwn[countries[ordinals[index]!]!] === 0) return false
    }
    return true
  })
}

/**
 * The topics of each person are those that they are a member of, the core topic first. The people that a topic
 * means are its members in the order of their ordinals: so each topic of a person means that person next,
 * and everything is read from its beginning to its end.
 */
function* topicListRules({ sections, counts }: Verified): Rules {
  const topics = sections['authority.topics']
  const starts = sections['authority.topic-starts']
  const coreTopics = sections['authority.core-topics']
  const memberStarts = sections['topic.member-starts']
  const { isNext } = meaningsInTurn(sections, memberStarts)
  const members = sections['topic.members'].length
  yield countsAs('authority.topics', topics, members, 'memberships')
  const people = ['authority', counts.authorities] as const
  yield every('authority.topics', people, 'has not its topics, the core topic first', (ordinal) => {
    const [start, end] = [starts[ordinal]!, starts[ordinal + 1]!]
    if (start === end || topics[start] !== coreTopics[ordinal]) return false
    for (let index = start; index < end; index += 1) {
      if (!isNext(topics[index]!, ordinal)) return false
    }
    return true
  })
}

function* platformSetRules({ sections, counts }: Verified): Rules {
  const section = 'authority.platform-sets'
  const sets = sections[section]
  const starts = sections['platform-set.starts']
  const platforms = sections['platform-set.platforms']
  const nodes = sections['handle.nodes']
  const nodePlatforms = sections['handle.platforms']
  // Position of each person's first platform among all that must be found.
  const places = new Uint32Array(sets.length)
  let left = 0
  for (let ordinal = 0; ordinal < sets.length; ordinal += 1) {
    const set = sets[ordinal]!
    places[ordinal] = left
    left += starts[set + 1]! - starts[set]!
  }
  const isFound = new Uint8Array(left)
  yield every(
    section,
    ['handle', nodes.length],
    'is on a platform that its owner has not',
    (index) => {
      const ordinal = nodes[index]!
      if (ordinal >= counts.authorities) return true
      const set = sets[ordinal]!
      const first = starts[set]!
      let at = first
      while (at < starts[set + 1]! && platforms[at] !== nodePlatforms[index]) at += 1
      if (at === starts[set + 1]!) return false
      const place = places[ordinal]! + at - first
      left -= 1 - isFound[place]!
      isFound[place] = 1
      return true
    },
  )
  yield isSo(section, left === 0, 'somebody has a platform without a handle')
}

function* attributeSetRules({ sections, counts }: Verified): Rules {
  const section = 'authority.attribute-sets'
  const sets = sections[section]
  const starts = sections['attribute-set.starts']
  const attributes = sections['attribute-set.attributes']
  const meanings = sections['meaning.starts'].subarray(counts.topics + counts.places)
  const { isNext, isOver } = meaningsInTurn(sections, meanings)
  yield every(section, ['authority', sets.length], 'has an attribute of others', (ordinal) => {
    const set = sets[ordinal]!
    for (let index = starts[set]!; index < starts[set + 1]!; index += 1) {
      if (!isNext(attributes[index]!, ordinal)) return false
    }
    return true
  })
  yield every(section, ['attribute', meanings.length - 1], 'is not in all its sets', isOver)
}

/** Reads the people that some meanings have, each in its turn. @param starts of the meanings, with the end of the last. */
function meaningsInTurn(sections: Sections, starts: Uint32Array) {
  const meant = sections['meaning.ordinals']
  const next = starts.slice()
  return {
    /** Whether a meaning has a person next, who is read then. */
    isNext: (meaning: number, ordinal: number): boolean => {
      const place = next[meaning]!
      if (meant[place] !== ordinal || place >= starts[meaning + 1]!) return false
      next[meaning] = place + 1
      return true
    },
    isOver: (meaning: number): boolean => next[meaning] === starts[meaning + 1],
  }
}
