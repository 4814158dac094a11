/**
 * Two snapshots side by side: each person and topic of the one with its counterpart in the other. People match
 * by SDU, topics by key, so that neither an order nor a spelling is taken for a change.
 */
import {
  allTexts,
  findBytes,
  findText,
  Scratch,
  type TextTable,
  textAt,
} from '../../memory/text-table.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { Identities, identityTexts } from '../../snapshot/people/identities.ts'
import { labelsOf, tableOf } from '../../snapshot/text-tables.ts'
import { topicKey } from '../../text/analyzer.ts'

/** The snapshot before and the next one, and where each finds its own in the other. */
export interface Pair {
  readonly before: StoredFacts
  readonly next: StoredFacts
  /** For each ordinal before, the one that the same person has next; -1 for who is gone. */
  readonly successors: Int32Array
  /** For each ordinal next, the one that the same person had before; -1 for who is new. */
  readonly predecessors: Int32Array
  /** Number of people in both snapshots. */
  readonly stayed: number
  /** For each topic before, the one that its label means next, as a label or an alias; or -1. */
  readonly topicSuccessors: Int32Array
}

/** Compares who is in two snapshots. O(people and topics). */
export function pairOf(before: StoredFacts, next: StoredFacts): Pair {
  const [peopleBefore, peopleNext] = [new Identities(before), new Identities(next)]
  const successors = peopleBefore.ordinalsIn(peopleNext)
  const predecessors = peopleNext.ordinalsIn(peopleBefore)
  const stayed = predecessors.reduce((sum, ordinal) => sum + Number(ordinal >= 0), 0)
  const topicSuccessors = Int32Array.from(topicKeysOf(before), (key) => findTopic(next, key))
  return { before, next, successors, predecessors, stayed, topicSuccessors }
}

/** For each entry of a table, the entry of the same text in another; -1 where there is none. */
export function entriesIn({ text, ends }: TextTable, other: TextTable): Int32Array {
  const found = new Int32Array(ends.length)
  for (let entry = 0, start = 0; entry < ends.length; entry += 1) {
    found[entry] = findBytes(other, text, start, ends[entry]!)
    start = ends[entry]!
  }
  return found
}

/** The keys of the labels of all topics. */
export function topicKeysOf(snapshot: StoredFacts): string[] {
  return allTexts(labelsOf(snapshot)).map(topicKey)
}

/** The label of a topic. */
export function labelOf(snapshot: StoredFacts, topic: number): string {
  return textAt(labelsOf(snapshot), topic)
}

/** The members of a topic, by rank. */
export function membersOf({ sections }: StoredFacts, topic: number): Uint32Array {
  const starts = sections['topic.member-starts']
  return sections['topic.members'].subarray(starts[topic], starts[topic + 1])
}

/** Reads the names of people by ordinal. */
export function personNamesOf(snapshot: StoredFacts): (ordinal: number) => string {
  const identities = identityTexts(snapshot)
  return (ordinal) => JSON.parse(`${identities.textAt(ordinal)}}`).name
}

/** The topic that a key means, as a label or an alias; or -1. */
export function findTopic(snapshot: StoredFacts, key: string): number {
  const entry = findText(tableOf(snapshot, 'topic-key'), key, new Scratch())
  return entry < 0 ? -1 : snapshot.sections['topic-key.topics'][entry]!
}

/**
 * Maximum number of people whose profiles are read: a share of so many is right to within one in a hundred, and reading
 * all of a million would keep a sync from everything else.
 */
const sampleMax = 20_000

/** Ordinals below a count, evenly spread; all of them where they are few. */
export function sampleOf(count: number): number[] {
  const length = Math.min(count, sampleMax)
  return Array.from({ length }, (_, index) => Math.floor((index * count) / length))
}

/** A part of a whole as a share of it; of nothing, 0, and 1 where there is a part all the same. */
export function shareOf(part: number, whole: number): number {
  if (whole > 0) return part / whole
  return part > 0 ? 1 : 0
}
