/**
 * The metrics as Prometheus reads them (text exposition format 0.0.4). Written here and not by prom-client, because
 * its histograms can only be observed into, value by value, and not be filled from buckets that were counted
 * elsewhere.
 */
import { type Prices, routeNames } from '../operations.ts'
import { bucketBoundsSeconds, type Durations, type MetricReading } from './metrics.ts'

/** The gauges: values at the moment of the reading. */
interface MetricsContext {
  readonly prices: Prices
  /** Milliseconds since the epoch. */
  readonly nowMs: number
  readonly residentBytes: number
  /** The package that uWebSockets.js is from. */
  readonly wire: { readonly name: string; readonly version: string }
}

/** One value and its labels, as they stand in braces; '' without labels. */
type Sample = readonly [labels: string, value: number]

/** A reading as text, each metric with its help. */
export function metricsText(reading: MetricReading, surroundings: MetricsContext): string {
  const families = [
    ...requestFamilies(reading),
    ...moneyFamilies(reading, surroundings.prices),
    ...counterFamilies(reading),
    ...stateFamilies(reading, surroundings),
  ]
  return `${families.join('\n')}\n`
}

function family(
  name: string,
  type: 'counter' | 'gauge',
  help: string,
  samples: readonly Sample[],
): string {
  const full = `authority_index_${name}`
  const lines = samples.map(([labels, value]) => `${full}${braced(labels)} ${value}`)
  return [`# HELP ${full} ${help}`, `# TYPE ${full} ${type}`, ...lines].join('\n')
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

function counter(name: string, help: string, value: number): string {
  return family(name, 'counter', help, [['', value]])
}

function gauge(name: string, help: string, value: number): string {
  return family(name, 'gauge', help, [['', value]])
}

/** A metric that is absent while its value is no number. */
function known(name: string, help: string, value: number): string {
  return family(name, 'gauge', help, Number.isNaN(value) ? [] : [['', value]])
}

function requestFamilies({ requests, durations, inFlight }: MetricReading): string[] {
  const samples = requests.map(
    ({ route, status, count }): Sample => [`route="${route}",status="${status}"`, count],
  )
  return [
    family('requests_total', 'counter', 'HTTP requests answered.', samples),
    histogram(durations),
    gauge(
      'in_flight',
      'Requests to /mcp being answered; any other is answered in one step.',
      inFlight,
    ),
  ]
}

function histogram(durations: readonly Durations[]): string {
  const name = 'authority_index_request_duration_seconds'
  const lines = durations.flatMap(({ route, buckets, sumSeconds }) => {
    const label = `route="${route}"`
    let below = 0
    const bounded = bucketBoundsSeconds.map((bound, bucket) => {
      below += buckets[bucket]!
      return `${name}_bucket{${label},le="${plain(bound)}"} ${below}`
    })
    const count = below + buckets.at(-1)!
    return [
      ...bounded,
      `${name}_bucket{${label},le="+Inf"} ${count}`,
      `${name}_sum{${label}} ${sumSeconds}`,
      `${name}_count{${label}} ${count}`,
    ]
  })
  const help = 'Seconds from reading a request to its answer.'
  return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines].join('\n')
}

/** A bound in plain decimals, so that the name of a series does not depend on the format of numbers. */
function plain(seconds: number): string {
  return seconds.toFixed(6).replace(/\.?0+$/, '')
}

function moneyFamilies({ charged, counters, service }: MetricReading, prices: Prices): string[] {
  const samples = routeNames.map((route): Sample => [`route="${route}"`, charged[route]])
  const chargedMicroUsd = routeNames.reduce((sum, route) => sum + charged[route] * prices[route], 0)
  const dear = counters.insufficientBalance
  return [
    family('charged_queries_total', 'counter', 'Queries answered and charged.', samples),
    counter('charged_usd_total', 'USD charged for them.', chargedMicroUsd / 1e6),
    counter(
      'given_away_usd_total',
      'USD of them that came too late to be charged, as leases had ended.',
      service.givenAwayUsd,
    ),
    counter(
      'written_off_usd_total',
      'USD of them that were sold to accounts which the ledger has lost since.',
      service.writtenOffUsd,
    ),
    counter(
      'ledger_checkpoint_failures_total',
      'Checkpoints of a ledger in SQLite that failed; its -wal grows.',
      service.checkpointFailures,
    ),
    counter('insufficient_balance_total', 'Queries refused for want of balance (402).', dear),
  ]
}

function counterFamilies({ counters, service }: MetricReading): string[] {
  return [
    counter('rate_limited_total', 'Requests above the limit of an account.', counters.rateLimited),
    counter(
      'failed_keys_limited_total',
      'Requests without a valid key above the limit of an address.',
      counters.failedKeysLimited,
    ),
    counter(
      'connections_refused_total',
      'Connections closed unread: too many, or too often from an address.',
      counters.connectionsRefused,
    ),
    counter(
      'untaken_total',
      'Connections that ended before they took an answer.',
      counters.untaken,
    ),
    counter('cache_hits_total', 'Searches answered from the cache.', counters.cacheHits),
    counter('cache_misses_total', 'Searches that were not in the cache.', counters.cacheMisses),
    counter(
      'text_errors_total',
      'Requests refused because texts could not be read from the file of the snapshot.',
      counters.textErrors,
    ),
    counter('swaps_total', 'Snapshots served, less the first.', service.swaps),
    counter('snapshot_refusals_total', 'Snapshots that were refused.', service.snapshotRefusals),
    counter('thread_deaths_total', 'Serving threads that died.', service.threadDeaths),
  ]
}

/** The metrics of stability; absent if there is nothing to compare the snapshot with. */
function stabilityFamilies(service: MetricReading['service']): string[] {
  return [
    known(
      'first_ten_stayed_mean',
      'Of the first ten of a topic, how many were before: the mean of all topics.',
      service.firstTenStayedMean,
    ),
    known(
      'first_ten_stayed_min',
      'The same of the topic where fewest were.',
      service.firstTenStayedMin,
    ),
    known(
      'first_ten_stayed_share',
      'Share of the topics whose first ten are the same people.',
      service.firstTenStayedShare,
    ),
    known(
      'kendall_tau_mean',
      "Kendall's tau of the large topics against the snapshot before: the mean.",
      service.kendallTauMean,
    ),
    known('kendall_tau_min', 'The same of the topic where it is least.', service.kendallTauMin),
  ]
}

/** The metrics of the mirror; absent if no object storage is followed. */
function mirrorFamilies(service: MetricReading['service'], nowMs: number): string[] {
  const isFollowed = !Number.isNaN(service.mirrorBehind)
  const known = (value: number): Sample[] => (isFollowed ? [['', value]] : [])
  const { mirrorBehind, mirrorContactAtSeconds, mirrorBytes, mirrorFailures } = service
  return [
    family(
      'mirror_behind',
      'gauge',
      'Announcements in object storage that this node has not switched to.',
      known(mirrorBehind),
    ),
    family(
      'mirror_contact_age_seconds',
      'gauge',
      'Since object storage was heard of last.',
      mirrorContactAtSeconds > 0 ? known(nowMs / 1000 - mirrorContactAtSeconds) : [],
    ),
    family('mirror_bytes_total', 'counter', 'Bytes fetched from there.', known(mirrorBytes)),
    family('mirror_failures_total', 'counter', 'Looks there that failed.', known(mirrorFailures)),
  ]
}

function stateFamilies(reading: MetricReading, surroundings: MetricsContext): string[] {
  const { nowMs, residentBytes, wire } = surroundings
  const { service, connections, unreadBytes, eventLoopDelaysSeconds } = reading
  const nowSeconds = nowMs / 1000
  const ageSeconds = Math.max(0, nowSeconds - service.snapshotMadeAtSeconds)
  const delays = eventLoopDelaysSeconds.map(
    (seconds, thread): Sample => [`thread="${thread}"`, seconds],
  )
  const hasSnapshot = service.snapshotMadeAtSeconds > 0
  return [
    known(
      'snapshot_age_seconds',
      'Age of the records that are served.',
      hasSnapshot ? ageSeconds : Number.NaN,
    ),
    gauge('snapshot_bytes', 'Size of the snapshot that is served.', service.snapshotBytes),
    gauge('sync_held_back', '1 while the last sync is held back.', service.syncHeldBack),
    known(
      'sync_age_seconds',
      'Since a sync succeeded last, also one that found nothing changed.',
      nowSeconds - service.syncedAtSeconds,
    ),
    ...mirrorFamilies(service, nowMs),
    ...stabilityFamilies(service),
    gauge('connections', 'Connections open.', connections),
    gauge('unread_bytes', 'Answers that wait until their connections take them.', unreadBytes),
    family(
      'event_loop_delay_seconds',
      'gauge',
      'Longest wait of a serving thread in the last second, less up to 50 ms; the last is the control thread.',
      delays,
    ),
    gauge('resident_bytes', 'Memory of the process.', residentBytes),
    gauge('ledger_available', '1 while charges can be recorded.', service.ledgerAvailable),
    gauge('ledger_balanced', '1 while every account adds up.', service.ledgerBalanced),
    known(
      'outbox_age_seconds',
      'Age of the oldest charge that the shared ledger does not have yet; 0 for none.',
      service.outboxAgeSeconds,
    ),
    known(
      'certificate_left_seconds',
      'Until the TLS certificate of the service ends.',
      service.certificateEndsAtSeconds - nowSeconds,
    ),
    gauge('ready', '1 while the service can serve.', service.ready),
    family('uwebsockets_info', 'gauge', '1 for the package that uWebSockets.js is from.', [
      [`package="${wire.name}",version="${wire.version}"`, 1],
    ]),
  ]
}
