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

const changedFields = ['name', 'bio', 'country', 'topics', 'website', 'followers'] as const
const faults = ['spoiled', 'placeholder', 'future'] as const

type Fault = (typeof faults)[number]
type Field = (typeof changedFields)[number]

interface Profile {
  /** As texts that are compared; '' for nothing. */
  readonly values: Readonly<Record<Field, string>>
  readonly faults: () => readonly Fault[]
}

export function profileChanges({ before, next, predecessors }: Pair, nowMs: number) {
  const keyOf = topicKeyReader()
  const [readBefore, readNext] = [readerOf(before, keyOf, nowMs), readerOf(next, keyOf, nowMs)]
  const [commonBefore, commonNext] = [new Commonest(), new Commonest()]
  const had = new Counts()
  const counted = new Counts()
  for (const ordinal of sampleOf(predecessors.length)) {
    const is = readNext(ordinal)
    commonNext.note(is.values)
    if (predecessors[ordinal]! < 0) continue
    const was = readBefore(predecessors[ordinal]!)
    commonBefore.note(was.values)
    for (const fault of is.faults()) if (!was.faults().includes(fault)) counted.add(fault)
    if (was.values.country !== '' && is.values.country === '') counted.add('country gone')
    for (const field of changedFields) {
      if (was.values[field] === '') continue
      had.add(field)
      if (was.values[field] !== is.values[field]) counted.add(field)
    }
  }
  const { people } = commonBefore
  return {
    /** Of those who had the field. */
    changed: (field: Field) => shareOf(counted.of(field), had.of(field)),
    /** Of the people in both: who has the fault and had it not. A country is gone as by a word for "missing". */
    faulty: (fault: Fault | 'country gone') => shareOf(counted.of(fault), people),
    /** Growth of the share of the commonest value; 0 if it shrank. */
    filled: (field: Field) => Math.max(0, commonNext.shareOf(field) - commonBefore.shareOf(field)),
  }
}

class Counts {
  readonly #counts = new Map<string, number>()

  add(name: string): void {
    this.#counts.set(name, this.of(name) + 1)
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  most(): number {
    return [...this.#counts.values()].reduce((most, count) => Math.max(most, count), 0)
  }
}

class Commonest {
  people = 0
  readonly #counts = new Map(changedFields.map((field) => [field, new Counts()]))

  note(values: Profile['values']): void {
    this.people += 1
    for (const [field, counts] of this.#counts) {
      if (values[field] !== '') counts.add(values[field])
    }
  }

  /** Of the commonest value, beyond the few who have any in common. */
  shareOf(field: Field): number {
    const most = Math.max(sameValueMin, this.#counts.get(field)!.most())
    return shareOf(most - sameValueMin, this.people)
  }
}

function topicKeyReader(): (label: string) => string {
  const keys = new Map<string, string>()
  return (label) => {
    const key = keys.get(label) ?? topicKey(label)
    keys.set(label, key)
    return key
  }
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

function readerOf(
  snapshot: StoredFacts,
  keyOf: (label: string) => string,
  nowMs: number,
): (ordinal: number) => Profile {
  const { sections } = snapshot
  const profiles = new Profiles(snapshot)
  const provenances = { text: sections['provenance.text'], starts: sections['provenance.starts'] }
  return (ordinal) => {
    const { name, bio, country, topics, website, socials } = JSON.parse(profiles.textAt(ordinal))
    const from = sections['authority.provenances'][ordinal] ?? 0
    const provenance = from === 0 ? '' : textAt(provenances, from - 1)
    // The number of followers changes every day; whether there are any does not.
    const isFollowed = Object.values<Social>(socials).some(({ followers }) => followers > 0)
    const texts = [name, bio, country]
    const found: Readonly<Record<Fault, () => boolean>> = {
      spoiled: () => [...texts, ...topics].some(isSpoiled),
      placeholder: () => [...texts, website ?? ''].some(isPlaceholder),
      future: () => isAhead(provenance, nowMs),
    }
    return {
      values: {
        ...{ name, bio, country, website: website ?? '' },
        ...{ topics: topics.map(keyOf).join(), followers: isFollowed ? 'some' : '' },
      },
      faults: () => faults.filter((fault) => found[fault]()),
    }
  }
}

interface Social {
  readonly followers: number
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
