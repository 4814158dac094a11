/**
 * A removed person stays removed: left out of what is read under any SDU, and every snapshot that still has them is
 * removed, so that no roll-back brings them back.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { claimOfIdentifier, claimOfSocial } from '../../indexer/claims.ts'
import type { Complaint } from '../../indexer/collector.ts'
import { Refusal, unlessRefused } from '../../problems.ts'
import type { Owners } from '../../snapshot/people/owners.ts'
import { removeSnapshot, storedFacts, storedSnapshots } from '../../snapshot/store/directory.ts'
import {
  holdsRemoved,
  listLost,
  partsOf,
  type Removals,
  readRemovals,
  removalsFile,
} from '../../snapshot/store/removals.ts'
import { pointers } from '../../snapshot/store/states.ts'
import type { AuthorityRecord } from '../../source/schema.ts'

interface Passed {
  readonly record: AuthorityRecord | undefined
  readonly complaints: readonly Complaint[]
}

export class LeftOut {
  /** Of the current snapshot. */
  readonly owners: Owners | undefined
  readonly #learned = new Map<string, Set<string>>()
  #removals: Removals
  /**
   * With every handle that was learned, also of other owners: nothing may show or connect these.
   */
  #named: Removals

  constructor(removals: Removals, owners?: Owners) {
    this.#removals = removals
    this.#named = removals
    this.owners = owners
  }

  /** After `settle` with the handles that were learned. */
  get removals(): Removals {
    return this.#removals
  }

  /**
   * A record of a removed person is left out, without complaint. One that has a handle or an
   * identifier of theirs is left out with a complaint; but if its SDU is in the current snapshot it
   * is taken, without them unless it owns them there.
   * @param read the record as the source has it, `corrected` as it is right.
   */
  pass(read: AuthorityRecord, corrected: AuthorityRecord): Passed {
    if (this.#removals.length === 0) return { record: corrected, complaints: [] }
    if (this.#removals.has(read.sdu)) {
      this.#learn(read)
      this.#learn(corrected)
      return { record: undefined, complaints: [] }
    }
    const isTheirs = ({ end }: Claimed) =>
      this.#removals.has(end) && this.owners?.ownerOf(end) !== read.sdu
    const theirs = claimsOf(corrected).filter(isTheirs)
    if (theirs.length === 0) return { record: corrected, complaints: [] }
    if (this.owners?.has(read.sdu)) {
      const fields = new Set(theirs.map(({ field }) => field))
      const record = {
        ...corrected,
        socials: corrected.socials.filter(({ platform }) => !fields.has(`socials.${platform}`)),
        identifiers: corrected.identifiers.filter(
          ({ scheme }) => !fields.has(`identifiers.${scheme}`),
        ),
      }
      const reason = 'is that of a removed person; the record is taken without it'
      return { record, complaints: [...fields].map((field) => ({ field, reason, isReturn: true })) }
    }
    const reason = 'is that of a removed person; the record is left out'
    return { record: undefined, complaints: [{ field: theirs[0]!.field, reason, isReturn: true }] }
  }

  has(end: string): boolean {
    return this.#named.has(end)
  }

  /** Adds the learned handles, except those that another person owns. */
  settle(isOwned: (end: string) => boolean): void {
    for (const [sdu, ends] of this.#learned) {
      const handles = [...ends].filter((end) => !isOwned(end))
      this.#removals = this.#removals.with({ sdu, handles }, { reason: '', at: '' })
    }
  }

  isNamedIn(text: string): boolean {
    return this.#named.isNamedIn(text)
  }

  #learn(record: AuthorityRecord): void {
    const { sdu } = record
    const ends = this.#learned.get(sdu) ?? new Set()
    for (const { end } of claimsOf(record, true)) ends.add(end)
    this.#learned.set(sdu, ends)
    this.#named = this.#named.with({ sdu, handles: [...ends] }, { reason: '', at: '' })
  }
}

interface Claimed {
  readonly end: string
  readonly field: string
}

/** @param whole also unverified socials. */
function claimsOf({ socials, identifiers }: AuthorityRecord, whole = false): Claimed[] {
  const claims = [
    ...socials.filter(({ verified }) => whole || verified).map(claimOfSocial),
    ...identifiers.map(claimOfIdentifier),
  ]
  return claims.flatMap(({ name, part, read: { handle } }) =>
    handle === undefined
      ? []
      : [{ end: `${handle.platform}:${handle.key}`, field: `${name}.${part}` }],
  )
}

/**
 * Refuses to go on where the list falls short of the one that a snapshot there was made with: those
 * who are on that list only would come back. So would all without its key.
 * @throws Refusal `held-back`.
 */
export function requireList(directory: string): void {
  if (!existsSync(directory)) return
  const list = readRemovals(directory)
  const place = join(directory, removalsFile.name)
  const { secret, file } = list.key
  if (secret === undefined) {
    const hint = 'put it back, or name its file with --removal-key; nothing was published'
    throw new Refusal('held-back', `${place}: its key is not at ${file}; ${hint}`)
  }
  for (const { path, header } of storedSnapshots(directory)) {
    const loss = header && listLost(header.sourceFingerprint, list)
    if (loss === undefined) continue
    const hint = 'put back the file from a backup, or sync into another directory'
    throw new Refusal('held-back', `${place}: ${loss} (${path}); ${hint}; nothing was published`)
  }
}

/**
 * Removes every snapshot that has one of them, or that cannot be read to see.
 * @param spared the current one, where there is none to follow it.
 */
export function removeHolders(directory: string, removals: Removals, spared?: string): string[] {
  if (removals.length === 0) return []
  const removed: string[] = []
  for (const { id, header, pinned } of storedSnapshots(directory)) {
    if (id === spared) continue
    if (header !== undefined && partsOf(header.sourceFingerprint).digest === removals.digest)
      continue
    const holds = unlessRefused(() => holdsRemoved(storedFacts(directory, id), removals))
    if (holds === false) continue
    if (pinned) pointers.PINNED.remove(directory)
    removeSnapshot(directory, id)
    removed.push(id)
  }
  return removed
}
