/**
 * Checks that the sections of a snapshot agree with each other. Everything that the catalog relies on without looking
 * (offsets in order, references in range, tables that end every probe, ranks that are positions) is checked here once,
 * so that serving never has to. Columns are taken out of the sections before a loop, which looks a name up a hundred
 * times more slowly than it reads a number.
 */

import { limits } from '../../limits.ts'
import { compareDigits } from '../../memory/digits.ts'
import { findHashed, hashBytes, type TextTable } from '../../memory/text-table.ts'
import { gapsProblem } from '../gaps.ts'
import { sduEnd, sduStart } from '../people/identities.ts'
import { pagesOf } from '../section-pages.ts'
import {
  type Counts,
  columns,
  lists,
  pagedTables,
  type References,
  type Sections,
  textTables,
} from '../sections.ts'
import { areBelow, type Check, type Finding, type Rest, stepLength } from './contradiction.ts'
import { slotProblem } from './slot-problem.ts'
import { attributeChecks } from './verify-attributes.ts'
import { evidenceChecks } from './verify-evidence.ts'
import { checkIdentities } from './verify-identities.ts'
import { searchChecks } from './verify-search.ts'

/**
 * The first contradiction between the sections, or undefined. O(bytes).
 * @param rest called every few tenths of a millisecond.
 * @param texts given where texts stay in the file.
 */
export function verifySections(
  sections: Sections,
  counts: Counts,
  rest: Rest = () => {},
  texts?: object,
): Finding {
  for (const check of checks) {
    const contradiction = check(sections, counts, rest, texts)
    if (contradiction !== undefined) return contradiction
  }
  return undefined
}

/** In this order: a later check may read through what an earlier one has proved. */
const checks: readonly Check[] = [
  checkTexts,
  checkPages,
  checkColumns,
  checkLists,
  checkNodes,
  checkPeers,
  checkIdentities,
  checkTables,
  checkOrder,
  checkTopics,
  checkCoreRanks,
  checkItems,
  checkHandles,
  ...searchChecks,
  ...attributeChecks,
  ...evidenceChecks,
]

function checkTexts(sections: Sections, counts: Counts, rest: Rest): Finding {
  for (const { text, ends, count } of textTables) {
    if (sections[ends].length !== counts[count]) {
      return { section: ends, problem: `length is not the number of ${count}` }
    }
    const problem = risingProblem(sections[ends], sections[text].length, endless, rest)
    if (problem !== undefined) return { section: ends, problem }
  }
  return undefined
}

/** The texts of everybody are texts by their pages. */
function checkPages(sections: Sections, counts: Counts, rest: Rest, texts?: object): Finding {
  const { authorities, authoritiesPerPage } = counts
  for (const { text, ends: section } of pagedTables) {
    const ends = sections[section]
    if (ends.length !== authorities) {
      return { section, problem: 'length is not the number of authorities' }
    }
    // Texts that stay in the file were held against their ends when it was read.
    if (texts !== undefined) continue
    for (const [page, { length }] of pagesOf(sections, text, counts).entries()) {
      const first = page * authoritiesPerPage
      const own = ends.subarray(first, first + authoritiesPerPage)
      const problem = risingProblem(own, length, endless, rest)
      if (problem !== undefined) return { section, problem }
    }
  }
  return undefined
}

/** No list is as long as this. */
const endless = 0xffff_ffff

/** Offsets must not fall, must leave no list longer than it may be, and end exactly at `last`. */
function risingProblem(offsets: Uint32Array, last: number, lengthMax: number, rest: Rest) {
  let before = 0
  for (let index = 0; index < offsets.length; index += 1) {
    if (index % stepLength === 0) rest()
    const offset = offsets[index]!
    if (offset < before) return 'offsets are out of order'
    if (offset - before > lengthMax) return `a list is longer than ${lengthMax}`
    before = offset
  }
  return before === last ? undefined : 'the last offset is not the end'
}

function checkColumns(sections: Sections, counts: Counts, rest: Rest): Finding {
  for (const { values, count, below } of columns) {
    if (sections[values].length !== counts[count]) {
      return { section: values, problem: `length is not the number of ${count}` }
    }
    if (below === undefined || areBelow(sections[values], counts[below], rest)) continue
    return { section: values, problem: 'a reference is out of range' }
  }
  return undefined
}

function checkLists(sections: Sections, counts: Counts, rest: Rest): Finding {
  for (const { starts, values, count, below, ascending, lengthMax = endless } of lists) {
    const offsets = sections[starts]
    if (offsets.length !== counts[count] + 1 || offsets[0] !== 0) {
      return { section: starts, problem: `does not hold one list for each of the ${count}` }
    }
    const problem = risingProblem(offsets, sections[values].length, lengthMax, rest)
    if (problem !== undefined) return { section: starts, problem }
    if (below === undefined) continue
    const valueProblem = valuesProblem(offsets, sections[values], counts[below], ascending, rest)
    if (valueProblem !== undefined) return { section: values, problem: valueProblem }
  }
  return undefined
}

function valuesProblem(
  starts: Uint32Array,
  values: References,
  below: number,
  ascending = false,
  rest: Rest,
): string | undefined {
  // Each loop reads one kind of array, which the engine reads faster than two.
  if (values instanceof Uint8Array) return areBytesBelow(values, below) ? undefined : outOfRange
  if (ascending) return ascendingProblem(starts, values, below, rest)
  return areBelow(values, below, rest) ? undefined : outOfRange
}

const outOfRange = 'a reference is out of range'

function areBytesBelow(bytes: Uint8Array, below: number): boolean {
  for (let index = 0; index < bytes.length; index += 1) if (bytes[index]! >= below) return false
  return true
}

/** Of an ascending list only the last number can be the one that is out of range. */
function ascendingProblem(starts: Uint32Array, values: References, below: number, rest: Rest) {
  for (let list = 1, at = 0; list < starts.length; list += 1) {
    if (list % stepLength === 0) rest()
    const end = starts[list]!
    let before = -1
    for (; at < end; at += 1) {
      const value = values[at]!
      if (value <= before) return 'a list is not in ascending order'
      before = value
    }
    if (before >= below) return outOfRange
  }
  return undefined
}

/** Every node has a list of peers; no section is as long as there are nodes. */
function checkNodes(_: Sections, { authorities, nodes, peerLists }: Counts) {
  return nodes >= authorities && nodes <= peerLists
    ? undefined
    : ({ section: 'peer.starts', problem: 'does not hold one list for each of the nodes' } as const)
}

/** Peers are different authorities, and no more than are kept of a handle. */
function checkPeers(sections: Sections, counts: Counts, rest: Rest): Finding {
  const starts = sections['peer.starts']
  const gaps = sections['peer.gaps']
  const bounds = { most: limits.peersPerHandleMax, below: counts.authorities }
  for (let list = 0; list < counts.peerLists; list += 1) {
    if (list % (stepLength / 64) === 0) rest()
    const problem = gapsProblem(gaps, starts[list]!, starts[list + 1]!, bounds)
    if (problem !== undefined) return { section: 'peer.gaps', problem }
  }
  return undefined
}

function checkTables(sections: Sections, _: Counts, rest: Rest): Finding {
  for (const { text, ends, slots } of textTables) {
    if (slots === undefined) continue
    const table = { text: sections[text], ends: sections[ends], slots: sections[slots] }
    const problem = slotProblem(table.slots, table.ends.length, rest) ?? findProblem(table, rest)
    if (problem !== undefined) return { section: slots, problem }
  }
  return undefined
}

/**
 * Texts whose hashes are made before the first of them is looked up: the processor then fetches the
 * slots of many at a time.
 */
const hashedAtOnce = 512

/** Every text must be found, as itself: so no other is the same. */
function findProblem(table: TextTable, rest: Rest): string | undefined {
  const { text, ends } = table
  const hashes = new Uint32Array(hashedAtOnce)
  const startOf = (entry: number) => (entry === 0 ? 0 : ends[entry - 1]!)
  for (let first = 0; first < ends.length; first += hashedAtOnce) {
    rest()
    const last = Math.min(ends.length, first + hashedAtOnce)
    for (let entry = first; entry < last; entry += 1) {
      hashes[entry - first] = hashBytes(text, startOf(entry), ends[entry]!)
    }
    for (let entry = first; entry < last; entry += 1) {
      const found = findHashed(table, text, startOf(entry), ends[entry]!, hashes[entry - first]!)
      if (found !== entry) return `text ${entry} is not found by it`
    }
  }
  return undefined
}

/** Hundredths of the highest score. */
const scoreMax = 10_000

/** Authorities must be numbered by descending score, ties by SDU as a number. */
function checkOrder(sections: Sections, counts: Counts, rest: Rest): Finding {
  const scores = sections['authority.scores']
  const text = sections['identity.json']
  const ends = sections['identity.ends']
  if ((scores[0] ?? 0) > scoreMax)
    return { section: 'authority.scores', problem: 'a score is above 100' }
  for (let ordinal = 1; ordinal < counts.authorities; ordinal += 1) {
    if (ordinal % stepLength === 0) rest()
    const before = scores[ordinal - 1]!
    const score = scores[ordinal]!
    if (before > score) continue
    if (before < score) return { section: 'authority.scores', problem: 'scores are not descending' }
    const one = sduStart(ordinal === 1 ? 0 : ends[ordinal - 2]!)
    const other = sduStart(ends[ordinal - 1]!)
    if (compareDigits(text, one, sduEnd(text, one), other, sduEnd(text, other)) >= 0) {
      return { section: 'identity.json', problem: 'SDUs of equal score are not ascending' }
    }
  }
  return undefined
}

/** Members of a topic must be different. */
function checkTopics(sections: Sections, counts: Counts, rest: Rest): Finding {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const seenIn = new Uint32Array(counts.authorities)
  for (let topic = 0; topic < counts.topics; topic += 1) {
    if (topic % (stepLength / 128) === 0) rest()
    const end = starts[topic + 1]!
    for (let index = starts[topic]!; index < end; index += 1) {
      const member = members[index]!
      if (seenIn[member] === topic + 1) {
        return { section: 'topic.members', problem: `a member stands twice in topic ${topic}` }
      }
      seenIn[member] = topic + 1
    }
  }
  return undefined
}

/** Core ranks must be positions in core topics. */
function checkCoreRanks(sections: Sections, counts: Counts, rest: Rest): Finding {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const topics = sections['authority.core-topics']
  const ranks = sections['authority.core-ranks']
  for (let ordinal = 0; ordinal < counts.authorities; ordinal += 1) {
    if (ordinal % stepLength === 0) rest()
    const topic = topics[ordinal]!
    const start = starts[topic]!
    const index = start + ranks[ordinal]! - 1
    if (index < start || index >= starts[topic + 1]! || members[index] !== ordinal) {
      return { section: 'authority.core-ranks', problem: 'a rank is not the position in its topic' }
    }
  }
  return undefined
}

const comma = 44
const openBrace = 123
const closeBrace = 125

/** Every item of a topic's ready-made JSON must be an object, and there are as many as asked for. */
function checkItems(sections: Sections, counts: Counts, rest: Rest): Finding {
  const json = sections['topic.json']
  const ends = sections['topic.item-ends']
  const starts = sections['topic.item-starts']
  const memberStarts = sections['topic.member-starts']
  const problem = risingProblem(ends, json.length, endless, rest)
  if (problem !== undefined) return { section: 'topic.item-ends', problem }
  for (let topic = 0; topic < counts.topics; topic += 1) {
    if (topic % (stepLength / 16) === 0) rest()
    const members = memberStarts[topic + 1]! - memberStarts[topic]!
    const firstItem = starts[topic]!
    const itemsEnd = starts[topic + 1]!
    if (itemsEnd - firstItem !== Math.min(limits.resultsMax, members)) {
      return { section: 'topic.item-starts', problem: `topic ${topic} has not its first items` }
    }
    for (let item = firstItem; item < itemsEnd; item += 1) {
      const first = item === 0 ? 0 : ends[item - 1]!
      const start = item === firstItem ? first : first + 1
      const separated = item === firstItem || json[first] === comma
      if (!separated || json[start] !== openBrace || json[ends[item]! - 1] !== closeBrace) {
        return { section: 'topic.json', problem: `item ${item} is not an object` }
      }
    }
  }
  return undefined
}

/** A handle has at least one node; those with several have a list of peers of their own. */
function checkHandles(sections: Sections, counts: Counts, rest: Rest): Finding {
  const starts = sections['handle.node-starts']
  const nodes = sections['handle.nodes']
  const shared = sections['handle.shared']
  let found = 0
  for (let handle = 0; handle < counts.handles; handle += 1) {
    if (handle % stepLength === 0) rest()
    const start = starts[handle]!
    const end = starts[handle + 1]!
    if (start === end) {
      return { section: 'handle.node-starts', problem: `handle ${handle} has no node` }
    }
    for (let index = start + 1; index < end; index += 1) {
      if (nodes[index]! < nodes[index - 1]!) {
        return { section: 'handle.nodes', problem: `nodes of handle ${handle} do not ascend` }
      }
    }
    // Nodes of a handle ascend, so that the first and the last are one only when all are.
    if (nodes[start] === nodes[end - 1]) continue
    if (shared[found] !== handle) {
      return { section: 'handle.shared', problem: `handle ${handle} has not its own peers` }
    }
    found += 1
  }
  return found === shared.length && counts.nodes + found === counts.peerLists
    ? undefined
    : { section: 'handle.shared', problem: 'there are not as many as lists of peers of handles' }
}
