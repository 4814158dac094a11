/**
 * Whether the sections of a snapshot agree with each other. Everything that the catalog relies on
 * without looking (offsets in order, references in range, tables that end every probe, ranks that
 * are positions) is checked here once, so that serving never has to.
 */

import { limits } from '../../limits.ts'
import { findBytes, slotCount } from '../../memory/text-table.ts'
import { type Counts, columns, lists, type Sections, textTables } from '../sections.ts'
import type { Check, Contradiction } from './contradiction.ts'
import { attributeChecks } from './verify-attributes.ts'
import { evidenceChecks } from './verify-evidence.ts'
import { searchChecks } from './verify-search.ts'

/** The first contradiction between the sections, or undefined. O(bytes). */
export function verifySections(sections: Sections, counts: Counts): Contradiction | undefined {
  for (const check of checks) {
    const contradiction = check(sections, counts)
    if (contradiction !== undefined) return contradiction
  }
  return undefined
}

/** In this order: a later check may read through what an earlier one has proved. */
const checks: readonly Check[] = [
  checkTexts,
  checkColumns,
  checkLists,
  checkNodes,
  checkTables,
  checkOrder,
  checkSplits,
  checkTopics,
  checkItems,
  checkHandles,
  ...searchChecks,
  ...attributeChecks,
  ...evidenceChecks,
]

function checkTexts(sections: Sections, counts: Counts): Contradiction | undefined {
  for (const { text, ends, count } of textTables) {
    if (sections[ends].length !== counts[count]) {
      return { section: ends, problem: `length is not the number of ${count}` }
    }
    const problem = risingProblem(sections[ends], 0, sections[text].length)
    if (problem !== undefined) return { section: ends, problem }
  }
  return undefined
}

/** Offsets must not fall, must start at `first` or later and end exactly at `last`. */
function risingProblem(
  offsets: Uint32Array | Uint8Array | Uint16Array,
  first: number,
  last: number,
) {
  let before = first
  for (let index = 0; index < offsets.length; index += 1) {
    const offset = offsets[index]!
    if (offset < before) return 'offsets are out of order'
    before = offset
  }
  return before === last ? undefined : 'the last offset is not the end'
}

function checkColumns(sections: Sections, counts: Counts): Contradiction | undefined {
  for (const { values, count, below } of columns) {
    if (sections[values].length !== counts[count]) {
      return { section: values, problem: `length is not the number of ${count}` }
    }
    const problem = below && rangeProblem(sections[values], counts[below])
    if (problem !== undefined) return { section: values, problem }
  }
  return undefined
}

function rangeProblem(values: Uint32Array | Uint8Array | Uint16Array, below: number) {
  for (let index = 0; index < values.length; index += 1) {
    if (values[index]! >= below) return `a reference is out of range: ${values[index]}`
  }
  return undefined
}

function checkLists(sections: Sections, counts: Counts): Contradiction | undefined {
  for (const { starts, values, count, below, ascending, lengthMax } of lists) {
    const offsets = sections[starts]
    if (offsets.length !== counts[count] + 1 || offsets[0] !== 0) {
      return { section: starts, problem: `does not hold one list for each of the ${count}` }
    }
    const problem =
      risingProblem(offsets, 0, sections[values].length) ??
      lengthProblem(offsets, lengthMax ?? Number.POSITIVE_INFINITY)
    if (problem !== undefined) return { section: starts, problem }
    const valueProblem =
      (below && rangeProblem(sections[values], counts[below])) ??
      (ascending ? ascendingProblem(offsets, sections[values]) : undefined)
    if (valueProblem !== undefined) return { section: values, problem: valueProblem }
  }
  return undefined
}

function lengthProblem(starts: Uint32Array | Uint8Array | Uint16Array, lengthMax: number) {
  for (let list = 1; list < starts.length; list += 1) {
    if (starts[list]! - starts[list - 1]! > lengthMax) return `a list is longer than ${lengthMax}`
  }
  return undefined
}

function ascendingProblem(
  starts: Uint32Array | Uint8Array | Uint16Array,
  values: Uint32Array | Uint8Array | Uint16Array,
) {
  for (let list = 1; list < starts.length; list += 1) {
    for (let index = starts[list - 1]! + 1; index < starts[list]!; index += 1) {
      if (values[index]! <= values[index - 1]!) return 'a list is not in ascending order'
    }
  }
  return undefined
}

/** Every node has a list of peers; no section is as long as there are nodes. */
function checkNodes(_: Sections, { authorities, nodes, peerLists }: Counts) {
  return nodes >= authorities && nodes <= peerLists
    ? undefined
    : ({ section: 'peer.starts', problem: 'does not hold one list for each of the nodes' } as const)
}

function checkTables(sections: Sections): Contradiction | undefined {
  for (const { text, ends, slots } of textTables) {
    if (slots === undefined) continue
    const table = {
      text: sections[text] as Uint8Array,
      ends: sections[ends] as Uint32Array,
      slots: sections[slots] as Uint32Array,
    }
    const problem = slotProblem(table.slots, table.ends.length) ?? findProblem(table)
    if (problem !== undefined) return { section: slots, problem }
  }
  return undefined
}

function slotProblem(slots: Uint32Array, entries: number): string | undefined {
  if (slots.length !== slotCount(entries) * 2) return 'length is not that of a table of its texts'
  let filled = 0
  for (let slot = 0; slot < slots.length; slot += 2) {
    if (slots[slot]! > entries) return `a slot is out of range: ${slots[slot]}`
    if (slots[slot] !== 0) filled += 1
  }
  return filled === entries ? undefined : `holds ${filled} of ${entries} texts`
}

function findProblem(table: { text: Uint8Array; ends: Uint32Array; slots: Uint32Array }) {
  for (let entry = 0, start = 0; entry < table.ends.length; entry += 1) {
    const end = table.ends[entry]!
    if (findBytes(table, table.text, start, end) !== entry)
      return `text ${entry} is not found by it`
    start = end
  }
  return undefined
}

/** Hundredths of the highest score. */
const scoreMax = 10_000

/** Authorities must be numbered by descending score, ties by SDU as a number. */
function checkOrder(sections: Sections, counts: Counts): Contradiction | undefined {
  const scores = sections['authority.scores']
  const text = sections['sdu.text']
  const ends = sections['sdu.ends']
  if ((scores[0] ?? 0) > scoreMax)
    return { section: 'authority.scores', problem: 'a score is above 100' }
  for (let ordinal = 1; ordinal < counts.authorities; ordinal += 1) {
    const before = scores[ordinal - 1]!
    const score = scores[ordinal]!
    if (before > score) continue
    if (before < score) return { section: 'authority.scores', problem: 'scores are not descending' }
    const start = ordinal === 1 ? 0 : ends[ordinal - 2]!
    if (compareDigits(text, start, ends[ordinal - 1]!, ends[ordinal]!) >= 0) {
      return { section: 'sdu.text', problem: 'SDUs of equal score are not ascending' }
    }
  }
  return undefined
}

/** Compares the numbers `text[start, middle)` and `text[middle, end)`, by value, then by length. */
function compareDigits(text: Uint8Array, start: number, middle: number, end: number): number {
  const zero = 48
  let a = start
  let b = middle
  while (a < middle && text[a] === zero) a += 1
  while (b < end && text[b] === zero) b += 1
  if (middle - a !== end - b) return middle - a - (end - b)
  for (; a < middle; a += 1, b += 1) {
    if (text[a] !== text[b]) return text[a]! - text[b]!
  }
  return middle - start - (end - middle)
}

function checkSplits(sections: Sections, counts: Counts): Contradiction | undefined {
  const splits = sections['summary.splits']
  const ends = sections['summary.ends']
  for (let ordinal = 0, start = 0; ordinal < counts.authorities; ordinal += 1) {
    if (splits[ordinal]! < start || splits[ordinal]! > ends[ordinal]!) {
      return { section: 'summary.splits', problem: 'a split lies outside its item' }
    }
    start = ends[ordinal]!
  }
  return undefined
}

/** Members of a topic must be different, and core ranks must be positions in core topics. */
function checkTopics(sections: Sections, counts: Counts): Contradiction | undefined {
  const starts = sections['topic.member-starts']
  const members = sections['topic.members']
  const seenIn = new Uint32Array(counts.authorities)
  for (let topic = 0; topic < counts.topics; topic += 1) {
    for (let index = starts[topic]!; index < starts[topic + 1]!; index += 1) {
      if (seenIn[members[index]!] === topic + 1) {
        return { section: 'topic.members', problem: `a member stands twice in topic ${topic}` }
      }
      seenIn[members[index]!] = topic + 1
    }
  }
  return checkCoreRanks(sections, counts)
}

function checkCoreRanks(sections: Sections, counts: Counts): Contradiction | undefined {
  const starts = sections['topic.member-starts']
  for (let ordinal = 0; ordinal < counts.authorities; ordinal += 1) {
    const topic = sections['authority.core-topics'][ordinal]!
    const index = starts[topic]! + sections['authority.core-ranks'][ordinal]! - 1
    if (
      index < starts[topic]! ||
      index >= starts[topic + 1]! ||
      sections['topic.members'][index] !== ordinal
    ) {
      return { section: 'authority.core-ranks', problem: 'a rank is not the position in its topic' }
    }
  }
  return undefined
}

const comma = 44
const openBrace = 123
const closeBrace = 125

/** Every item of a topic's ready-made JSON must be an object, and there are as many as asked for. */
function checkItems(sections: Sections, counts: Counts): Contradiction | undefined {
  const json = sections['topic.json']
  const ends = sections['topic.item-ends']
  const starts = sections['topic.item-starts']
  const memberStarts = sections['topic.member-starts']
  const problem = risingProblem(ends, 0, json.length)
  if (problem !== undefined) return { section: 'topic.item-ends', problem }
  for (let topic = 0; topic < counts.topics; topic += 1) {
    const members = memberStarts[topic + 1]! - memberStarts[topic]!
    if (starts[topic + 1]! - starts[topic]! !== Math.min(limits.resultsMax, members)) {
      return { section: 'topic.item-starts', problem: `topic ${topic} has not its first items` }
    }
    for (let item = starts[topic]!; item < starts[topic + 1]!; item += 1) {
      const first = item === 0 ? 0 : ends[item - 1]!
      const start = item === starts[topic]! ? first : first + 1
      const separated = item === starts[topic]! || json[first] === comma
      if (!separated || json[start] !== openBrace || json[ends[item]! - 1] !== closeBrace) {
        return { section: 'topic.json', problem: `item ${item} is not an object` }
      }
    }
  }
  return undefined
}

/** A handle has at least one node; its peers are its only node's, or a list of its own. */
function checkHandles(sections: Sections, counts: Counts): Contradiction | undefined {
  const starts = sections['handle.node-starts']
  const nodes = sections['handle.nodes']
  for (let handle = 0; handle < counts.handles; handle += 1) {
    const first = nodes[starts[handle]!]
    // Nodes of a handle ascend, so that the first and the last are one only when all are.
    const last = nodes[starts[handle + 1]! - 1]
    const list = sections['handle.peer-lists'][handle]!
    const own = first === last ? list === first : list >= counts.nodes
    if (starts[handle] === starts[handle + 1] || !own) {
      return { section: 'handle.peer-lists', problem: `handle ${handle} has not its own peers` }
    }
    for (let index = starts[handle]! + 1; index < starts[handle + 1]!; index += 1) {
      if (nodes[index]! < nodes[index - 1]!) {
        return { section: 'handle.nodes', problem: `nodes of handle ${handle} do not ascend` }
      }
    }
  }
  return undefined
}
