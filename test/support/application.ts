/**
 * Whether parent and changes give the child: the changes are applied to the facts of the one snapshot
 * and what comes of it is compared with those of the other, for everybody and every topic. What each
 * change says was before must have been so.
 */

import type { Change, PersonChanges, ProfileFields } from '../../src/snapshot/changes/change.ts'
import { Identities } from '../../src/snapshot/people/identities.ts'
import type { FactPair } from '../../src/sync/changes/facts.ts'
import { type ComparedFacts, topicsByLabel } from '../../src/sync/changes/facts.ts'
import type { Pair } from '../../src/sync/changes/pair.ts'

/** What is known of a person while changes are applied; the profile without its score. */
interface PersonState {
  profile: ProfileFields
  /** Hundredths. */
  score: number
  coreTopic: string
  readonly handles: Set<string>
}

/**
 * The first thing in which parent and changes are not the child; undefined where they are.
 * @param isNameless of whom the changes tell nothing but that they went.
 */
export function applicationProblem(
  facts: FactPair,
  people: Iterable<PersonChanges>,
  isNameless: (sdu: string) => boolean = () => false,
): string | undefined {
  return new Application(facts, isNameless).problem(people)
}

class Application {
  readonly #facts: FactPair
  readonly #pair: Pair
  readonly #before: ComparedFacts
  readonly #next: ComparedFacts
  /** By ordinal before: whether the changes say anything of them. */
  readonly #told: Uint8Array
  /** Ranks of topics that the changes are about, by label and SDU. */
  readonly #ranks = new Map<string, Map<string, number>>()
  readonly #topicsBefore: ReadonlyMap<string, number>
  readonly #isNameless: (sdu: string) => boolean

  constructor(facts: FactPair, isNameless: (sdu: string) => boolean) {
    const { pair, before, next } = facts
    this.#facts = facts
    this.#pair = pair
    this.#isNameless = isNameless
    this.#before = before
    this.#next = next
    this.#topicsBefore = topicsByLabel(before)
    this.#told = new Uint8Array(pair.successors.length)
  }

  problem(people: Iterable<PersonChanges>): string | undefined {
    let came = 0
    for (const person of people) {
      const was = new Identities(this.#pair.before).find(person.sdu)
      const is = this.#pair.successors[was] ?? this.#newcomer(person.sdu)
      if (this.#told[was] === 1) return `${person.sdu}: appears twice`
      if (was >= 0) this.#told[was] = 1
      else came += 1
      const problem = this.#applyTo(person, was, is)
      if (problem !== undefined) return `${person.sdu}: ${problem}`
    }
    const { predecessors, stayed } = this.#pair
    if (came !== predecessors.length - stayed) return 'a person arrived without a change'
    return this.#untoldProblem() ?? this.#rankProblem()
  }

  /** The ordinal next of somebody who was not there before. */
  #newcomer(sdu: string): number {
    return new Identities(this.#pair.next).find(sdu)
  }

  /** Applies the changes of one person to `was`; the result must equal `is`. */
  #applyTo({ sdu, changes }: PersonChanges, was: number, is: number): string | undefined {
    const isTold = !this.#isNameless(sdu)
    const read = this.#toRead(was, is)
    let state = was < 0 ? undefined : stateOf(this.#before, was, read)
    for (const change of changes) {
      const said = valueSoFar(change, state, () => this.#ranksOf(change.topic!).get(sdu))
      if (isTold && !isSame(said, change.before))
        return `${change.type} was not what the change says`
      if (isDeparture(change) && isTold && state!.handles.size > 0) return 'went with handles'
      state = changed(state, change)
      if (change.type === 'rank') this.#setRank(change, sdu)
    }
    const expected = is < 0 ? undefined : stateOf(this.#next, is, read)
    return isSameState(state, expected) ? undefined : 'something is not as in the child'
  }

  /** Of a million people with another score few have another profile, and reading one takes time. */
  #toRead(was: number, is: number): ToRead {
    if (was < 0 || is < 0) return { profile: true, handles: true }
    const profile = !this.#before.saysSame(was, this.#next, is)
    return { profile, handles: !this.#facts.hasSameHandles(was, is) }
  }

  #setRank({ topic, after }: Change, sdu: string): void {
    const ranks = this.#ranksOf(topic!)
    if (after === null) ranks.delete(sdu)
    else ranks.set(sdu, after as number)
  }

  /** The ranks of a topic as they were before, or as they are so far. */
  #ranksOf(label: string): Map<string, number> {
    const known = this.#ranks.get(label)
    if (known !== undefined) return known
    const topic = this.#topicsBefore.get(label)
    const ranks = new Map<string, number>()
    if (topic !== undefined) {
      this.#before.firstOf(topic).forEach((ordinal, index) => {
        ranks.set(this.#before.sduOf(ordinal), index + 1)
      })
    }
    this.#ranks.set(label, ranks)
    return ranks
  }

  /** A person without a change must be the same in both snapshots. */
  #untoldProblem(): string | undefined {
    const wrong = this.#told.findIndex((told, was) => {
      if (told === 1) return false
      const is = this.#pair.successors[was]!
      return is < 0 || !this.#isSamePerson(was, is)
    })
    return wrong < 0 ? undefined : `${this.#before.sduOf(wrong)}: a change is missing`
  }

  #isSamePerson(was: number, is: number): boolean {
    const before = this.#before
    const next = this.#next
    return (
      before.scoreOf(was) === next.scoreOf(is) &&
      before.saysSame(was, next, is) &&
      this.#facts.hasSameCoreTopic(was, is) &&
      this.#facts.hasSameHandles(was, is)
    )
  }

  #rankProblem(): string | undefined {
    const labels = new Set([...this.#before.labels, ...this.#next.labels])
    const topicsNext = topicsByLabel(this.#next)
    for (const label of labels) {
      const expected = this.#firstNext(topicsNext.get(label))
      const found = this.#ranks.has(label)
        ? this.#firstTold(label)
        : this.#firstUntold(this.#topicsBefore.get(label))
      if (!isSame(found, expected)) return `topic ${label}: the first are not those of the child`
    }
    return undefined
  }

  /** SDUs by rank, as the changes have left them. */
  #firstTold(label: string): string[] {
    const first: string[] = []
    for (const [sdu, rank] of this.#ranks.get(label)!) {
      if (!this.#isNameless(sdu)) first[rank - 1] = sdu
    }
    return first
  }

  #firstUntold(topic: number | undefined): string[] {
    if (topic === undefined) return []
    const sdus = Array.from(this.#before.firstOf(topic), (was) => this.#before.sduOf(was))
    return sdus.filter((sdu) => !this.#isNameless(sdu))
  }

  #firstNext(topic: number | undefined): string[] {
    if (topic === undefined) return []
    return Array.from(this.#next.firstOf(topic), (is) => this.#next.sduOf(is))
  }
}

/** What of a person is read; what is not is the same in both snapshots. */
interface ToRead {
  readonly profile: boolean
  readonly handles: boolean
}

function stateOf(facts: ComparedFacts, ordinal: number, { profile, handles }: ToRead): PersonState {
  return {
    profile: profile ? withoutScore(facts.profileOf(ordinal)) : unread,
    score: facts.scoreOf(ordinal),
    coreTopic: facts.labels[facts.coreTopicOf(ordinal)]!,
    handles: new Set(handles ? facts.handlesOf(ordinal) : []),
  }
}

/** Stands for a profile that says the same in both snapshots. */
const unread: ProfileFields = {}

function withoutScore({ authority_score: _, ...profile }: ProfileFields): ProfileFields {
  return profile
}

function isSameState(one: PersonState | undefined, other: PersonState | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return (
    one.score === other.score &&
    one.coreTopic === other.coreTopic &&
    [...one.handles].sort().join() === [...other.handles].sort().join() &&
    (one.profile === other.profile || isSame(one.profile, other.profile))
  )
}

/** What a change is about, as it is so far. */
function valueSoFar(
  { type, before, after }: Change,
  state: PersonState | undefined,
  rank: () => number | undefined,
): unknown {
  if (type === 'rank') return rank() ?? null
  if (state === undefined) return null
  if (type === 'score') return state.score
  if (type === 'core_topic') return state.coreTopic
  if (type === 'handle')
    return state.handles.has((before ?? after) as string) ? (before ?? after) : null
  if (type === 'profile') return partOf(state.profile, [before, after] as ProfileFields[])
  return whole(state)
}

/** Of a profile the fields that any of some parts have. */
function partOf(profile: ProfileFields, parts: readonly ProfileFields[]): ProfileFields {
  const names = parts.flatMap((part) => Object.keys(part))
  return Object.fromEntries(Object.entries(profile).filter(([name]) => names.includes(name)))
}

function whole({ profile, score }: PersonState): ProfileFields {
  return { ...profile, authority_score: score / 100 }
}

/** The state of a person behind a change. */
function changed(state: PersonState | undefined, change: Change): PersonState | undefined {
  const { type, before, after } = change
  if (type === 'added') return cameAs(after as ProfileFields)
  if (isDeparture(change) || state === undefined) return undefined
  if (type === 'score') state.score = after as number
  if (type === 'core_topic') state.coreTopic = after as string
  if (type === 'handle' && after !== null) state.handles.add(after as string)
  if (type === 'handle' && after === null) state.handles.delete(before as string)
  if (type === 'profile') {
    const kept = Object.entries(state.profile).filter(
      ([name]) => !Object.hasOwn(before as object, name),
    )
    state.profile = { ...Object.fromEntries(kept), ...(after as ProfileFields) }
  }
  return state
}

function isDeparture({ type }: Change): boolean {
  return type === 'removed' || type === 'merged'
}

function cameAs(item: ProfileFields): PersonState {
  const { authority_score: score, ...profile } = item
  const [coreTopic = ''] = profile.topics as readonly string[]
  return { profile, score: Math.round((score as number) * 100), coreTopic, handles: new Set() }
}

/** Whether two values are the same as JSON, whatever the order of members. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object') return one === other
  return JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder)
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
