/**
 * How much of what is said of the people in both has changed. Read from the profiles as they are
 * served, of a sample: a share of 20,000 is right to within one in a hundred, and reading all
 * of a million would keep a sync from everything else.
 */
import type { PagedTexts } from '../../memory/paged-texts.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { itemsOf } from '../../snapshot/section-pages.ts'
import { topicKey } from '../../text/analyzer.ts'
import { type Pair, shareOf } from './pair.ts'
import { isPlaceholder, isSpoiled } from './single/faulty-texts.ts'

const sampleMax = 20_000
/** That so many have the same name is no fault of anything. */
const namesakes = 3

/** A profile, as far as it is compared. */
interface Profile {
  readonly name: string
  readonly bio: string
  readonly country: string
  readonly topics: readonly string[]
  readonly socials: Readonly<Record<string, { readonly followers: number }>>
  readonly website: string | null
}

/** What is compared of each field; '' is nothing said. */
const fields = {
  name: ({ name }: Profile) => name,
  bio: ({ bio }: Profile) => bio,
  country: ({ country }: Profile) => country,
  topics: ({ topics }: Profile) => topics.map(topicKey).join(),
  website: ({ website }: Profile) => website ?? '',
  // How many there are changes every day; that there are any does not.
  followers: ({ socials }: Profile) =>
    Object.values(socials).some(({ followers }) => followers > 0) ? 'some' : '',
} as const

/** The fields that are compared. */
export type ChangedField = keyof typeof fields

/** What may become wrong with somebody's texts. */
const faults = {
  spoiled: ({ name, bio, country, topics }: Profile) =>
    [name, bio, country, ...topics].some(isSpoiled),
  placeholder: ({ name, bio, country, website }: Profile) =>
    [name, bio, country, website ?? ''].some(isPlaceholder),
} as const

/** What became wrong with texts. */
export type TextFault = keyof typeof faults

/** The names of the fields that are compared. */
export const changedFields = Object.keys(fields) as ChangedField[]

/**
 * Of each field, the share of those who had it and have another one or none now; of each fault, the
 * share of the people in both who have it now and had it not.
 */
export function fieldChanges({
  before,
  next,
  successors,
}: Pair): Record<ChangedField | TextFault, number> {
  const [profilesBefore, profilesNext] = [itemsOf(before, 'profile'), itemsOf(next, 'profile')]
  const had = newCounts()
  const changed = newCounts()
  const faulty = { spoiled: 0, placeholder: 0 }
  let compared = 0
  for (const ordinal of sample(successors.length)) {
    const successor = successors[ordinal]!
    if (successor < 0) continue
    const was = profileOf(profilesBefore, ordinal)
    const is = profileOf(profilesNext, successor)
    compared += 1
    for (const [fault, has] of Object.entries(faults)) {
      if (has(is) && !has(was)) faulty[fault as TextFault] += 1
    }
    for (const name of changedFields) {
      const value = fields[name](was)
      if (value === '') continue
      had[name] += 1
      if (value !== fields[name](is)) changed[name] += 1
    }
  }
  for (const name of changedFields) changed[name] = shareOf(changed[name], had[name])
  const spoiled = shareOf(faulty.spoiled, compared)
  return { ...changed, spoiled, placeholder: shareOf(faulty.placeholder, compared) }
}

/** The share of the people in both with followers who have ten times as many or a tenth now. */
export function followersRescaled({ before, next, successors }: Pair): number {
  let had = 0
  let rescaled = 0
  successors.forEach((successor, ordinal) => {
    const was = before.sections['authority.followers'][ordinal]!
    if (successor < 0 || was === 0) return
    had += 1
    const is = next.sections['authority.followers'][successor]!
    if (is >= was * 10 || is * 10 <= was) rescaled += 1
  })
  return shareOf(rescaled, had)
}

/** By how much more of the people carry the commonest name than before; 0 where it is less. */
export function commonestNameGrowth({ before, next }: Pair): number {
  return Math.max(0, commonestNameShare(next) - commonestNameShare(before))
}

/** The share of the people who have the commonest name, beyond the few who have any in common. */
function commonestNameShare(snapshot: StoredFacts): number {
  const counts = new Map<string, number>()
  const profiles = itemsOf(snapshot, 'profile')
  const ordinals = sample(snapshot.header.counts.authorities)
  for (const ordinal of ordinals) {
    const { name } = profileOf(profiles, ordinal)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  let most = namesakes
  for (const count of counts.values()) most = Math.max(most, count)
  return shareOf(most - namesakes, ordinals.length)
}

function newCounts(): Record<ChangedField, number> {
  return Object.fromEntries(changedFields.map((name) => [name, 0])) as Record<ChangedField, number>
}

function profileOf(profiles: PagedTexts, ordinal: number): Profile {
  return JSON.parse(profiles.textAt(ordinal))
}

/** Ordinals below a count, evenly spread; all of them where they are few. */
function sample(count: number): number[] {
  const length = Math.min(count, sampleMax)
  return Array.from({ length }, (_, index) => Math.floor((index * count) / length))
}
