/**
 * Puts a person on the list of removals of a directory, or takes them off it. Every sync honours
 * the list; what is served changes with the next one.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import { pointersOf } from '../../snapshot/store/directory.ts'
import { readRemovals } from '../../snapshot/store/removals.ts'
import { writeDurably } from '../../snapshot/store/state-file.ts'
import { eraseFromHistory } from '../history.ts'
import { listToExtend } from './key-place.ts'
import { eraseCorrections } from './recorded-corrections.ts'
import { removeHolders, requireList } from './removal.ts'
import { isSame, tracesOf } from './traces.ts'

interface RemovalOrder {
  readonly snapshots: string
  /** '' for the usual file. */
  readonly removalKey: string
  readonly sdu: string
  readonly reason: string
  /** Also an SDU that nothing knows. */
  readonly force: boolean
  readonly clock: () => number
}

export interface FoundTraces {
  readonly known: boolean
  readonly names: readonly string[]
  /** Handles that belong to another record in the current snapshot. */
  readonly elsewhere: readonly { readonly handle: string; readonly sdu: string }[]
}

/** @throws Refusal `snapshot-missing` for an SDU that nothing knows, unless it is forced. */
export async function recordRemoval(order: RemovalOrder): Promise<FoundTraces> {
  const { snapshots, removalKey, sdu, reason, force, clock } = order
  const before = listToExtend(snapshots, removalKey)
  requireList(snapshots)
  const traces = tracesOf(snapshots, sdu)
  const known = traces.people.length > 0 || before.has(sdu)
  if (!known && !force) {
    const hint = '--force puts it on the list of removals all the same'
    throw new Refusal('snapshot-missing', `no snapshot has this SDU; ${hint}`)
  }
  const handles = [...new Set(traces.people.flatMap((person) => person.handles))]
  const { current } = traces
  const elsewhere = handles.flatMap((handle) => {
    const owner = current?.ownerOf(handle)
    return owner === undefined || isSame(owner, sdu) ? [] : [{ handle, sdu: owner }]
  })
  const theirs = handles.filter((handle) => elsewhere.every((each) => each.handle !== handle))
  const why = { reason, at: new Date(clock()).toISOString() }
  const removals = before.with({ sdu, handles: theirs }, why)
  removals.write(snapshots)
  eraseCorrections(snapshots, removals)
  const names = [...new Set(traces.people.map(({ name }) => name))]
  cleanRejects(
    snapshots,
    (line) => names.some((each) => line.includes(each)) || removals.isNamedIn(line),
  )
  return { known, names, elsewhere }
}

function cleanRejects(snapshots: string, holds: (line: string) => boolean): void {
  const name = 'rejects.ndjson'
  if (!existsSync(join(snapshots, name))) return
  const lines = readFileSync(join(snapshots, name), 'utf8').split('\n')
  writeDurably(snapshots, name, lines.filter((line) => !holds(line)).join('\n'))
}

/** The current snapshot stays until the next sync. */
export async function removeEarlier(snapshots: string): Promise<void> {
  const { current } = pointersOf(snapshots)
  const removals = readRemovals(snapshots)
  removeHolders(snapshots, removals, current)
  eraseFromHistory(snapshots, removals)
}

/**
 * The next sync takes the person again where the source has them.
 * @returns false where it had been undone. @throws Refusal `snapshot-missing`.
 */
export async function undoRemoval(
  snapshots: string,
  id: string,
  clock: () => number,
): Promise<boolean> {
  requireList(snapshots)
  const removals = readRemovals(snapshots)
  if (removals.entries.every((entry) => entry.id !== id)) {
    throw new Refusal('snapshot-missing', 'there is no removal of this id', 'not-there')
  }
  const without = removals.without(id, new Date(clock()).toISOString())
  without?.write(snapshots)
  return without !== undefined
}
