/**
 * The metrics as Prometheus reads them (text exposition format 0.0.4). Written here and not by prom-client, because
 * its histograms can only be observed into, value by value, and not be filled from buckets that were counted
 * elsewhere.
 */
import { type Prices, routeNames } from '../operations.ts'
import {
  bucketBoundsSeconds,
  type Durations,
  type MetricReading,
  serviceRows,
  threadRows,
} from './metrics.ts'

interface MetricsContext {
  readonly prices: Prices
  /** Milliseconds since the epoch. */
  readonly nowMs: number
  readonly residentBytes: number
  readonly wire: { readonly name: string; readonly version: string }
}

/** One value, and what stands behind the name: its labels in braces. */
type Sample = readonly [labels: string, value: number]

export function metricsText(reading: MetricReading, context: MetricsContext): string {
  const { requests, durations, charged, threads, service } = reading
  const { prices, nowMs, residentBytes, wire } = context
  const answered = requests.map(
    ({ route, status, count }): Sample => [`{route="${route}",status="${status}"}`, count],
  )
  const queries = routeNames.map((route): Sample => [`{route="${route}"}`, charged[route]])
  const microUsd = routeNames.reduce((sum, route) => sum + charged[route] * prices[route], 0)
  const families = [
    family('requests_total', 'counter', 'HTTP requests answered.', answered),
    family(
      'request_duration_seconds',
      'histogram',
      'Seconds from reading a request to its answer.',
      durations.flatMap(histogramOf),
    ),
    family('charged_queries_total', 'counter', 'Queries answered and charged.', queries),
    family('charged_usd_total', 'counter', 'USD charged for them.', [['', microUsd / 1e6]]),
    ...Object.entries(threadRows).map(([name, [reads, help]]) => {
      const values = threads[name as keyof typeof threadRows]
      if (reads === 'by thread') {
        const each = values.map((value, thread): Sample => [`{thread="${thread}"}`, value])
        return family(name, 'gauge', help, each)
      }
      return family(name, reads, help, [['', values.reduce((sum, value) => sum + value, 0)]])
    }),
    ...Object.entries(serviceRows).map(([name, [reads, help]]) => {
      const cell = service[name as keyof typeof serviceRows]
      const value = shownOf(reads, cell, nowMs / 1000)
      const type = reads === 'counter' ? reads : 'gauge'
      return family(name, type, help, Number.isNaN(value) ? [] : [['', value]])
    }),
    family('resident_bytes', 'gauge', 'Memory of the process.', [['', residentBytes]]),
    family('uwebsockets_info', 'gauge', '1 for the package that uWebSockets.js is from.', [
      [`{package="${wire.name}",version="${wire.version}"}`, 1],
    ]),
  ]
  return `${families.join('\n')}\n`
}

function family(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: readonly Sample[],
): string {
  const full = `authority_index_${name}`
  const lines = samples.map(([labels, value]) => `${full}${labels} ${value}`)
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines].join('\n')
}

function shownOf(reads: string, cell: number, nowSeconds: number): number {
  if (reads === 'until') return cell - nowSeconds
  if (reads !== 'since') return cell
  return cell > 0 ? Math.max(0, nowSeconds - cell) : Number.NaN
}

/** The samples of the durations of a route: each bucket with those below it. */
function histogramOf({ route, buckets, sumSeconds }: Durations): Sample[] {
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
