/** Announcements with all that a sync leaves of them, one a day, without a source or a gate. */

import { allTexts } from '../../src/memory/text-table.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { Identities } from '../../src/snapshot/people/identities.ts'
import { announce, publish } from '../../src/snapshot/store/directory.ts'
import { readRemovals } from '../../src/snapshot/store/removals.ts'
import { pairOf } from '../../src/sync/changes/pair.ts'
import { writeHistory } from '../../src/sync/history.ts'
import { snapshotOf } from './built.ts'
import type { Records } from './records.ts'

export interface Announced {
  readonly id: string
  /** SDUs by rank, by the label of the topic. */
  readonly rankings: ReadonlyMap<string, readonly string[]>
  readonly scores: ReadonlyMap<string, number>
}

export const dayMs = 86_400_000

/** Announces the snapshots of some records one after the other, on the second of January 1970 and on. */
export function announceAll(directory: string, all: readonly Partial<Records>[]): Announced[] {
  let current: Snapshot | undefined
  const announced: Announced[] = []
  for (const [day, records] of all.entries()) {
    const next = snapshotOf(records)
    if (next.header.id !== current?.header.id) {
      announceNext(directory, current, next, (day + 1) * dayMs)
      current = next
    }
    announced.push(read(next))
  }
  return announced
}

export function announceNext(
  directory: string,
  current: Snapshot | undefined,
  next: Snapshot,
  nowMs: number,
): void {
  publish(directory, next)
  writeHistory({
    snapshots: directory,
    header: next.header,
    current: current?.header.id,
    pair: current && pairOf(current, next),
    nowMs,
    removals: readRemovals(directory),
  })
  announce(directory, next.header.id)
}

function read({ header, sections }: Snapshot): Announced {
  const identities = new Identities({ sections })
  const labels = { text: sections['topic.labels'], starts: sections['topic.label-starts'] }
  const people = Array.from(sections['authority.scores'], (_, ordinal) => identities.sduOf(ordinal))
  const starts = sections['topic.member-starts']
  const rankings = allTexts(labels).map((label, topic): [string, string[]] => {
    const members = sections['topic.members'].subarray(starts[topic], starts[topic + 1])
    return [label, Array.from(members, (ordinal) => people[ordinal]!)]
  })
  return {
    id: header.id,
    rankings: new Map(rankings),
    scores: new Map(
      people.map((sdu, ordinal) => [sdu, sections['authority.scores'][ordinal]! / 100]),
    ),
  }
}
