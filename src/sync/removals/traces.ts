/**
 * The traces of one person in snapshots: names and handles under every spelling of the SDU, and
 * texts of others that name the person.
 */

import { limits } from '../../limits.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { Identities } from '../../snapshot/people/identities.ts'
import { Owners } from '../../snapshot/people/owners.ts'
import { Profiles } from '../../snapshot/people/profiles.ts'
import { factsIfReadable, storedSnapshots } from '../../snapshot/store/directory.ts'
import { withoutZeros } from '../../snapshot/store/removals.ts'
import { ComparedFacts } from '../changes/facts.ts'

interface Trace {
  readonly name: string
  /** With identifiers, `platform:key`. */
  readonly handles: readonly string[]
}

/** `current` are the owners of handles in the current snapshot. */
interface Traces {
  readonly people: readonly Trace[]
  readonly current: Owners | undefined
}

export interface Mention {
  readonly sdu: string
  readonly field: string
}

/** `7` and `007` are the same here. */
export function isSame(one: string, other: string): boolean {
  return withoutZeros(one) === withoutZeros(other)
}

export function tracesOf(directory: string, sdu: string): Traces {
  const people: Trace[] = []
  let owners: Owners | undefined
  for (const { id, current } of storedSnapshots(directory)) {
    const snapshot = factsIfReadable(directory, id)
    if (snapshot === undefined) continue
    people.push(...tracesIn(snapshot, sdu))
    if (current) owners = new Owners(snapshot)
  }
  return { people, current: owners }
}

function tracesIn(snapshot: StoredFacts, sdu: string): Trace[] {
  const identities = new Identities(snapshot)
  const ordinals = spellingsOf(sdu)
    .map((spelling) => identities.find(spelling))
    .filter((ordinal) => ordinal >= 0)
  if (ordinals.length === 0) return []
  const facts = new ComparedFacts(snapshot)
  return ordinals.map((ordinal) => ({
    name: String(facts.profileOf(ordinal).name),
    handles: facts.handlesOf(ordinal),
  }))
}

function spellingsOf(sdu: string): string[] {
  const bare = withoutZeros(sdu)
  const lengths = Array.from({ length: limits.sduDigitsMax + 1 - bare.length }, (_, zeros) => zeros)
  return lengths.map((zeros) => '0'.repeat(zeros) + bare)
}

/** As whole words. O(profiles). */
export function mentionsOf(directory: string, id: string, names: readonly string[]): Mention[] {
  const snapshot = names.length === 0 ? undefined : factsIfReadable(directory, id)
  if (snapshot === undefined) return []
  const shape = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${names.map(escaped).join('|')})(?![\\p{L}\\p{N}])`,
    'iu',
  )
  const profiles = new Profiles(snapshot)
  const mentions: Mention[] = []
  for (let ordinal = 0; ordinal < snapshot.header.counts.authorities; ordinal += 1) {
    const { sdu, ...fields } = JSON.parse(profiles.textAt(ordinal)) as Readonly<
      Record<string, unknown>
    >
    for (const [field, value] of Object.entries(fields)) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      if (shape.test(text)) mentions.push({ sdu: String(sdu), field })
    }
  }
  return mentions
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
