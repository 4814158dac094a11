/**
 * What a search costs by kind of text, in the process and without the answer cache. Each text is
 * asked several times, and its least time counts: what is left is the work of the search, not what
 * else the machine did.
 */
import type { Search } from '../../src/engine/interpret/search.ts'
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
}

/** How often each text is asked. */
const passes = 5

const limit = 10

/** Measures every kind; half of the texts of a kind are only there to warm up with. */
export function costsOf(search: Search, authorities: number, kinds: readonly Kind[]): CostRow[] {
  const measured = kinds.map((kind) => ({ kind, timesUs: timesOf(search, kind.texts) }))
  const topic = measured.find(({ kind }) => kind.name === 'topic')!
  return measured.map(({ kind: { name, texts, ...bounds }, timesUs }) => ({
    authorities,
    kind: name,
    texts: timesUs.length,
    meanUs: meanOf(timesUs),
    p50Us: shareOf(timesUs, 0.5),
    p99Us: shareOf(timesUs, 0.99),
    mostUs: timesUs.at(-1)!,
    byTopic: shareOf(timesUs, 0.5) / shareOf(topic.timesUs, 0.5),
    ...bounds,
  }))
}

/** The least times of the second half of some texts, ascending. */
function timesOf(search: Search, texts: readonly string[]): Float64Array {
  const half = texts.length >>> 1
  for (const text of texts.slice(0, half)) search.find(text, limit)
  const rest = texts.slice(half)
  const leastUs = new Float64Array(rest.length).fill(Number.POSITIVE_INFINITY)
  for (let pass = 0; pass < passes; pass += 1) {
    rest.forEach((text, index) => {
      const startedMs = performance.now()
      search.find(text, limit)
      leastUs[index] = Math.min(leastUs[index]!, (performance.now() - startedMs) * 1000)
    })
  }
  return leastUs.sort()
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
