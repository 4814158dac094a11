/**
 * The history of ranks and scores. The catalog has the present values; each file of changes, from the newest to the oldest,
 * has the values before it. One item for each snapshot that changed anything, newest first, then the oldest known values,
 * one person after the other. The work of one page is bounded; its cursor is the place to go on at.
 */
import { limits } from '../../limits.ts'
import type { Change, ProfileFields } from '../../snapshot/changes/change.ts'
import { rangeOfSdu } from '../../snapshot/changes/change-file.ts'
import { topicKey } from '../../text/analyzer.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import { fileIndex, numberAt, oldestId } from '../past.ts'
import type { Values } from '../schemas/inputs.ts'
import { keyOfTopic, type ListPage, listOperation, readFrom } from './lists/list-page.ts'

/** The index of the person in `sdus`, the number of the next file to read, and the state after its changes. */
type HistoryPlace = readonly [person: number, number: number, state: State | 'gone']

/**
 * The shown facts of a person at a time: of the requested topic, else of all topics, because any may have been the core
 * topic. Ranks stand under hashes of labels, so that a cursor of 50 long topics fills a quarter of a head of a request;
 * `gone` stands for a person who is not in the index.
 */
interface State {
  /** Hundredths. */
  score: number
  /** The label of the topic that is shown: the requested one, or the core topic. */
  topic: string
  readonly ranks: Record<number, number>
}

class HistoryReader {
  readonly #context: ActiveSnapshot
  readonly #sdus: readonly string[]
  /** The key of the requested topic; '' for the core topic. */
  readonly #topic: string
  readonly #items: unknown[] = []
  #reads = 0

  constructor(context: ActiveSnapshot, { sdus, topic = '' }: Values<'history'>) {
    this.#context = context
    this.#sdus = [...new Set(sdus)]
    this.#topic = keyOfTopic(context.catalog, topic)
  }

  read(place: HistoryPlace | undefined): ListPage<HistoryPlace> {
    const { past } = this.#context
    const newest = past.files.length - 1
    const [begun, number, stateThen] = place ?? [0]
    // Snapshots before the oldest change file are not shown.
    let index = number === undefined ? newest : (fileIndex(past, number + 1) ?? 0) - 1
    let state = stateThen
    for (const [person, sdu] of [...this.#sdus.entries()].slice(begun)) {
      const stop = this.#readPerson(sdu, index, state ?? this.#stateNow(sdu))
      if (stop !== undefined) {
        const next = [person, numberAt(past, stop.index), stop.state] as const
        return { items: this.#items, next }
      }
      index = newest
      state = undefined
    }
    return { items: this.#items }
  }

  /** Goes back in the history of one person; returns the place at which it stopped, undefined at the end. */
  #readPerson(sdu: string, from: number, stateFrom: State | 'gone') {
    const { files } = this.#context.past
    let state = stateFrom
    for (let index = from; index >= 0; index -= 1) {
      const file = files[index]!
      const range = rangeOfSdu(file, sdu)
      if (range.start === range.end) continue
      if (this.#isFull()) return { index, state }
      this.#reads += 1
      const people = readFrom(file, (read) => read(range.start, range.end))
      if (people === undefined) return { index, state }
      const changes = people.find((person) => person.sdu === sdu)?.changes
      if (changes === undefined) continue
      const { id, announcedAt } = file.header
      const after = this.#seen(state)
      const before = this.#undone(state, changes)
      if (before === 'unknown') {
        this.#items.push({ sdu, snapshot_id: id, at: announcedAt, ...after })
        return undefined
      }
      if (!isSame(after, this.#seen(before))) {
        this.#items.push({ sdu, snapshot_id: id, at: announcedAt, ...after })
      }
      state = before
    }
    this.#takeOldest(sdu, state)
    return undefined
  }

  #isFull(): boolean {
    return (
      this.#reads >= limits.changeReadsPerPageMax || this.#items.length >= limits.changesPerPageMax
    )
  }

  /** Adds the facts from the oldest snapshot on. */
  #takeOldest(sdu: string, state: State | 'gone'): void {
    if (state === 'gone') return
    const { past } = this.#context
    const first = past.files[0]?.header
    const at = first?.parent === null ? first.announcedAt : null
    this.#items.push({ sdu, snapshot_id: oldestId(past), at, ...this.#seen(state) })
  }

  #seen(state: State | 'gone') {
    if (state === 'gone') return { topic: null, rank: null, authority_score: null }
    const { topic, ranks, score } = state
    return { topic, rank: ranks[labelHash(topic)] ?? null, authority_score: score / 100 }
  }

  #label(): string {
    const { catalog } = this.#context
    const topic = catalog.findTopic(this.#topic)
    return topic < 0 ? this.#topic : catalog.labelOf(topic)
  }

  #isShown(label: string): boolean {
    return this.#topic === '' || topicKey(label) === this.#topic
  }

  #stateNow(sdu: string): State | 'gone' {
    const { catalog } = this.#context
    const ordinal = catalog.findSdu(sdu)
    if (ordinal < 0) return 'gone'
    const { sections } = catalog
    const profile = catalog.profiles.textAt(ordinal)
    const { topics }: { readonly topics: readonly string[] } = JSON.parse(profile)
    const ranks: State['ranks'] = {}
    for (const label of topics) {
      const topic = this.#isShown(label) ? catalog.findTopic(topicKey(label)) : -1
      const rank = topic < 0 ? 0 : catalog.evidence.rankIn(topic, ordinal)
      // Changes are recorded of the first only.
      if (rank > 0 && rank <= limits.resultsMax) ranks[labelHash(catalog.labelOf(topic))] = rank
    }
    const coreTopic = catalog.labelOf(sections['authority.core-topics'][ordinal]!)
    const topic = this.#topic === '' ? coreTopic : this.#label()
    return { score: sections['authority.scores'][ordinal]!, topic, ranks }
  }

  /** The state of a person before some changes, in the place of it; `unknown` before a departure that no change file describes. */
  #undone(state: State | 'gone', changes: readonly Change[]): State | 'gone' | 'unknown' {
    let then = state
    for (const { type, topic, before } of changes.toReversed()) {
      if (type === 'added') then = 'gone'
      else if (type === 'removed' || type === 'merged') {
        if (before === null) return 'unknown'
        then = this.#stateOf(before as ProfileFields)
      } else if (then !== 'gone') {
        if (type === 'score') then.score = before as number
        if (type === 'core_topic' && this.#topic === '') then.topic = before as string
        if (type === 'rank') this.#setRank(then, topic!, before as number | null)
      }
    }
    return then
  }

  #setRank(state: State, label: string, rank: number | null): void {
    if (!this.#isShown(label)) return
    if (rank === null) delete state.ranks[labelHash(label)]
    else state.ranks[labelHash(label)] = rank
    if (this.#topic !== '') state.topic = rank === null ? this.#label() : label
  }

  /** The state in a profile item, without ranks: those have changes of their own. */
  #stateOf({ topics, authority_score: score }: ProfileFields): State {
    const [coreTopic = ''] = topics as readonly string[]
    const topic = this.#topic === '' ? coreTopic : this.#label()
    return { score: Math.round((score as number) * 100), topic, ranks: {} }
  }
}

/** A whole number of 52 bits that stands for a label: two FNV-1a hashes with different primes. */
function labelHash(label: string): number {
  let low = 0x811c9dc5
  let high = 0x050c5d1f
  for (let index = 0; index < label.length; index += 1) {
    const unit = label.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x5bd1e995) ^ (low >>> 15)
  }
  return (high >>> 12) * 2 ** 32 + (low >>> 0)
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

export const history = listOperation('history', {
  of: ({ sdus, topic = '' }) => [[...new Set(sdus)], topic],
  page: (served, values, place: HistoryPlace | undefined) =>
    new HistoryReader(served, values).read(place),
})
