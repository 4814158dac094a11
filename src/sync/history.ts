/**
 * What outlives a snapshot: a file of what changed since the one before, in its place before the
 * snapshot is announced. Of a person who was removed for good it holds only the departure.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../problems.ts'
import { changeOf, type PersonChanges } from '../snapshot/changes/change.ts'
import {
  changedPeople,
  changeEntries,
  changesFolder,
  nextNumber,
  publishChanges,
  removeUnannounced,
  rewriteChanges,
} from '../snapshot/changes/change-directory.ts'
import { headerDigestOf, type SnapshotHeader } from '../snapshot/header.ts'
import type { Removals } from '../snapshot/store/removals.ts'
import { asLine, stateFile } from '../snapshot/store/state-file.ts'
import { Differences } from './changes/differences.ts'
import type { Pair } from './changes/pair.ts'
import { stabilityOf } from './changes/stability.ts'

/** Digest of the removals that all files were written without, in their folder. */
const without = stateFile('WITHOUT', asLine())

interface AnnouncementPlan {
  readonly snapshots: string
  readonly header: SnapshotHeader
  readonly current: string | undefined
  /** Undefined where there is no current one that can be read. */
  readonly pair: Pair | undefined
  readonly nowMs: number
  readonly removals: Removals
}

export function writeHistory(announcement: AnnouncementPlan): void {
  const { snapshots, header, current, pair, nowMs, removals } = announcement
  const { id, createdAt, recipe, counts } = header
  const number = nextNumber(snapshots, current)
  removeUnannounced(snapshots, number)
  const facts = {
    number,
    id,
    parent: pair === undefined ? null : pair.before.header.id,
    announcedAt: new Date(nowMs).toISOString(),
    createdAt,
    recipe,
    digest: headerDigestOf(header),
    counts,
    stability: pair === undefined ? null : stabilityOf(pair),
  }
  const differences = pair && new Differences(pair).people()
  const nameless = (person: PersonChanges) => withoutRemoved(person, removals)
  publishChanges(snapshots, facts, changedPeople(differences ?? [], nameless))
}

/** Only the departure stays of a person who was removed, or was merged into one who was. */
function withoutRemoved(person: PersonChanges, removals: Removals): PersonChanges | undefined {
  const { sdu, changes } = person
  if (removals.has(sdu)) {
    const hasGone = changes.some(({ type }) => type === 'removed' || type === 'merged')
    if (!hasGone) return undefined
    const [only] = changes
    const isTombstone = only!.type === 'removed' && only!.before === null
    return isTombstone ? person : { sdu, changes: [changeOf('removed', null, null)] }
  }
  const isInto = changes.some(({ type, after }) => type === 'merged' && removals.has(String(after)))
  if (!isInto) return person
  const nameless = changes.map((change) =>
    change.type === 'merged' ? changeOf('removed', change.before, null) : change,
  )
  return { sdu, changes: nameless }
}

/** Takes everybody who was removed out of all files; one that cannot be read to see is removed. */
export function eraseFromHistory(snapshots: string, removals: Removals): void {
  const entries = changeEntries(snapshots)
  const folder = join(snapshots, changesFolder)
  if (entries.length === 0 || (without.read(folder).value ?? '') === removals.digest) return
  for (const entry of entries) {
    try {
      rewriteChanges(snapshots, entry, (person) => withoutRemoved(person, removals))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      rmSync(entry.path)
    }
  }
  without.write(folder, removals.digest)
}
