/**
 * Who was removed stays removed: left out of what is read, and every snapshot that still has them is
 * removed, so that no roll-back brings them back.
 */
import { Refusal } from '../problems.ts'
import { holdsRemoved, partsOf, type Removals } from '../snapshot/store/removals.ts'
import type { SnapshotStore } from '../snapshot/store/store.ts'
import type { AuthorityRecord } from '../source/schema.ts'
import { handleKey } from '../text/handle.ts'

/** Those on a list, while a source is read; their handles are learned from their records. */
export class LeftOut {
  #removals: Removals
  readonly #handles = new Set<string>()
  #people = 0

  constructor(removals: Removals) {
    this.#removals = removals
  }

  /** The list, with the handles that were learned. */
  get removals(): Removals {
    return this.#removals
  }

  /** How many records were left out. */
  get people(): number {
    return this.#people
  }

  /** Whether a record is of one who was removed. All records come before all connections. */
  takes({ sdu, socials }: AuthorityRecord): boolean {
    if (!this.#removals.has(sdu)) return false
    const handles = socials.map(({ platform, handle }) => `${platform}:${handleKey(handle)}`)
    for (const handle of handles) this.#handles.add(handle)
    this.#removals = this.#removals.with({ sdu, handles }, { reason: '', at: '' })
    this.#people += 1
    return true
  }

  /** Whether the end of a connection is one who was removed. */
  has(end: string): boolean {
    return this.#handles.has(end) || this.#removals.has(end)
  }

  /** Whether a text names one of them. */
  isNamedIn(text: string): boolean {
    return this.#removals.isNamedIn(text)
  }
}

/**
 * Removes every snapshot that has one of them, or that cannot be read to see; unpins it first.
 * @param spared the current one, where there is none to follow it.
 * @returns the ids that were removed.
 */
export async function removeHolders(
  store: SnapshotStore,
  removals: Removals,
  spared?: string,
): Promise<string[]> {
  if (removals.length === 0) return []
  const removed: string[] = []
  for (const { id, header, pinned } of await store.list()) {
    if (id === spared) continue
    if (header !== undefined && partsOf(header.sourceFingerprint).digest === removals.digest)
      continue
    if (!(await mayHold(store, id, removals))) continue
    if (pinned) await store.unpin()
    await store.remove(id)
    removed.push(id)
  }
  return removed
}

async function mayHold(store: SnapshotStore, id: string, removals: Removals): Promise<boolean> {
  try {
    return holdsRemoved(await store.load(id), removals)
  } catch (error) {
    if (error instanceof Refusal) return true
    throw error
  }
}
