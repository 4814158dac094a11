/**
 * The counters, in memory that all threads share. Every serving thread writes a region of its own, so
 * counting is a plain store; a reader adds the regions up. A region belongs to the place of a thread: a
 * replacement thread continues it. The main thread has a region too.
 *
 * The cells are doubles, which count exactly up to 2⁵³ and which V8 reads and writes in one piece on every
 * 64-bit machine.
 */
import { type RouteName, routeNames } from '../operations.ts'

/** What requests are counted by: the four routes, and everything else. */
export const countedRoutes = [...routeNames, 'other'] as const

/** One of them. */
export type CountedRoute = (typeof countedRoutes)[number]

/** The upper bounds of the latency buckets in seconds: 1 µs, doubling up to 1.05 s. */
export const bucketBoundsSeconds: readonly number[] = Array.from(
  { length: 21 },
  (_, bucket) => 2 ** bucket / 1e6,
)

const statusMin = 100
const statuses = 500
/** The last is for what is above every bound. */
const buckets = bucketBoundsSeconds.length + 1

const counterNames = [
  'insufficientBalance',
  'rateLimited',
  'failedKeysLimited',
  'connectionsRefused',
  'untaken',
  'cacheHits',
  'cacheMisses',
] as const
const gaugeNames = ['inFlight', 'connections', 'unreadBytes', 'eventLoopDelaySeconds'] as const
const serviceNames = [
  'swaps',
  'snapshotRefusals',
  'snapshotMadeAtSeconds',
  'snapshotBytes',
  'syncHeldBack',
  'mirrorBehind',
  'mirrorContactAtSeconds',
  'mirrorBytes',
  'mirrorFailures',
  'firstTenStayedMean',
  'firstTenStayedMin',
  'firstTenStayedShare',
  'kendallTauMean',
  'kendallTauMin',
  'threadDeaths',
  'ledgerAvailable',
  'givenAwayUsd',
  'writtenOffUsd',
  'ready',
] as const

/** What a thread counts beside requests. */
export type CounterName = (typeof counterNames)[number]

/** What a thread has at the moment. */
export type GaugeName = (typeof gaugeNames)[number]

/** What the main thread knows; times are since the epoch, a yes is 1, and what is not known NaN. */
export type ServiceFact = (typeof serviceNames)[number]

const requestsAt = 0
const bucketsAt = requestsAt + countedRoutes.length * statuses
const secondsAt = bucketsAt + countedRoutes.length * buckets
const chargedAt = secondsAt + countedRoutes.length
const countersAt = chargedAt + routeNames.length
const gaugesAt = countersAt + counterNames.length
/** Whole cache lines of 64 bytes, so that threads do not take each other's. */
const cellsPerThread = Math.ceil((gaugesAt + gaugeNames.length) / 8) * 8

/** Names to cells, from a cell on. */
function cellsOf<N extends string>(names: readonly N[], start: number): Record<N, number> {
  return Object.fromEntries(names.map((name, index) => [name, start + index])) as Record<N, number>
}

const requestsCells = cellsOf(countedRoutes, 0)
const chargedCells = cellsOf(routeNames, chargedAt)
const counterCells = cellsOf(counterNames, countersAt)
const gaugeCells = cellsOf(gaugeNames, gaugesAt)
const serviceCells = cellsOf(serviceNames, 0)

/** The memory itself: a plain value to hand to a worker thread. */
export interface SharedMetrics {
  readonly threads: SharedArrayBuffer
  readonly service: SharedArrayBuffer
}

/** 22 KB for each thread, most of it never touched. */
export function createSharedMetrics(threads: number): SharedMetrics {
  const bytes = Float64Array.BYTES_PER_ELEMENT
  return {
    threads: new SharedArrayBuffer(threads * cellsPerThread * bytes),
    service: new SharedArrayBuffer(serviceNames.length * bytes),
  }
}

/** The bucket of a duration. */
function bucketOf(seconds: number): number {
  const microseconds = Math.ceil(seconds * 1e6)
  if (microseconds <= 1) return 0
  return Math.min(32 - Math.clz32(microseconds - 1), buckets - 1)
}

/** What one serving thread counts. */
export class ThreadMetrics {
  readonly #all: Float64Array
  readonly #cells: Float64Array

  /** Takes the place of a thread: what that one had counted stays, what it had is gone. */
  constructor({ threads }: SharedMetrics, thread: number) {
    this.#all = new Float64Array(threads)
    const start = thread * cellsPerThread
    this.#cells = this.#all.subarray(start, start + cellsPerThread)
    this.#cells.fill(0, gaugesAt, gaugesAt + gaugeNames.length)
  }

  /** Counts an HTTP request that was answered. */
  answered(route: CountedRoute, status: number, seconds: number): void {
    const cells = this.#cells
    const column = requestsCells[route]
    const statusCell = requestsAt + column * statuses + status - statusMin
    const bucketCell = bucketsAt + column * buckets + bucketOf(seconds)
    cells[statusCell] = cells[statusCell]! + 1
    cells[bucketCell] = cells[bucketCell]! + 1
    cells[secondsAt + column] = cells[secondsAt + column]! + seconds
  }

  /** Counts queries whose answer was written and which will be charged. */
  charged(route: RouteName, queries: number): void {
    const cell = chargedCells[route]
    this.#cells[cell] = this.#cells[cell]! + queries
  }

  /** Counts one more. */
  count(name: CounterName): void {
    const cell = counterCells[name]
    this.#cells[cell] = this.#cells[cell]! + 1
  }

  /** Sets what the thread has at the moment. */
  set(name: GaugeName, value: number): void {
    this.#cells[gaugeCells[name]] = value
  }

  /** Changes what the thread has at the moment. */
  change(name: GaugeName, by: number): void {
    const cell = gaugeCells[name]
    this.#cells[cell] = this.#cells[cell]! + by
  }

  /** The connections that all threads have open. */
  connectionsOpen(): number {
    return sumOf(this.#all, gaugeCells.connections)
  }
}

/** What the main thread counts. */
export class ServiceMetrics {
  readonly #cells: Float64Array

  constructor({ service }: SharedMetrics) {
    this.#cells = new Float64Array(service)
  }

  /** Takes over what is given and leaves the rest. */
  set(facts: Partial<Readonly<Record<ServiceFact, number>>>): void {
    for (const [name, value] of Object.entries(facts)) {
      this.#cells[serviceCells[name as ServiceFact]] = value
    }
  }
}

/** The durations of a route: how many requests in each bucket (not added up), and their sum. */
export interface Durations {
  readonly route: CountedRoute
  readonly buckets: readonly number[]
  readonly sumSeconds: number
}

/** Everything that was counted, by all threads. */
export interface MetricReading {
  /** Statuses that were never answered are absent. */
  readonly requests: readonly { route: CountedRoute; status: number; count: number }[]
  readonly durations: readonly Durations[]
  readonly charged: Readonly<Record<RouteName, number>>
  readonly counters: Readonly<Record<CounterName, number>>
  readonly inFlight: number
  readonly connections: number
  readonly unreadBytes: number
  /** By thread. */
  readonly eventLoopDelaysSeconds: readonly number[]
  readonly service: Readonly<Record<ServiceFact, number>>
}

/** Reads all regions. Takes some ten microseconds for each thread. */
export function readMetrics({ threads, service }: SharedMetrics): MetricReading {
  const all = new Float64Array(threads)
  const serviceCellsRead = new Float64Array(service)
  const starts = regionStarts(all)
  return {
    requests: countedRoutes.flatMap((route, column) => requestsOf(all, route, column)),
    durations: countedRoutes.map((route, column) => ({
      route,
      buckets: Array.from({ length: buckets }, (_, bucket) =>
        sumOf(all, bucketsAt + column * buckets + bucket),
      ),
      sumSeconds: sumOf(all, secondsAt + column),
    })),
    charged: mapped(chargedCells, (cell) => sumOf(all, cell)),
    counters: mapped(counterCells, (cell) => sumOf(all, cell)),
    inFlight: sumOf(all, gaugeCells.inFlight),
    connections: sumOf(all, gaugeCells.connections),
    unreadBytes: sumOf(all, gaugeCells.unreadBytes),
    eventLoopDelaysSeconds: starts.map((start) => all[start + gaugeCells.eventLoopDelaySeconds]!),
    service: mapped(serviceCells, (cell) => serviceCellsRead[cell]!),
  }
}

function requestsOf(all: Float64Array, route: CountedRoute, column: number) {
  const found = []
  for (let index = 0; index < statuses; index += 1) {
    const count = sumOf(all, requestsAt + column * statuses + index)
    if (count > 0) found.push({ route, status: statusMin + index, count })
  }
  return found
}

function mapped<N extends string>(
  cells: Readonly<Record<N, number>>,
  read: (cell: number) => number,
): Record<N, number> {
  const entries = Object.entries<number>(cells).map(([name, cell]) => [name, read(cell)])
  return Object.fromEntries(entries)
}

function regionStarts(all: Float64Array): number[] {
  const length = all.length / cellsPerThread
  return Array.from({ length }, (_, thread) => thread * cellsPerThread)
}

/** The sum of a cell over all regions. */
function sumOf(all: Float64Array, cell: number): number {
  let sum = 0
  for (let at = cell; at < all.length; at += cellsPerThread) sum += all[at]!
  return sum
}
