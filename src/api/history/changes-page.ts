/**
 * Pages of the changes since a snapshot, in the order in which they are to be applied: file by file,
 * in each person by person, never a person on two pages. What one page reads is bounded, so that a
 * page of a seldom kind of change may be short, or empty, before the last.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import { limits } from '../../limits.ts'
import type { Change, ChangeType, PersonChanges } from '../../snapshot/changes/change.ts'
import {
  type ChangeFile,
  type ChangeReader,
  rangeOfHash,
  sduHash,
} from '../../snapshot/changes/change-file.ts'
import { topicKey } from '../../text/analyzer.ts'
import type { Served } from '../served.ts'
import { changesGone, type PageItems, type PageOrProblem, readFrom } from './page.ts'
import { fileIndex, indexBehind, numberAt, type Past } from './past.ts'

/** What is asked for; nothing for all. */
export interface AskedChanges {
  readonly since: string
  readonly sdus: readonly string[]
  readonly topic: string
  readonly types: readonly ChangeType[]
}

/** The snapshot that is served, its past, and the cursors of pages. */
export type Scene = Pick<Served, 'catalog' | 'past' | 'cursors'>

/** Where a page begins: at a person of a file. */
interface Place {
  readonly index: number
  readonly person: number
}

/** The same as a cursor holds it: files are named by their numbers. */
type PackedPlace = readonly [number: number, person: number]

/** A page of the changes since a snapshot. */
export function changesPage(scene: Scene, asked: AskedChanges, cursor: string): PageOrProblem {
  const { past } = scene
  const behind = indexBehind(past, asked.since)
  if (cursor === '') {
    return behind === undefined
      ? changesGone(past)
      : { read: () => new PageReader(scene, asked).read({ index: behind, person: 0 }) }
  }
  const { value, problem } = scene.cursors.read(listOf(asked), cursor)
  if (problem !== undefined) return { problem }
  const [number, person] = value as PackedPlace
  const index = fileIndex(past, number)
  if (index === undefined) return changesGone(past)
  return { read: () => new PageReader(scene, asked).read({ index, person }) }
}

/** What the cursors of a request belong to. */
function listOf({ since, sdus, topic, types }: AskedChanges) {
  return ['changes', since, sdus, topic, types]
}

/** People of a file who stand together, to be read at once. */
interface Run {
  readonly from: number
  readonly to: number
}

/** What is read at once, where everybody is asked for. */
const runBytesMax = 64 << 10
const runPeopleMax = 250

class PageReader {
  readonly #past: Past
  readonly #cursors: Scene['cursors']
  readonly #asked: AskedChanges
  /** The key of the topic that is asked for; '' for all. */
  readonly #topic: string
  readonly #items: unknown[] = []
  #bytes = 0
  #reads = 0

  constructor({ catalog, past, cursors }: Scene, asked: AskedChanges) {
    this.#past = past
    this.#cursors = cursors
    this.#asked = asked
    this.#topic = asked.topic === '' ? '' : keyOfTopic(catalog, asked.topic)
  }

  read({ index, person }: Place): PageItems {
    const { files } = this.#past
    for (let at = index; at < files.length; at += 1) {
      const stoppedAt = this.#readFile(files[at]!, at === index ? person : 0)
      if (stoppedAt === undefined) continue
      const place: PackedPlace = [numberAt(this.#past, at), stoppedAt]
      return { items: this.#items, next: this.#cursors.write(listOf(this.#asked), place) }
    }
    return { items: this.#items, next: undefined }
  }

  /** Reads on in a file; returns before whom it stopped, undefined at the end. */
  #readFile(file: ChangeFile, from: number): number | undefined {
    const runs = this.#asked.sdus.length === 0 ? allRuns(file, from) : this.#runsOfSdus(file, from)
    const [first] = runs
    if (first === undefined) return undefined
    if (this.#isFull(file, first)) return first.from
    const stoppedAt = readFrom(file, (reader) => this.#readRuns(file, reader, runs) ?? -1)
    // A file that is gone is where the page ends: nobody is told of what is behind it as if nothing
    // had been there.
    if (stoppedAt === undefined) return from
    return stoppedAt < 0 ? undefined : stoppedAt
  }

  #readRuns(file: ChangeFile, reader: ChangeReader, runs: readonly Run[]): number | undefined {
    for (const run of runs) {
      if (this.#isFull(file, run)) return run.from
      this.#reads += 1
      this.#bytes += bytesOf(file, run)
      for (const person of reader.people(run.from, run.to)) this.#take(person)
    }
    return undefined
  }

  /** Whether a run is too much for this page, on which there is something already. */
  #isFull(file: ChangeFile, run: Run): boolean {
    if (this.#reads === 0) return false
    return (
      this.#reads >= limits.changeReadsPerPageMax ||
      this.#bytes + bytesOf(file, run) > limits.changePageBytesMax ||
      this.#items.length >= limits.changesPerPageMax
    )
  }

  #runsOfSdus(file: ChangeFile, from: number): Run[] {
    const people = new Set<number>()
    for (const sdu of this.#asked.sdus) {
      const { start, end } = rangeOfHash(file, sduHash(sdu))
      for (let person = Math.max(start, from); person < end; person += 1) people.add(person)
    }
    return [...people].sort((a, b) => a - b).map((person) => ({ from: person, to: person + 1 }))
  }

  #take({ sdu, changes }: PersonChanges): void {
    const { sdus, types } = this.#asked
    // Two SDUs may have one hash.
    if (sdus.length > 0 && !sdus.includes(sdu)) return
    const asked = changes.filter((change) => {
      if (types.length > 0 && !types.includes(change.type)) return false
      return this.#topic === '' || isAbout(change, this.#topic)
    })
    this.#items.push(...itemsOf({ sdu, changes: asked }))
  }
}

function allRuns(file: ChangeFile, from: number): Run[] {
  const { people } = file.header
  const runs: Run[] = []
  for (let start = from; start < people; ) {
    let end = start + 1
    const last = Math.min(people, start + runPeopleMax)
    while (end < last && bytesOf(file, { from: start, to: end + 1 }) <= runBytesMax) end += 1
    runs.push({ from: start, to: end })
    start = end
  }
  return runs
}

function bytesOf({ offsets }: ChangeFile, { from, to }: Run): number {
  return offsets[to]! - offsets[from]!
}

/** Whether a change is of a rank in a topic, or of a core topic that was or is it. */
function isAbout({ type, topic, before, after }: Change, key: string): boolean {
  if (type === 'rank') return topicKey(topic!) === key
  if (type !== 'core_topic') return false
  return topicKey(before as string) === key || topicKey(after as string) === key
}

/** The changes of a person as they are served. */
export function itemsOf({ sdu, changes }: PersonChanges) {
  return changes.map(({ type, topic, before, after }) =>
    type === 'score'
      ? { type, sdu, topic, before: (before as number) / 100, after: (after as number) / 100 }
      : { type, sdu, topic, before, after },
  )
}

/** What all spellings of a topic have in common, by its label or an alias. */
export function keyOfTopic(catalog: Catalog, text: string): string {
  const topic = catalog.findTopic(topicKey(text))
  return topicKey(topic < 0 ? text : catalog.labelOf(topic))
}
