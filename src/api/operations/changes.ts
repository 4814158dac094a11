/**
 * The changes since a snapshot, in the order in which they are to be applied, never a person on two pages. The reads of a
 * page are bounded: a page before the last may be short or empty if few changes are of the wanted types.
 */
import { limits } from '../../limits.ts'
import type { Change, ChangeType, PersonChanges } from '../../snapshot/changes/change.ts'
import { type ChangeFile, type ReadPeople, rangeOfSdu } from '../../snapshot/changes/change-file.ts'
import { topicKey } from '../../text/analyzer.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import { fileIndex, indexBehind, numberAt, oldestId } from '../past.ts'
import type { Values } from '../schemas/inputs.ts'
import { keyOfTopic, type ListPage, listOperation, readFrom } from './lists/list-page.ts'

/** The file by its number. */
type ChangesPlace = readonly [number: number, person: number]

interface Run {
  readonly from: number
  readonly to: number
}

/** Maximum bytes of one read if the changes of all people are wanted. */
const runBytesMax = 64 << 10
const runPeopleMax = 250

class PageReader {
  readonly #served: ActiveSnapshot
  /** Empty for all people. */
  readonly #sdus: ReadonlySet<string>
  /** '' for all. */
  readonly #topic: string
  readonly #types: readonly ChangeType[]
  readonly #items: unknown[] = []
  #bytes = 0
  #reads = 0

  constructor(served: ActiveSnapshot, { sdus, topic = '', types = [] }: Values<'changes'>) {
    this.#served = served
    this.#sdus = new Set(sdus)
    this.#topic = keyOfTopic(served.catalog, topic)
    this.#types = types
  }

  read(index: number, person: number): ListPage<ChangesPlace> {
    const { past } = this.#served
    const { files } = past
    for (let at = index; at < files.length; at += 1) {
      const stoppedAt = this.#readFile(files[at]!, at === index ? person : 0)
      if (stoppedAt === undefined) continue
      return { items: this.#items, next: [numberAt(past, at), stoppedAt] }
    }
    return { items: this.#items }
  }

  /** Reads on in a file; returns the first person that it did not read, undefined at the end. */
  #readFile(file: ChangeFile, from: number): number | undefined {
    const runs = this.#sdus.size === 0 ? allRuns(file, from) : this.#runsOfSdus(file, from)
    const [first] = runs
    if (first === undefined) return undefined
    if (this.#isFull(file, first)) return first.from
    const stoppedAt = readFrom(file, (read) => this.#readRuns(file, read, runs) ?? -1)
    // The page ends at a file that is gone, so that no page shows later changes alone.
    if (stoppedAt === undefined) return from
    return stoppedAt < 0 ? undefined : stoppedAt
  }

  #readRuns(file: ChangeFile, read: ReadPeople, runs: readonly Run[]): number | undefined {
    for (const run of runs) {
      if (this.#isFull(file, run)) return run.from
      this.#reads += 1
      this.#bytes += bytesOf(file, run)
      for (const person of read(run.from, run.to)) this.#take(person)
    }
    return undefined
  }

  /** Whether a run is too much for this page, which has read something already. */
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
    for (const sdu of this.#sdus) {
      const { start, end } = rangeOfSdu(file, sdu)
      for (let person = Math.max(start, from); person < end; person += 1) people.add(person)
    }
    return [...people].sort((a, b) => a - b).map((person) => ({ from: person, to: person + 1 }))
  }

  #take({ sdu, changes }: PersonChanges): void {
    // Two SDUs may have one hash.
    if (this.#sdus.size > 0 && !this.#sdus.has(sdu)) return
    const asked = changes.filter((change) => {
      if (this.#types.length > 0 && !this.#types.includes(change.type)) return false
      return this.#topic === '' || isAbout(change, this.#topic)
    })
    this.#items.push(...changeItemsOf({ sdu, changes: asked }))
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

function bytesOf({ starts }: ChangeFile, { from, to }: Run): number {
  return starts[to]! - starts[from]!
}

/** Whether a change is of a rank in a topic, or of a core topic that was or is it. */
function isAbout({ type, topic, before, after }: Change, key: string): boolean {
  if (type === 'rank') return topicKey(topic!) === key
  if (type !== 'core_topic') return false
  return topicKey(before as string) === key || topicKey(after as string) === key
}

export function changeItemsOf({ sdu, changes }: PersonChanges) {
  return changes.map(({ type, topic, before, after }) =>
    type === 'score'
      ? { type, sdu, topic, before: (before as number) / 100, after: (after as number) / 100 }
      : { type, sdu, topic, before, after },
  )
}

export const changes = listOperation('changes', {
  of: ({ since, sdus, topic = '', types }) => [
    since,
    [...new Set(sdus)],
    topic,
    [...new Set(types)],
  ],
  begin: ({ past }, { since }, place: ChangesPlace | undefined) => {
    const index = place === undefined ? indexBehind(past, since) : fileIndex(past, place[0])
    if (index !== undefined) return { value: { index, person: place?.[1] ?? 0 } }
    const oldest = oldestId(past)
    const detail = `the oldest snapshot from which changes are known is ${oldest}`
    return { problem: { code: 'changes-gone', detail, members: { oldest } } }
  },
  page: (served, values, { index, person }) => new PageReader(served, values).read(index, person),
})
