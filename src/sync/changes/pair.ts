/**
 * Two snapshots side by side. People match by SDU, topics by key, so that neither an order nor a
 * spelling is taken for a change.
 */
import { allTexts, findBytes, findText, Scratch, type TextTable } from '../../memory/text-table.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { Identities, identityTexts } from '../../snapshot/people/identities.ts'
import { labelsOf, tableOf } from '../../snapshot/text-tables.ts'
import { topicKey } from '../../text/analyzer.ts'

export interface Pair {
  readonly before: StoredFacts
  readonly next: StoredFacts
  /** By ordinal before, the one next; -1 for who is gone. */
  readonly successors: Int32Array
  /** By ordinal next, the one before; -1 for who is new. */
  readonly predecessors: Int32Array
  readonly stayed: number
  /** By topic before, the one that its label means next, as a label or an alias; or -1. */
  readonly topicSuccessors: Int32Array
}

/** O(people and topics). */
export function pairOf(before: StoredFacts, next: StoredFacts): Pair {
  const [peopleBefore, peopleNext] = [new Identities(before), new Identities(next)]
  const successors = peopleBefore.ordinalsIn(peopleNext)
  const predecessors = peopleNext.ordinalsIn(peopleBefore)
  const stayed = predecessors.reduce((sum, ordinal) => sum + Number(ordinal >= 0), 0)
  const topicSuccessors = Int32Array.from(topicKeysOf(before), (key) => findTopic(next, key))
  return { before, next, successors, predecessors, stayed, topicSuccessors }
}

/** The entry of the same text in the other table; -1 where there is none. */
export function entriesIn({ text, starts }: TextTable, other: TextTable): Int32Array {
  return Int32Array.from({ length: starts.length - 1 }, (_, entry) =>
    findBytes(other, text, starts[entry]!, starts[entry + 1]!),
  )
}

export function topicKeysOf(snapshot: StoredFacts): string[] {
  return allTexts(labelsOf(snapshot)).map(topicKey)
}

export function membersOf({ sections }: StoredFacts, topic: number): Uint32Array {
  const starts = sections['topic.member-starts']
  return sections['topic.members'].subarray(starts[topic], starts[topic + 1])
}

export function personNamesOf(snapshot: StoredFacts): (ordinal: number) => string {
  const identities = identityTexts(snapshot)
  return (ordinal) => JSON.parse(`${identities.textAt(ordinal)}}`).name
}

export function findTopic(snapshot: StoredFacts, key: string): number {
  const entry = findText(tableOf(snapshot, 'topic-key'), key, new Scratch())
  return entry < 0 ? -1 : snapshot.sections['topic-key.topics'][entry]!
}

/**
 * Shares of so many people are right to within one in a hundred; all of a million take too long.
 */
const sampleMax = 20_000

export function sampleOf(count: number): number[] {
  const length = Math.min(count, sampleMax)
  return Array.from({ length }, (_, index) => Math.floor((index * count) / length))
}

/** Of nothing: 0, or 1 where there is a part all the same. */
export function shareOf(part: number, whole: number): number {
  if (whole > 0) return part / whole
  return part > 0 ? 1 : 0
}
