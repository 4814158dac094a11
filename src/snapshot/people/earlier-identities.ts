/**
 * Identities of formats before 13: SDUs stood in sections of their own, and profiles held the identity. Facts of
 * such a snapshot get the sections of this format when they are read.
 */
import { valueEnd } from '../../memory/json-members.ts'
import type { SnapshotHeader } from '../header.ts'
import { pageSections, pagesOf } from '../section-pages.ts'
import type { PageName, Sections } from '../sections.ts'
import { nameStart } from './identities.ts'

/** The first format with identities. */
const firstVersion = 13

/** The section of an earlier format that holds the slots of identities. */
const earlierSlots = 'sdu.slots'

/** The sections that identities are made of. */
type EarlierFacts = Pick<Sections, 'profile.json' | 'profile.ends' | PageName> & {
  readonly [earlierSlots]: Uint32Array
}

/** Whether identities are made of a section of facts, which this format does not have. */
export function isEarlierFact(name: string): boolean {
  return name === earlierSlots
}

/** The facts of any format as this format has them. O(bytes) for an earlier one, whose profiles are written over. */
export function withIdentities<S extends object>(
  header: Pick<SnapshotHeader, 'counts' | 'version'>,
  sections: S,
) {
  if (header.version >= firstVersion) return sections
  return { ...sections, ...identitiesFrom(header, sections as unknown as EarlierFacts) }
}

/** Identities of an earlier format, and its profiles without them. */
function identitiesFrom(
  { counts }: Pick<SnapshotHeader, 'counts'>,
  { [earlierSlots]: slots, ...sections }: EarlierFacts,
) {
  const ends = sections['profile.ends']
  const mask = counts.authoritiesPerPage - 1
  const pages = pagesOf(sections, 'profile.json', counts)
  const pageOf = (ordinal: number) => pages[Math.floor(ordinal / counts.authoritiesPerPage)]!
  const startOf = (ordinal: number) => ((ordinal & mask) === 0 ? 0 : ends[ordinal - 1]!)
  const identityEnds = new Uint32Array(ends.length)
  for (let ordinal = 0, end = 0; ordinal < ends.length; ordinal += 1) {
    end += identityLength(pageOf(ordinal), startOf(ordinal))
    identityEnds[ordinal] = end
  }
  const identities = new Uint8Array(identityEnds.at(-1) ?? 0)
  const restEnds = new Uint32Array(ends.length)
  for (let ordinal = 0, at = 0, to = 0; ordinal < ends.length; ordinal += 1) {
    if ((ordinal & mask) === 0) to = 0
    const [page, start] = [pageOf(ordinal), startOf(ordinal)]
    const middle = start + identityEnds[ordinal]! - at
    identities.set(page.subarray(start, middle), at)
    page.copyWithin(to, middle, ends[ordinal])
    at = identityEnds[ordinal]!
    to += ends[ordinal]! - middle
    restEnds[ordinal] = to
  }
  const lastOf = (page: number) => Math.min(ends.length, (page + 1) * counts.authoritiesPerPage) - 1
  const rests = pages.map((page, number) => page.subarray(0, restEnds[lastOf(number)] ?? 0))
  return {
    ...pageSections('profile.json', rests),
    'profile.ends': restEnds,
    'identity.json': identities,
    'identity.ends': identityEnds,
    'identity.slots': slots,
  }
}

/** Bytes of the identity that a profile begins with. */
function identityLength(page: Uint8Array, start: number): number {
  return valueEnd(page, nameStart(page, start) - 1) - start
}
