/**
 * The metrics as Prometheus reads them (text exposition format 0.0.4). Written here and not by prom-client, because
 * its histograms can only be observed into, value by value, and not be filled from buckets that were counted
 * elsewhere.
 */
import { type Prices, routeNames } from '../operations.ts'
import {
  bucketBoundsSeconds,
  isCounter,
  type MetricReading,
  serviceRows,
  threadRows,
} from './metrics.ts'

interface MetricsContext {
  readonly prices: Prices
  readonly residentBytes: number
  readonly wire: { readonly name: string; readonly version: string }
}

/** One value, and what stands behind the name: its labels in braces. */
type Sample = readonly [labels: string, value: number]

export function metricsText(reading: MetricReading, context: MetricsContext): string {
  const { requests, durations, charged, threads, service } = reading
  const { prices, residentBytes, wire } = context
  const microUsd = sumOf(routeNames.map((route) => charged[route] * prices[route]))
  const families = [
    family(
      'requests_total',
      'HTTP requests answered.',
      requests.map(({ route, status, count }) => [`{route="${route}",status="${status}"}`, count]),
    ),
    family(
      'request_duration_seconds',
      'Seconds from reading a request to its answer.',
      durations.flatMap(histogramOf),
      'histogram',
    ),
    family(
      'charged_queries_total',
      'Queries answered and charged.',
      routeNames.map((route) => [`{route="${route}"}`, charged[route]]),
    ),
    family('charged_usd_total', 'USD charged for them.', [['', microUsd / 1e6]]),
    ...Object.entries(threads).map(([name, values]) => {
      const each = values.map((value, thread): Sample => [`{thread="${thread}"}`, value])
      const samples = name === ofEachThread ? each : [['', sumOf(values)] as const]
      return family(name, threadRows[name as keyof typeof threads], samples)
    }),
    ...Object.entries(service).map(([name, cell]) => {
      const samples = Number.isNaN(cell) ? [] : [['', cell] as const]
      return family(name, serviceRows[name as keyof typeof service], samples)
    }),
    family('resident_bytes', 'Memory of the process.', [['', residentBytes]]),
    family('uwebsockets_info', '1 for the package that uWebSockets.js is from.', [
      [`{package="${wire.name}",version="${wire.version}"}`, 1],
    ]),
  ]
  return `${families.join('\n')}\n`
}

function family(
  name: string,
  help: string,
  samples: readonly Sample[],
  type = isCounter(name) ? 'counter' : 'gauge',
): string {
  const full = `authority_index_${name}`
  const lines = samples.map(([labels, value]) => `${full}${labels} ${value}`)
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines].join('\n')
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** A gauge with a value for each thread; of all others those of the threads are added up. */
const ofEachThread = 'event_loop_delay_seconds'

/** The samples of the durations of a route: each bucket with those below it. */
function histogramOf({ route, buckets, sumSeconds }: MetricReading['durations'][number]): Sample[] {
  const label = `route="${route}"`
  let below = 0
  const bounded = bucketBoundsSeconds.map((bound, bucket): Sample => {
    below += buckets[bucket]!
    return [`_bucket{${label},le="${plain(bound)}"}`, below]
  })
  const count = below + buckets.at(-1)!
  return [
    ...bounded,
    [`_bucket{${label},le="+Inf"}`, count],
    [`_sum{${label}}`, sumSeconds],
    [`_count{${label}}`, count],
  ]
}

/** A bound in plain decimals, so that the name of a series does not depend on the format of numbers. */
function plain(seconds: number): string {
  return seconds.toFixed(6).replace(/\.?0+$/, '')
}
