/**
 * What a search costs by kind of text, in the process and without the answer cache.
 * All kinds take turns in several rounds, and the least time of each text counts: what is left is the work
 * of the search, not what else the machine did.
 */
import type { Search } from '../../src/engine/interpret/search.ts'
import { bytesPerCall } from '../shared/allocated.ts'
import type { Columns } from '../shared/report.ts'
import { shareOf } from '../shared/rounds.ts'
import type { Bounds, Kind } from './kinds.ts'

/** What a kind costs at one size, in microseconds. */
export interface CostRow extends Bounds {
  readonly authorities: number
  readonly kind: string
  readonly texts: number
  readonly meanUs: number
  readonly p50Us: number
  readonly p99Us: number
  readonly mostUs: number
  /** The median against that of topics in the same run. */
  readonly byTopic: number
  /** Allocated by a search, on the mean. */
  readonly bytes: number
}

/** Rounds: in each of them every text of every kind is asked once; the last one reads the clock of the processor. */
const roundCount = 6

const limit = 10

/** Measures every kind; half of the texts of a kind are only there to warm up with. */
export function costsOf(search: Search, authorities: number, kinds: readonly Kind[]): CostRow[] {
  const measured = timesOf(search, kinds)
  const topic = measured.find(({ kind }) => kind.name === 'topic')!
  return measured.map(({ kind: { name, texts: _, ...bounds }, texts, timesUs }) => ({
    authorities,
    kind: name,
    texts: timesUs.length,
    meanUs: meanOf(timesUs),
    p50Us: shareOf(timesUs, 0.5),
    p99Us: shareOf(timesUs, 0.99),
    mostUs: timesUs.at(-1)!,
    byTopic: shareOf(timesUs, 0.5) / shareOf(topic.timesUs, 0.5),
    bytes: bytesPerCall(texts.length, (index) => search.find(texts[index]!, limit)),
    ...bounds,
  }))
}

/** A kind with the least times of the second half of its texts, ascending. */
interface Measured {
  readonly kind: Kind
  readonly texts: readonly string[]
  readonly timesUs: Float64Array
}

/** Measures all kinds by turns, so that what slows the machine for a while slows no kind alone. */
function timesOf(search: Search, kinds: readonly Kind[]): readonly Measured[] {
  const measured = kinds.map((kind) => {
    const half = kind.texts.length >>> 1
    for (const text of kind.texts.slice(0, half)) search.find(text, limit)
    const texts = kind.texts.slice(half)
    return { kind, texts, timesUs: new Float64Array(texts.length).fill(Number.POSITIVE_INFINITY) }
  })
  for (let round = 0; round < roundCount; round += 1) {
    const ask = round < roundCount - 1 ? askOnce : askOnceByProcessor
    for (const { texts, timesUs } of measured) ask(search, texts, timesUs)
  }
  for (const { timesUs } of measured) timesUs.sort()
  return measured
}

/** Asks each text once, and keeps its time where it is the least. */
function askOnce(search: Search, texts: readonly string[], leastUs: Float64Array): void {
  for (const [index, text] of texts.entries()) {
    const startedMs = performance.now()
    search.find(text, limit)
    leastUs[index] = Math.min(leastUs[index]!, (performance.now() - startedMs) * 1000)
  }
}

/**
 * The same in processor time, which leaves out the waits of long texts. It is a call of the system: with it
 * before every text the search behind it takes 27 to 40 % more time.
 */
function askOnceByProcessor(search: Search, texts: readonly string[], leastUs: Float64Array): void {
  for (const [index, text] of texts.entries()) {
    const before = process.cpuUsage()
    search.find(text, limit)
    const { user, system } = process.cpuUsage(before)
    // Processor time is in whole microseconds, rounded down.
    leastUs[index] = Math.min(leastUs[index]!, user + system + 1)
  }
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/** The columns of a table of costs. */
export const costColumns: Columns<CostRow> = {
  authorities: ({ authorities }) => authorities,
  kind: ({ kind }) => kind,
  texts: ({ texts }) => texts,
  'mean µs': ({ meanUs }) => meanUs.toFixed(1),
  'p50 µs': ({ p50Us }) => p50Us.toFixed(1),
  'p99 µs': ({ p99Us }) => p99Us.toFixed(1),
  'most µs': ({ mostUs }) => mostUs.toFixed(0),
  'by topic': ({ byTopic }) => byTopic.toFixed(1),
  bytes: ({ bytes }) => bytes.toFixed(0),
  'at most': boundText,
  met: (row) => (isMet(row) ? 'yes' : 'no'),
}

function boundText({ meanUsMax, p50UsMax, p99UsMax, mostUsMax }: Bounds): string {
  const bounds = [
    meanUsMax === undefined ? [] : [`mean ${meanUsMax}`],
    p50UsMax === undefined ? [] : [`p50 ${p50UsMax}`],
    p99UsMax === undefined ? [] : [`p99 ${p99UsMax}`],
    mostUsMax === undefined ? [] : [`each ${mostUsMax}`],
  ]
  return bounds.flat().join(', ')
}

function isMet({ meanUs, p50Us, p99Us, mostUs, ...bounds }: CostRow): boolean {
  const { meanUsMax, p50UsMax, p99UsMax, mostUsMax } = bounds
  return (
    meanUs <= (meanUsMax ?? Number.POSITIVE_INFINITY) &&
    p50Us <= (p50UsMax ?? Number.POSITIVE_INFINITY) &&
    p99Us <= (p99UsMax ?? Number.POSITIVE_INFINITY) &&
    mostUs <= (mostUsMax ?? Number.POSITIVE_INFINITY)
  )
}
