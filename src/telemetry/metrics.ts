/**
 * The counters, in memory that all threads share. Every serving thread writes a region of its own, so
 * counting is a plain store; a reader adds the regions up. A region belongs to the place of a thread: a
 * replacement thread continues it. The main thread has a region too.
 *
 * The cells are doubles, which count exactly up to 2⁵³ and which V8 reads and writes in one piece on every
 * 64-bit machine.
 */
import { type RouteName, routeNames } from '../operations.ts'

/** The columns of requests: each route, and everything else. */
const countedRoutes = [...routeNames, 'other'] as const

/** One of them. */
export type CountedRoute = (typeof countedRoutes)[number]

/** The upper bounds of the latency buckets in seconds: 1 µs, doubling up to 1.05 s. */
export const bucketBoundsSeconds: readonly number[] = Array.from(
  { length: 21 },
  (_, bucket) => 2 ** bucket / 1e6,
)

const statusMin = 100
const statuses = 500
/** The last one is for durations above every bound. */
const buckets = bucketBoundsSeconds.length + 1

const counterNames = [
  'insufficientBalance',
  'rateLimited',
  'failedKeysLimited',
  'connectionsRefused',
  'untaken',
  'cacheHits',
  'cacheMisses',
  'textErrors',
] as const
const gaugeNames = ['inFlight', 'connections', 'unreadBytes', 'eventLoopDelaySeconds'] as const
const serviceNames = [
  'swaps',
  'snapshotRefusals',
  'snapshotMadeAtSeconds',
  'snapshotBytes',
  'syncHeldBack',
  'syncedAtSeconds',
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
  'ledgerBalanced',
  'outboxAgeSeconds',
  'certificateEndsAtSeconds',
  'givenAwayUsd',
  'writtenOffUsd',
  'checkpointFailures',
  'ready',
] as const

/** A counter of a thread, beside requests. */
type CounterName = (typeof counterNames)[number]

/** A present value of a thread. */
type GaugeName = (typeof gaugeNames)[number]

/** A fact of the main thread: times are seconds since the epoch, true is 1, unknown is NaN. */
type ServiceFact = (typeof serviceNames)[number]

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

/** The counters of one serving thread. */
export class ThreadMetrics {
  readonly #all: Float64Array
  readonly #cells: Float64Array

  /** Continues the region of a former thread: its counters stay, its gauges become 0. */
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

  /** Counts one more, or several. */
  count(name: CounterName, by = 1): void {
    const cell = counterCells[name]
    this.#cells[cell] = this.#cells[cell]! + by
  }

  /** Sets a gauge. */
  set(name: GaugeName, value: number): void {
    this.#cells[gaugeCells[name]] = value
  }

  /** Changes a gauge. */
  change(name: GaugeName, by: number): void {
    const cell = gaugeCells[name]
    this.#cells[cell] = this.#cells[cell]! + by
  }

  /** The connections that all threads have open. */
  connectionsOpen(): number {
    return sumOf(this.#all, gaugeCells.connections)
  }
}

/** The facts of the main thread. */
export class ServiceMetrics {
  readonly #cells: Float64Array

  constructor({ service }: SharedMetrics) {
    this.#cells = new Float64Array(service)
  }

  /** Sets the given facts and keeps the others. */
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

/** All counters, of all threads together. */
export interface MetricReading {
  /** Without the statuses that never occurred. */
  readonly requests: readonly { route: CountedRoute; status: number; count: number }[]
  readonly durations: readonly Durations[]
  readonly charged: Readonly<Record<RouteName, number>>
  readonly counters: Readonly<Record<CounterName, number>>
  readonly inFlight: number
  readonly connections: number
  readonly unreadBytes: number
  /** Delays of the event loop, by thread. */
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
