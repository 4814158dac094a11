import {
  type Change,
  changeOf,
  type PersonChanges,
  type ProfileFields,
} from '../../src/snapshot/changes/change.ts'
import { publishChanges } from '../../src/snapshot/changes/change-directory.ts'
import { sduHash } from '../../src/snapshot/changes/change-file.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { headerDigestOf } from '../../src/snapshot/header.ts'
import { Identities } from '../../src/snapshot/people/identities.ts'
import { profilesOf } from '../../src/snapshot/people/profiles.ts'
import { Random } from '../../test/support/random.ts'

/** How much changes. */
interface YearOptions {
  readonly days: number
  /** Of the people, each day. */
  readonly share: number
}

const dayMs = 86_400_000
const startMs = Date.UTC(2026, 0, 1)

/** Writes the files of a year that ends with a snapshot. */
export function writeYear(directory: string, snapshot: Snapshot, options: YearOptions): void {
  const random = new Random(7, 0)
  const { id, createdAt, recipe, counts } = snapshot.header
  const ids = Array.from({ length: options.days + 1 }, (_, day) =>
    day === options.days ? id : String(day).padStart(32, '0'),
  )
  for (let day = 1; day <= options.days; day += 1) {
    const facts = {
      number: day,
      id: ids[day]!,
      parent: ids[day - 1]!,
      announcedAt: new Date(startMs + day * dayMs).toISOString(),
      createdAt,
      recipe,
      digest: headerDigestOf(snapshot.header),
      counts,
      stability: null,
    }
    publishChanges(directory, facts, peopleOfDay(snapshot, options.share, random))
  }
}

function peopleOfDay(snapshot: Snapshot, share: number, random: Random): PersonChanges[] {
  const { authorities } = snapshot.header.counts
  const people = new Map<number, Change[]>()
  for (let count = Math.ceil(authorities * share); people.size < count; ) {
    const ordinal = random.below(authorities)
    people.set(ordinal, changesOf(snapshot, ordinal, random))
  }
  const identities = new Identities(snapshot)
  return [...people]
    .map(([ordinal, changes]) => ({ sdu: identities.sduOf(ordinal), changes }))
    .sort((a, b) => sduHash(a.sdu) - sduHash(b.sdu))
}

/** What changes of one person on one day; one thing at least. */
function changesOf(snapshot: Snapshot, ordinal: number, random: Random): Change[] {
  const { sections } = snapshot
  const profile: ProfileFields = JSON.parse(profilesOf(snapshot).textAt(ordinal))
  const score = sections['authority.scores'][ordinal]!
  const changes: Change[] = [changeOf('score', random.below(10_000), score)]
  if (random.below(3) === 0) {
    changes.push(changeOf('profile', { bio: profile.bio }, { bio: `${profile.bio} Also writes.` }))
  }
  if (random.below(10) === 0) changes.push(changeOf('handle', null, `github:new${ordinal}`))
  for (const topic of profile.topics as readonly string[]) {
    const before = 1 + random.below(50)
    changes.push({ type: 'rank', topic, before, after: 1 + random.below(50) })
  }
  return changes
}
