/**
 * The changes between two snapshots, person by person, in the order of files of changes. Facts lie
 * in flat memory; only changed ranks become objects before their person's turn.
 */
import { uint32Column } from '../../memory/columns.ts'
import { hashText } from '../../memory/hash-buckets.ts'
import { type Change, changeOf, type PersonChanges } from '../../snapshot/changes/change.ts'
import { Owners } from '../../snapshot/people/owners.ts'
import { tableOf } from '../../snapshot/text-tables.ts'
import { ComparedFacts } from './facts.ts'
import { entriesIn, type Pair } from './pair.ts'

const kinds = { score: 1, coreTopic: 2, profile: 4, handles: 8, ranks: 16, came: 32, went: 64 }

interface RankChange {
  /** Of the topics next; behind those, of the topics before. */
  readonly topic: number
  readonly was: number
  readonly is: number
}

export class Differences {
  readonly #pair: Pair
  readonly #before: ComparedFacts
  readonly #next: ComparedFacts
  readonly #owners: Owners
  /** By person: an ordinal next, or behind those an ordinal before, of who went. */
  readonly #kinds: Uint8Array
  readonly #ranks = new Map<number, RankChange[]>()
  readonly #topicsBefore: ReadonlyMap<string, number>

  constructor(pair: Pair) {
    this.#pair = pair
    this.#before = new ComparedFacts(pair.before)
    this.#next = new ComparedFacts(pair.next)
    this.#owners = new Owners(pair.next)
    this.#kinds = new Uint8Array(pair.predecessors.length + pair.successors.length)
    this.#topicsBefore = new Map(this.#before.labels.map((label, topic) => [label, topic]))
    this.#comparePeople()
    this.#compareRanks()
  }

  *people(): Generator<PersonChanges, void, void> {
    for (const person of this.#order()) {
      const changes = [...this.#changesOf(person)]
      if (changes.length > 0) yield { sdu: this.#sduOf(person), changes }
    }
  }

  #comparePeople(): void {
    const { predecessors, successors } = this.#pair
    const before = this.#before
    const next = this.#next
    const handlesBefore = entriesIn(
      tableOf(next.snapshot, 'handle'),
      tableOf(before.snapshot, 'handle'),
    )
    predecessors.forEach((was, is) => {
      if (was < 0) {
        this.#kinds[is] = kinds.came
        return
      }
      let kind = 0
      if (before.scoreOf(was) !== next.scoreOf(is)) kind |= kinds.score
      if (before.coreTopicOf(was) !== next.coreTopicOf(is)) kind |= kinds.coreTopic
      if (!next.saysSame(is, before, was)) kind |= kinds.profile
      if (!next.hasSameHandles(is, before, was, handlesBefore)) kind |= kinds.handles
      this.#kinds[is] = kind
    })
    successors.forEach((is, was) => {
      if (is < 0) this.#kinds[predecessors.length + was] = kinds.went
    })
  }

  #compareRanks(): void {
    const before = this.#before
    const next = this.#next
    const { successors, predecessors } = this.#pair
    const firstBefore = (topic: number) =>
      Array.from(before.firstOf(topic), (was) => {
        return successors[was]! < 0 ? predecessors.length + was : successors[was]!
      })
    const seen = new Set<number>()
    next.labels.forEach((label, topic) => {
      const was = this.#topicsBefore.get(label)
      if (was !== undefined) seen.add(was)
      this.#compareTopic(topic, was === undefined ? [] : firstBefore(was), next.firstOf(topic))
    })
    before.labels.forEach((_, topic) => {
      if (!seen.has(topic)) this.#compareTopic(next.labels.length + topic, firstBefore(topic), [])
    })
  }

  #compareTopic(topic: number, had: readonly number[], has: ArrayLike<number>): void {
    const ranks = new Map<number, number>()
    for (let rank = 1; rank <= has.length; rank += 1) ranks.set(has[rank - 1]!, rank)
    had.forEach((person, index) => {
      const rank = ranks.get(person) ?? 0
      ranks.delete(person)
      if (rank !== index + 1) this.#noteRank(person, topic, index + 1, rank)
    })
    for (const [person, rank] of ranks) this.#noteRank(person, topic, 0, rank)
  }

  #noteRank(person: number, topic: number, was: number, is: number): void {
    this.#kinds[person]! |= kinds.ranks
    const noted = this.#ranks.get(person)
    if (noted === undefined) this.#ranks.set(person, [{ topic, was, is }])
    else noted.push({ topic, was, is })
  }

  /** By the hash of the SDU, then by number. */
  #order(): Uint32Array {
    const people = uint32Column()
    this.#kinds.forEach((kind, person) => {
      if (kind !== 0) people.push(person)
    })
    const hashes = new Uint32Array(people.length)
    people.view().forEach((person, index) => {
      hashes[index] = hashText(this.#sduOf(person))
    })
    const order = hashes.map((_, index) => index)
    // People ascend with their indexes.
    order.sort((a, b) => hashes[a]! - hashes[b]! || a - b)
    return order.map((index) => people.view()[index]!)
  }

  #sduOf(person: number): string {
    const { length } = this.#pair.predecessors
    return person < length ? this.#next.sduOf(person) : this.#before.sduOf(person - length)
  }

  *#changesOf(person: number): Generator<Change, void, void> {
    const { predecessors } = this.#pair
    const kind = this.#kinds[person]!
    if ((kind & kinds.went) !== 0) {
      yield* this.#departure(person, person - predecessors.length)
      return
    }
    const was = predecessors[person]!
    if (was < 0) yield changeOf('added', null, this.#next.profileOf(person))
    else yield* this.#personalChanges(kind, was, person)
    if ((kind & (kinds.handles | kinds.came)) !== 0) yield* this.#handleChanges(was, person)
    if ((kind & kinds.ranks) !== 0) yield* this.#rankChanges(person)
  }

  /** Removals of a person's facts go first, so that changes can be applied in order. */
  *#departure(person: number, was: number): Generator<Change, void, void> {
    yield* this.#rankChanges(person)
    const handles = this.#before.handlesOf(was)
    for (const handle of handles) yield changeOf('handle', handle, null)
    const profile = this.#before.profileOf(was)
    const heirs = new Set(handles.flatMap((handle) => this.#owners.ordinalOf(handle) ?? []))
    const [heir] = heirs
    if (heirs.size === 1) yield changeOf('merged', profile, this.#next.sduOf(heir!))
    else yield changeOf('removed', profile, null)
  }

  *#personalChanges(kind: number, was: number, is: number): Generator<Change, void, void> {
    const before = this.#before
    const next = this.#next
    if ((kind & kinds.score) !== 0) {
      yield changeOf('score', before.scoreOf(was), next.scoreOf(is))
    }
    if ((kind & kinds.coreTopic) !== 0) {
      yield changeOf('core_topic', before.coreTopicOf(was), next.coreTopicOf(is))
    }
    if ((kind & kinds.profile) !== 0) {
      yield* profileChange(before.profileOf(was), next.profileOf(is))
    }
  }

  *#handleChanges(was: number, is: number): Generator<Change, void, void> {
    const had = was < 0 ? [] : this.#before.handlesOf(was)
    const has = this.#next.handlesOf(is)
    for (const handle of had) if (!has.includes(handle)) yield changeOf('handle', handle, null)
    for (const handle of has) if (!had.includes(handle)) yield changeOf('handle', null, handle)
  }

  *#rankChanges(person: number): Generator<Change, void, void> {
    const { labels } = this.#next
    for (const { topic, was, is } of this.#ranks.get(person) ?? []) {
      const label = labels[topic] ?? this.#before.labels[topic - labels.length]!
      yield { type: 'rank', topic: label, before: was || null, after: is || null }
    }
  }
}

/** The score is reported apart. */
function* profileChange(
  was: Readonly<Record<string, unknown>>,
  is: Readonly<Record<string, unknown>>,
): Generator<Change, void, void> {
  const textOf = (value: unknown) => JSON.stringify(value)
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => name !== 'authority_score' && textOf(was[name]) !== textOf(is[name]),
  )
  if (names.length === 0) return
  const part = (whole: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      names.filter((name) => Object.hasOwn(whole, name)).map((name) => [name, whole[name]]),
    )
  yield changeOf('profile', part(was), part(is))
}
