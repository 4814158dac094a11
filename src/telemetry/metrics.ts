/**
 * The counters, in memory that all threads share. Every serving thread writes a region of its own, so
 * counting is a plain store; a reader adds the regions up. A region belongs to the place of a thread: a
 * replacement thread continues it. The main thread has a region too.
 *
 * The cells are doubles, which count exactly up to 2⁵³ and which V8 reads and writes in one piece on every
 * 64-bit machine.
 */
import { type RouteName, routeNames } from '../operations.ts'

const countedRoutes = [...routeNames, 'other'] as const

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

/** The help of each metric that every thread counts, by its name: it is a counter if that ends in `_total`, else a gauge. */
export const threadRows = {
  in_flight: 'Requests to /mcp being answered; any other is answered in one step.',
  insufficient_balance_total: 'Queries refused for want of balance (402).',
  rate_limited_total: 'Requests above the limit of an account.',
  failed_keys_limited_total: 'Requests without a valid key above the limit of an address.',
  connections_refused_total: 'Connections closed unread: too many, or too often from an address.',
  untaken_total: 'Connections that ended before they took an answer.',
  cache_hits_total: 'Searches answered from the cache.',
  cache_misses_total: 'Searches that were not in the cache.',
  text_errors_total:
    'Requests refused because texts could not be read from the file of the snapshot.',
  connections: 'Connections open.',
  unread_bytes: 'Answers that wait until their connections take them.',
  event_loop_delay_seconds:
    'Longest wait of a serving thread in the last second, less up to 50 ms; the last is the control thread.',
}

/** The metrics of the main thread. One that is NaN is not known, and absent. */
export const serviceRows = {
  given_away_usd_total:
    'USD that were sold and not charged: leases had ended, or the ledger has lost the account.',
  ledger_checkpoint_failures_total:
    'Checkpoints of a ledger in SQLite that failed; its -wal grows.',
  swaps_total: 'Snapshots served, less the first.',
  snapshot_refusals_total: 'Snapshots that were refused.',
  thread_deaths_total: 'Serving threads that died.',
  snapshot_age_seconds: 'Age of the records that are served.',
  snapshot_bytes: 'Size of the snapshot that is served.',
  sync_held_back: '1 while the last sync is held back.',
  sync_age_seconds: 'Since a sync succeeded last, also one that found nothing changed.',
  mirror_behind: 'Announcements in object storage that this node has not switched to.',
  mirror_contact_age_seconds: 'Since object storage was heard of last.',
  mirror_bytes_total: 'Bytes fetched from there.',
  mirror_failures_total: 'Looks there that failed.',
  first_ten_stayed_mean:
    'Of the first ten of a topic, how many were before: the mean of all topics.',
  first_ten_stayed_min: 'The same of the topic where fewest were.',
  first_ten_stayed_share: 'Share of the topics whose first ten are the same people.',
  kendall_tau_mean: "Kendall's tau of the large topics against the snapshot before: the mean.",
  kendall_tau_min: 'The same of the topic where it is least.',
  ledger_available: '1 while charges can be recorded.',
  ledger_balanced: '1 while every account adds up.',
  outbox_age_seconds:
    'Age of the oldest charge that the shared ledger does not have yet; 0 for none.',
  certificate_left_seconds: 'Until the TLS certificate of the service ends.',
  ready: '1 while the service can serve.',
}

export function isCounter(name: string): boolean {
  return name.endsWith('_total')
}

type ThreadMetric = keyof typeof threadRows
type ServiceMetric = keyof typeof serviceRows

const threadNames = Object.keys(threadRows) as ThreadMetric[]
const serviceNames = Object.keys(serviceRows) as ServiceMetric[]

const requestsAt = 0
const bucketsAt = requestsAt + countedRoutes.length * statuses
const secondsAt = bucketsAt + countedRoutes.length * buckets
const chargedAt = secondsAt + countedRoutes.length
const namedAt = chargedAt + routeNames.length
/** Whole cache lines of 64 bytes, so that threads do not take each other's. */
const cellsPerThread = Math.ceil((namedAt + threadNames.length) / 8) * 8

function cellsOf<N extends string>(names: readonly N[], start: number): Record<N, number> {
  return Object.fromEntries(names.map((name, index) => [name, start + index])) as Record<N, number>
}

const requestsCells = cellsOf(countedRoutes, 0)
const chargedCells = cellsOf(routeNames, chargedAt)
const threadCells = cellsOf(threadNames, namedAt)
const serviceCells = cellsOf(serviceNames, 0)

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

function bucketOf(seconds: number): number {
  const microseconds = Math.ceil(seconds * 1e6)
  if (microseconds <= 1) return 0
  return Math.min(32 - Math.clz32(microseconds - 1), buckets - 1)
}

export class ThreadMetrics {
  readonly #all: Float64Array
  readonly #cells: Float64Array

  /** Continues the region of a former thread: its counters stay, its gauges become 0. */
  constructor({ threads }: SharedMetrics, thread: number) {
    this.#all = new Float64Array(threads)
    const start = thread * cellsPerThread
    this.#cells = this.#all.subarray(start, start + cellsPerThread)
    for (const name of threadNames) if (!isCounter(name)) this.set(name, 0)
  }

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

  /** Counts one more, or changes a gauge. */
  count(name: ThreadMetric, by = 1): void {
    const cell = threadCells[name]
    this.#cells[cell] = this.#cells[cell]! + by
  }

  set(name: ThreadMetric, value: number): void {
    this.#cells[threadCells[name]] = value
  }

  connectionsOpen(): number {
    return sumOf(this.#all, threadCells.connections)
  }
}

/** A figure that is not known, null or undefined, is absent from what is read. */
export function setServiceMetrics(
  { service }: SharedMetrics,
  facts: Partial<Readonly<Record<ServiceMetric, number | null | undefined>>>,
): void {
  const cells = new Float64Array(service)
  for (const [name, value] of Object.entries(facts)) {
    cells[serviceCells[name as ServiceMetric]] = value ?? Number.NaN
  }
}

export type MetricReading = ReturnType<typeof readMetrics>

/** Reads all regions. Takes some ten microseconds for each thread. */
export function readMetrics({ threads, service }: SharedMetrics) {
  const all = new Float64Array(threads)
  const regions = Array.from({ length: all.length / cellsPerThread }, (_, thread) =>
    all.subarray(thread * cellsPerThread, (thread + 1) * cellsPerThread),
  )
  const sums = all.slice(0, cellsPerThread).map((_, cell) => sumOf(all, cell))
  const rowOf = (start: number, column: number, length: number) =>
    sums.subarray(start + column * length, start + (column + 1) * length)
  const ofService = new Float64Array(service)
  return {
    /** Without the statuses that never occurred. */
    requests: countedRoutes.flatMap((route, column) =>
      Array.from(rowOf(requestsAt, column, statuses), (count, index) => {
        return { route, status: statusMin + index, count }
      }).filter(({ count }) => count > 0),
    ),
    /** How many requests are in each bucket (not added up), and their sum. */
    durations: countedRoutes.map((route, column) => ({
      route,
      buckets: rowOf(bucketsAt, column, buckets),
      sumSeconds: sums[secondsAt + column]!,
    })),
    charged: mapped(chargedCells, (cell) => sums[cell]!),
    threads: mapped(threadCells, (cell) => regions.map((region) => region[cell]!)),
    service: mapped(serviceCells, (cell) => ofService[cell]!),
  }
}

function mapped<N extends string, T>(
  cells: Readonly<Record<N, number>>,
  read: (cell: number) => T,
): Record<N, T> {
  const entries = Object.entries<number>(cells).map(([name, cell]) => [name, read(cell)])
  return Object.fromEntries(entries)
}

function sumOf(all: Float64Array, cell: number): number {
  let sum = 0
  for (let at = cell; at < all.length; at += cellsPerThread) sum += all[at]!
  return sum
}
