/** Changes in a sample of the profiles of the people in both snapshots, as they are served. */
import { textAt } from '../../memory/text-table.ts'
import type { StoredFacts } from '../../snapshot/facts.ts'
import { Profiles } from '../../snapshot/people/profiles.ts'
import { topicKey } from '../../text/analyzer.ts'
import { type Pair, sampleOf, shareOf } from './pair.ts'

/** The same value of so many is never a fault. */
const sameValueMin = 3
/** Clocks of sources may be ahead by so much, and days may have begun elsewhere. */
const aheadMaxMs = 86_400_000

interface Profile {
  readonly name: string
  readonly bio: string
  readonly country: string
  readonly topics: readonly string[]
  readonly socials: Readonly<Record<string, { readonly followers: number }>>
  readonly website: string | null
  /** Times of change and verification, ISO 8601, as JSON; '' for none. */
  readonly provenance: string
}

const changedFields = ['name', 'bio', 'country', 'topics', 'website', 'followers'] as const
const filledFields = ['name', 'bio', 'country', 'topics', 'website'] as const

type Values = Readonly<Record<(typeof changedFields)[number], string>>

type Fault = 'spoiled' | 'placeholder' | 'future'

interface ProfileChanges {
  /** Of those who had the field. */
  readonly changed: Readonly<Record<keyof Values, number>>
  /** Of the people in both: who has the fault and had it not. */
  readonly faulty: Readonly<Record<Fault, number>>
  /** Of the people in both, as by a word for "missing". */
  readonly countriesGone: number
  /** Growth of the share of the commonest value; 0 if it shrank. */
  readonly filled: Readonly<Record<(typeof filledFields)[number], number>>
}

export function profileChanges(
  { before, next, predecessors }: Pair,
  nowMs: number,
): ProfileChanges {
  const [readBefore, readNext] = [readerOf(before), readerOf(next)]
  const valuesOf = valueReader()
  const had = countsOf(changedFields)
  const changed = countsOf(changedFields)
  const faulty = countsOf<Fault>(['spoiled', 'placeholder', 'future'])
  let countriesGone = 0
  const [commonBefore, commonNext] = [new Commonest(), new Commonest()]
  for (const ordinal of sampleOf(predecessors.length)) {
    const [profile, values] = valuesOf(readNext(ordinal))
    commonNext.note(values)
    if (predecessors[ordinal]! < 0) continue
    const [profileBefore, valuesBefore] = valuesOf(readBefore(predecessors[ordinal]!))
    commonBefore.note(valuesBefore)
    for (const fault of faultsIn(profile, nowMs)) {
      if (!faultsIn(profileBefore, nowMs).includes(fault)) faulty[fault] += 1
    }
    if (valuesBefore.country !== '' && values.country === '') countriesGone += 1
    for (const field of changedFields) {
      if (valuesBefore[field] === '') continue
      had[field] += 1
      if (valuesBefore[field] !== values[field]) changed[field] += 1
    }
  }
  return {
    changed: sharesOf(changed, (field) => had[field]),
    faulty: sharesOf(faulty, () => commonBefore.people),
    countriesGone: shareOf(countriesGone, commonBefore.people),
    filled: commonNext.growthSince(commonBefore),
  }
}

class Commonest {
  people = 0
  readonly #counts = filledFields.map((field) => ({ field, counts: new Map<string, number>() }))

  note(values: Values): void {
    this.people += 1
    for (const { field, counts } of this.#counts) {
      if (values[field] !== '') counts.set(values[field], (counts.get(values[field]) ?? 0) + 1)
    }
  }

  growthSince(before: Commonest): ProfileChanges['filled'] {
    const had = before.#shares()
    const growths = this.#shares().map(([field, share], index) => {
      return [field, Math.max(0, share - had[index]![1])] as const
    })
    return Object.fromEntries(growths) as ProfileChanges['filled']
  }

  /** Of the commonest value, beyond the few who have any in common. */
  #shares() {
    return this.#counts.map(({ field, counts }) => {
      let most = sameValueMin
      for (const count of counts.values()) most = Math.max(most, count)
      return [field, shareOf(most - sameValueMin, this.people)] as const
    })
  }
}

function valueReader(): (profile: Profile) => readonly [Profile, Values] {
  const keys = new Map<string, string>()
  const keyOf = (label: string) => {
    const key = keys.get(label) ?? topicKey(label)
    keys.set(label, key)
    return key
  }
  return (profile) => {
    const { name, bio, country, topics, website, socials } = profile
    // The number of followers changes every day; whether there are any does not.
    const isFollowed = Object.values(socials).some(({ followers }) => followers > 0)
    const values = {
      ...{ name, bio, country, website: website ?? '' },
      ...{ topics: topics.map(keyOf).join(), followers: isFollowed ? 'some' : '' },
    }
    return [profile, values]
  }
}

function faultsIn(profile: Profile, nowMs: number): Fault[] {
  const { name, bio, country, topics, website, provenance } = profile
  const texts = [name, bio, country]
  return [
    ...(texts.some(isSpoiled) || topics.some(isSpoiled) ? (['spoiled'] as const) : []),
    ...([...texts, website ?? ''].some(isPlaceholder) ? (['placeholder'] as const) : []),
    ...(isAhead(provenance, nowMs) ? (['future'] as const) : []),
  ]
}

function isAhead(provenance: string, nowMs: number): boolean {
  if (provenance === '') return false
  const { updated_at: updatedAt, verified_at: verifiedAt, handles = [] } = JSON.parse(provenance)
  const dates = [updatedAt, verifiedAt, ...handles.map((each: Proven) => each.verified_at)]
  return dates.some((date) => Date.parse(date ?? '') > nowMs + aheadMaxMs)
}

interface Proven {
  readonly verified_at: string | null
}

/** Ten times as many or a tenth, of the people in both with followers. */
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

function countsOf<K extends string>(names: readonly K[]): Record<K, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<K, number>
}

function sharesOf<K extends string>(
  counts: Record<K, number>,
  wholeOf: (name: K) => number,
): Record<K, number> {
  const shares = countsOf(Object.keys(counts) as K[])
  for (const name of Object.keys(counts) as K[]) shares[name] = shareOf(counts[name], wholeOf(name))
  return shares
}

function readerOf(snapshot: StoredFacts): (ordinal: number) => Profile {
  const { sections } = snapshot
  const profiles = new Profiles(snapshot)
  const provenances = { text: sections['provenance.text'], starts: sections['provenance.starts'] }
  return (ordinal) => {
    const from = sections['authority.provenances'][ordinal] ?? 0
    const provenance = from === 0 ? '' : textAt(provenances, from - 1)
    return { ...JSON.parse(profiles.textAt(ordinal)), provenance }
  }
}

/** Letters of UTF-8 read as Latin-1 or Windows-1252, references of HTML, its tags, and what was lost. */
const spoiled =
  /[ÂÃâ][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]|&(?:#x?[\da-f]+|[a-z]{2,8});|<\/?[a-z][^<>]*>|\ufffd/i
const placeholder = /^(?:null|undefined|none|nan|nil|n\/?a|unknown|-+|\[object object\])$/i

export function isSpoiled(text: string): boolean {
  return spoiled.test(text)
}

export function isPlaceholder(text: string): boolean {
  return placeholder.test(text)
}
