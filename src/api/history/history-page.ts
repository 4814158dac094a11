/**
 * Pages of how ranks and scores of people came to be. What is so now stands in the catalog; going back
 * file by file, each change says what was before it. One item for each snapshot with which anything
 * changed, the last first, then what is oldest known. What one page reads is bounded.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import { limits } from '../../limits.ts'
import { textAt } from '../../memory/text-table.ts'
import type { Change, ProfileFields } from '../../snapshot/changes/change.ts'
import { rangeOfHash, sduHash } from '../../snapshot/changes/change-file.ts'
import { topicKey } from '../../text/analyzer.ts'
import { wrongCursor } from '../read/choices.ts'
import { encodeCursor } from '../read/cursor.ts'
import { keyOfTopic, type Scene } from './changes-page.ts'
import { isWhole, type PageItems, type PageOrProblem, placeIn, readFrom } from './page.ts'
import { fileIndex, numberAt, oldestId } from './past.ts'

/** What is asked for; no topic is the core topic of each. */
export interface AskedHistory {
  readonly sdus: readonly string[]
  readonly topic: string
}

/** What somebody was at a time; nothing where they were not there. */
interface State {
  /** Hundredths. */
  score: number
  coreTopic: string
  /** Ranks among the first of topics, by label. */
  readonly ranks: Map<string, number>
}

/** How far a page is: of whom, in which file next, and what they are behind it. */
interface Place {
  readonly person: number
  /** The index of the file to be read next, going back; -1 when all were. */
  readonly index: number
  /** Undefined: as the catalog says. */
  readonly state: State | 'gone' | undefined
}

/** A page of the history of some people. */
export function historyPage(scene: Scene, asked: AskedHistory, cursor: string): PageOrProblem {
  const last = scene.past.files.length - 1
  if (cursor === '') {
    const first = { person: 0, index: last, state: undefined }
    return { read: () => new HistoryReader(scene, asked).read(first) }
  }
  const { person, number, state } = placeIn(cursor) ?? {}
  if (!isWhole(person) || person >= asked.sdus.length || !isWhole(number)) return wrongCursor
  const stateThen = stateIn(state)
  if (stateThen === undefined) return wrongCursor
  // What is older than the changes go back by now is not told.
  const index = (fileIndex(scene.past, number + 1) ?? 0) - 1
  return { read: () => new HistoryReader(scene, asked).read({ person, index, state: stateThen }) }
}

class HistoryReader {
  readonly #scene: Scene
  readonly #sdus: readonly string[]
  /** The key of the topic that is asked for; '' for the core topic. */
  readonly #topic: string
  readonly #items: unknown[] = []
  #reads = 0

  constructor(scene: Scene, { sdus, topic }: AskedHistory) {
    this.#scene = scene
    this.#sdus = sdus
    this.#topic = topic === '' ? '' : keyOfTopic(scene.catalog, topic)
  }

  read(place: Place): PageItems {
    let { index, state } = place
    for (let person = place.person; person < this.#sdus.length; person += 1) {
      const sdu = this.#sdus[person]!
      const stop = this.#readPerson(sdu, index, state ?? stateNow(this.#scene.catalog, sdu))
      if (stop !== undefined) {
        const number = numberAt(this.#scene.past, stop.index)
        return {
          items: this.#items,
          next: encodeCursor({ person, number, state: plain(stop.state) }),
        }
      }
      index = this.#scene.past.files.length - 1
      state = undefined
    }
    return { items: this.#items, next: undefined }
  }

  /** Goes back with one person; returns where it stopped, undefined at the end. */
  #readPerson(sdu: string, from: number, stateFrom: State | 'gone') {
    const { files } = this.#scene.past
    let state = stateFrom
    for (let index = from; index >= 0; index -= 1) {
      const file = files[index]!
      const range = rangeOfHash(file, sduHash(sdu))
      if (range.start === range.end) continue
      if (this.#isFull()) return { index, state }
      this.#reads += 1
      const people = readFrom(file, (reader) => reader.people(range.start, range.end))
      if (people === undefined) return { index, state }
      const changes = people.find((person) => person.sdu === sdu)?.changes
      if (changes === undefined) continue
      const { id, announcedAt } = file.header
      const after = this.#seen(state)
      const before = undone(copyOf(state), changes)
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

  /** What is known of somebody from the oldest snapshot on; of who was not there, nothing. */
  #takeOldest(sdu: string, state: State | 'gone'): void {
    if (state === 'gone') return
    const { past } = this.#scene
    const first = past.files[0]?.header
    const at = first?.parent === null ? first.announcedAt : null
    this.#items.push({ sdu, snapshot_id: oldestId(past), at, ...this.#seen(state) })
  }

  /** What an item says of a state. */
  #seen(state: State | 'gone') {
    if (state === 'gone') return { topic: null, rank: null, authority_score: null }
    const ranks = [...state.ranks]
    const key = this.#topic
    const [topic, rank] =
      key === ''
        ? [state.coreTopic, state.ranks.get(state.coreTopic) ?? null]
        : (ranks.find(([label]) => topicKey(label) === key) ?? [this.#label(), null])
    return { topic, rank, authority_score: state.score / 100 }
  }

  /** The topic that is asked for, as the catalog writes it. */
  #label(): string {
    const { catalog } = this.#scene
    const topic = catalog.findTopic(this.#topic)
    return topic < 0 ? this.#topic : catalog.labelOf(topic)
  }
}

/** What somebody is in the snapshot that is served. */
function stateNow(catalog: Catalog, sdu: string): State | 'gone' {
  const ordinal = catalog.findSdu(sdu)
  if (ordinal < 0) return 'gone'
  const { sections } = catalog
  const texts = { text: sections['profile.json'], ends: sections['profile.ends'] }
  const { topics }: { readonly topics: readonly string[] } = JSON.parse(textAt(texts, ordinal))
  const ranks = new Map<string, number>()
  for (const label of topics) {
    const topic = catalog.findTopic(topicKey(label))
    if (topic < 0) continue
    const { start, end } = catalog.membersOf(topic)
    const first = sections['topic.members'].subarray(
      start,
      Math.min(end, start + limits.resultsMax),
    )
    const place = first.indexOf(ordinal)
    if (place >= 0) ranks.set(catalog.labelOf(topic), place + 1)
  }
  const coreTopic = catalog.labelOf(sections['authority.core-topics'][ordinal]!)
  return { score: sections['authority.scores'][ordinal]!, coreTopic, ranks }
}

/** What somebody was before some changes; `unknown` before a departure of which nothing is told. */
function undone(state: State | 'gone', changes: readonly Change[]): State | 'gone' | 'unknown' {
  let then = state
  for (const { type, topic, before } of changes.toReversed()) {
    if (type === 'added') then = 'gone'
    else if (type === 'removed' || type === 'merged') {
      if (before === null) return 'unknown'
      then = stateOf(before as ProfileFields)
    } else if (then !== 'gone') {
      if (type === 'score') then.score = before as number
      if (type === 'core_topic') then.coreTopic = before as string
      if (type === 'rank' && before === null) then.ranks.delete(topic!)
      if (type === 'rank' && before !== null) then.ranks.set(topic!, before as number)
    }
  }
  return then
}

/** Of a profile item; ranks are told by changes of their own. */
function stateOf({ topics, authority_score: score }: ProfileFields): State {
  const [coreTopic = ''] = topics as readonly string[]
  return { score: Math.round((score as number) * 100), coreTopic, ranks: new Map() }
}

function copyOf(state: State | 'gone'): State | 'gone' {
  return state === 'gone' ? state : { ...state, ranks: new Map(state.ranks) }
}

function isSame(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** A state as a cursor holds it. */
function plain(state: State | 'gone') {
  return state === 'gone' ? state : [state.score, state.coreTopic, ...[...state.ranks].flat()]
}

function stateIn(value: unknown): State | 'gone' | undefined {
  if (value === 'gone') return value
  if (!Array.isArray(value)) return undefined
  const [score, coreTopic, ...ranks] = value
  if (!isWhole(score) || typeof coreTopic !== 'string' || ranks.length % 2 !== 0) return undefined
  const map = new Map<string, number>()
  for (let index = 0; index < ranks.length; index += 2) {
    const [label, rank] = [ranks[index], ranks[index + 1]]
    if (typeof label !== 'string' || !isWhole(rank)) return undefined
    map.set(label, rank)
  }
  return { score, coreTopic, ranks: map }
}
