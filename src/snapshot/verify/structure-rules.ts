/** Rules of every section by its kind (texts, columns, lists, tables), of people, topics and handles. */
import { limits } from '../../limits.ts'
import { compareDigits } from '../../memory/ascii.ts'
import { valueEnd } from '../../memory/json-members.ts'
import { leastLevels } from '../../memory/least-in-range.ts'
import { countOf, equal, findHashed, hashBytes, type TextTable } from '../../memory/text-table.ts'
import { isGapList } from '../gaps.ts'
import { beforeSdu, betweenSduAndName, Identities, sduEnd, sduStart } from '../people/identities.ts'
import { pagesOf } from '../people/profiles.ts'
import {
  type CountName,
  type Declared,
  declarations,
  type SectionName,
  type SectionOf,
  sectionNames,
  textTables,
} from '../sections.ts'
import { tableOf } from '../text-tables.ts'
import { startsOfPage } from '../texts/stored-texts.ts'
import {
  areAscending,
  areBelow,
  countsAs,
  every,
  fill,
  isEqual,
  isSo,
  type Rule,
  type Rules,
  rise,
  type Verified,
} from './rule.ts'

export function* structureRules(verified: Verified): Rules {
  yield* declaredRules(verified)
  yield* peerRules(verified)
  yield* profileRules(verified)
  yield* identityRules(verified)
  yield* tableRules(verified)
  yield* orderRules(verified)
  yield* topicRules(verified)
  yield* handleRules(verified)
}

function* profileRules({ sections, counts, isOnDisk }: Verified): Rules {
  const starts = sections['profile.starts']
  const pages = pagesOf(sections, counts)
  yield countsAs('profile.starts', starts, counts.authorities + pages.length, 'authorities')
  if (isOnDisk) return
  for (const [page, { length }] of pages.entries()) {
    yield* rise('profile.starts', startsOfPage(sections, counts, page), length)
  }
}

/** What is declared of sections. */
function* declaredRules({ sections, counts }: Verified): Rules {
  const numbersOf = (name: string) => sections[name as SectionOf<'uint32'>]
  for (const name of sectionNames) {
    const { count, lists, cut, below, upTo, ascend, levelsOf }: Declared = declarations[name]
    const numbers = sections[name]
    if (lists !== undefined) {
      const isOneForEach = numbers.length === counts[lists] + 1
      yield isSo(name, isOneForEach, `does not hold one list for each of the ${lists}`)
    }
    if (cut !== undefined) yield* rise(cut as SectionName, numbersOf(cut), numbers.length)
    if (count !== undefined) {
      const wanted = count.includes('.') ? numbersOf(count).length : counts[count as CountName]
      yield countsAs(name, numbers, wanted, count)
    }
    if (below !== undefined) yield areBelow(name, numbers, counts[below])
    if (upTo !== undefined) yield areBelow(name, numbers, counts[upTo] + 1)
    if (ascend !== undefined) yield areAscending(name, numbersOf(cut!), numbers, counts[ascend])
    if (levelsOf !== undefined) {
      yield isEqual(
        name,
        numbersOf(name),
        leastLevels(numbersOf(levelsOf)),
        'those of their numbers',
      )
    }
  }
}

function* peerRules({ sections, counts }: Verified): Rules {
  const { authorities, nodes, peerLists } = counts
  // No section is as long as there are nodes.
  const haveLists = nodes >= authorities && nodes <= peerLists
  yield isSo('peer.starts', haveLists, 'does not hold one list for each of the nodes')
  const [starts, gaps] = [sections['peer.starts'], sections['peer.gaps']]
  const bounds = { most: limits.peersPerHandleMax, below: authorities }
  const problem = 'is not one of different authorities, as many as are kept'
  yield every('peer.gaps', ['list', peerLists, 128], problem, (list) =>
    isGapList(gaps, starts[list]!, starts[list + 1]!, bounds),
  )
}

const begins = Buffer.from(beforeSdu)
const goesOn = Buffer.from(betweenSduAndName)

function* identityRules({ sections, counts: { authorities } }: Verified): Rules {
  const [json, starts] = [sections['identity.json'], sections['identity.starts']]
  yield every('identity.json', ['identity', authorities], 'is no SDU and name', (ordinal) =>
    isIdentity(json, starts[ordinal]!, starts[ordinal + 1]!),
  )
  yield* fill('identity.slots', sections['identity.slots'], authorities)
  const people = new Identities({ sections })
  yield every('identity.slots', ['text', authorities, 512], 'is not found by it', (ordinal) =>
    people.isFound(ordinal),
  )
}

function isIdentity(json: Uint8Array, start: number, end: number): boolean {
  const sduEnds = sduEnd(json, sduStart(start))
  const name = sduEnds + goesOn.length
  return (
    name < end &&
    equal(json, start, begins, 0, begins.length) &&
    equal(json, sduEnds, goesOn, 0, goesOn.length) &&
    valueEnd(json, name - 1) === end
  )
}

function* tableRules({ sections }: Verified): Rules {
  for (const name of textTables) {
    const table = tableOf({ sections }, name)
    yield* fill(`${name}.slots`, table.slots, countOf(table))
    yield areFound(`${name}.slots`, table)
  }
}

/** Hashes made before the first look-up: the processor then fetches many slots at a time. */
const hashedAtOnce = 512

/** Every text is found, as itself: so no other is the same. */
function areFound(section: SectionName, table: TextTable): Rule {
  const { text, starts } = table
  const hashes = new Uint32Array(hashedAtOnce)
  const firstWrong = (first: number, last: number) => {
    for (let entry = first; entry < last; entry += 1) {
      hashes[entry - first] = hashBytes(text, starts[entry]!, starts[entry + 1]!)
    }
    for (let entry = first; entry < last; entry += 1) {
      const hash = hashes[entry - first]!
      if (findHashed(table, text, starts[entry]!, starts[entry + 1]!, hash) !== entry) return entry
    }
    return -1
  }
  const named = { each: 'text', problem: 'is not found by it' }
  return { section, ...named, entries: countOf(table), step: hashedAtOnce, firstWrong }
}

/** Hundredths of the highest score. */
const scoreMax = 10_000

/** Authorities are numbered by descending score, ties by SDU as a number. */
function* orderRules({ sections, counts: { authorities } }: Verified): Rules {
  const scores = sections['authority.scores']
  const [json, starts] = [sections['identity.json'], sections['identity.starts']]
  yield isSo('authority.scores', (scores[0] ?? 0) <= scoreMax, 'a score is above 100')
  yield every(
    'authority.scores',
    ['authority', authorities],
    'has a higher score than the one before',
    (ordinal) => ordinal === 0 || scores[ordinal]! <= scores[ordinal - 1]!,
  )
  yield every(
    'identity.json',
    ['authority', authorities],
    'has no higher SDU than the one before with its score',
    (ordinal) => {
      if (ordinal === 0 || scores[ordinal]! < scores[ordinal - 1]!) return true
      const one = sduStart(starts[ordinal - 1]!)
      const other = sduStart(starts[ordinal]!)
      return compareDigits(json, one, sduEnd(json, one), other, sduEnd(json, other)) < 0
    },
  )
}

const comma = 44
const openBrace = 123
const closeBrace = 125

function* topicRules({ sections, counts: { authorities, topics } }: Verified): Rules {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const seenIn = new Uint32Array(authorities)
  yield every('topic.members', ['topic', topics, 64], 'has a member twice', (topic) => {
    for (let index = starts[topic]!; index < starts[topic + 1]!; index += 1) {
      if (seenIn[members[index]!] === topic + 1) return false
      seenIn[members[index]!] = topic + 1
    }
    return true
  })
  const coreTopics = sections['authority.core-topics']
  const coreRanks = sections['authority.core-ranks']
  yield every(
    'authority.core-ranks',
    ['authority', authorities],
    'has not the position in its topic',
    (ordinal) => {
      const topic = coreTopics[ordinal]!
      const index = starts[topic]! + coreRanks[ordinal]! - 1
      const isInTopic = index >= starts[topic]! && index < starts[topic + 1]!
      return isInTopic && members[index] === ordinal
    },
  )
  const json = sections['topic.json']
  const itemStarts = sections['topic.item-starts']
  const jsonStarts = sections['topic.json-starts']
  yield countsAs('topic.item-starts', itemStarts, topics + 1, 'topics')
  yield* rise('topic.item-starts', itemStarts, jsonStarts.length - 1)
  yield every('topic.item-starts', ['topic', topics], 'has not its first items', (topic) => {
    const size = starts[topic + 1]! - starts[topic]!
    return itemStarts[topic + 1]! - itemStarts[topic]! === Math.min(limits.resultsMax, size)
  })
  yield every('topic.json', ['topic', topics, 512], 'has an item that is no object', (topic) => {
    const firstItem = itemStarts[topic]!
    for (let item = firstItem; item < itemStarts[topic + 1]!; item += 1) {
      const first = jsonStarts[item]!
      const isFirst = item === firstItem
      const isApart = isFirst || json[first] === comma
      const isOpen = json[isFirst ? first : first + 1] === openBrace
      if (!isApart || !isOpen || json[jsonStarts[item + 1]! - 1] !== closeBrace) return false
    }
    return true
  })
}

/** A handle has at least one node; those with several have a list of peers of their own. */
function* handleRules({ sections, counts }: Verified): Rules {
  const starts = sections['handle.node-starts']
  const nodes = sections['handle.nodes']
  const shared = sections['handle.shared']
  const handles = ['handle', counts.handles] as const
  yield every('handle.node-starts', handles, 'has no node', (handle) => {
    return starts[handle]! < starts[handle + 1]!
  })
  yield every('handle.nodes', handles, 'has nodes that do not ascend', (handle) => {
    for (let index = starts[handle]! + 1; index < starts[handle + 1]!; index += 1) {
      if (nodes[index]! < nodes[index - 1]!) return false
    }
    return true
  })
  let found = 0
  yield every('handle.shared', handles, 'has not its own peers', (handle) => {
    // Nodes of a handle ascend, so that the first and the last are one only when all are.
    if (nodes[starts[handle]!] === nodes[starts[handle + 1]! - 1]) return true
    found += 1
    return shared[found - 1] === handle
  })
  const isEach = found === shared.length && counts.nodes + found === counts.peerLists
  yield isSo('handle.shared', isEach, 'there are not as many as lists of peers of handles')
}
