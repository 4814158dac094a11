/** Each alert fires in the state that it is for, by the metrics as the service writes them, and not before. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { defaultPrices } from '../../../src/operations.ts'
import {
  createSharedMetrics,
  readMetrics,
  type SharedMetrics,
  setServiceMetrics,
  ThreadMetrics,
} from '../../../src/telemetry/metrics.ts'
import { metricsText } from '../../../src/telemetry/metrics-text.ts'
import { samplesOf } from '../../support/prometheus.ts'

interface AlertRule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: { readonly severity: string }
  readonly annotations: Readonly<Record<string, string>>
}

const path = join(import.meta.dirname, '..', '..', '..', 'ops', 'alerts.yaml')

const alertRules: readonly AlertRule[] = parse(readFileSync(path, 'utf8')).groups[0].rules

interface Scrapes {
  readonly before: string
  readonly after: string
  readonly seconds: number
}

/**
 * The alerts that fire, whatever their `for`; those of quantiles are left out. It knows the part of PromQL that the rules
 * use: a value against a threshold, `increase` and `rate` of the difference, sums, quotients, `absent`, `unless`, `or`.
 */
function firing(scrapes: Scrapes): string[] {
  return alertRules
    .filter(({ expr }) => !expr.includes('histogram_quantile'))
    .filter(({ expr }) => isFiring(expr, scrapes))
    .map(({ alert }) => alert)
}

function isFiring(expr: string, scrapes: Scrapes): boolean {
  if (expr.includes(' or ')) return expr.split(' or ').some((part) => isFiring(part, scrapes))
  const [kept, excluded] = expr.split(' unless ')
  if (excluded !== undefined) {
    return isFiring(kept!, scrapes) && figureOf(excluded, scrapes) === undefined
  }
  if (expr.startsWith('absent(')) return figureOf(expr.slice(7, -1), scrapes) === undefined
  const match = /^(.+) (==|>|<) ([\d. *]+)$/.exec(expr)
  if (match === null) throw new Error(`no rule that is known: ${expr}`)
  const [, left, comparison, right] = match
  const threshold = right!.split('*').reduce((product, factor) => product * Number(factor), 1)
  const value = figureOf(left!, scrapes)
  if (value === undefined) return false
  if (comparison === '==') return value === threshold
  return comparison === '>' ? value > threshold : value < threshold
}

/** Of one service every aggregation is of its samples. */
function figureOf(expr: string, scrapes: Scrapes): number | undefined {
  const parts = /^(.+\)) ([-/]) (.+\))$/.exec(expr)
  if (parts !== null) {
    const [first, second] = [figureOf(parts[1]!, scrapes), figureOf(parts[3]!, scrapes)]
    if (first === undefined || second === undefined) return undefined
    return parts[2] === '/' ? first / second : first - second
  }
  const aggregated = /^(?:sum|max|min)(?: by \([a-z, ]+\))? ?\((.+)\)$/.exec(expr)
  if (aggregated !== null) return figureOf(aggregated[1]!, scrapes)
  const counted = /^(increase|rate)\((.+)\[\d+[mh]\]\)$/.exec(expr)
  if (counted !== null) {
    const [before, after] = [scrapes.before, scrapes.after].map((text) => read(counted[2]!, text))
    if (before === undefined || after === undefined) return undefined
    return (after - before) / (counted[1] === 'rate' ? scrapes.seconds : 1)
  }
  return read(expr, scrapes.after)
}

function read(selector: string, text: string): number | undefined {
  const match = /^(authority_index_[a-z_]+)(?:\{status=~"5\.\."\})?$/.exec(selector)
  if (match === null) throw new Error(`no selector that is known: ${selector}`)
  const wanted = selector.includes('{') ? /status="5\d\d"/ : /(?:)/
  const found = [...samplesOf(text)].filter(
    ([name]) => name.split('{')[0] === match[1] && wanted.test(name),
  )
  return found.length === 0 ? undefined : found.reduce((sum, [, value]) => sum + value, 0)
}

const day = 86_400
const unknown = Number.NaN

const healthy = {
  ready: 1,
  ledger_available: 1,
  ledger_balanced: 1,
  outbox_age_seconds: 0.2,
  certificate_left_seconds: 60 * day,
  snapshot_age_seconds: 30 * day,
  sync_age_seconds: 600,
  mirror_behind: 0,
  mirror_contact_age_seconds: 2,
}

type Change = Parameters<typeof setServiceMetrics>[1]

/** Which alerts fire when the given facts change between two scrapes, a minute apart. */
function firingAfter(change: Change, work: (thread: ThreadMetrics) => void = () => {}): string[] {
  const shared: SharedMetrics = createSharedMetrics(1)
  const thread = new ThreadMetrics(shared, 0)
  for (let request = 0; request < 10; request += 1) thread.answered('search', 200, 0.001)
  thread.answered('search', 500, 0.001)
  setServiceMetrics(shared, healthy)
  const wire = { name: 'uws', version: '1' }
  const scrape = () =>
    metricsText(readMetrics(shared), { prices: defaultPrices, residentBytes: 1, wire })
  const before = scrape()
  for (let request = 0; request < 10; request += 1) thread.answered('search', 200, 0.001)
  setServiceMetrics(shared, change)
  work(thread)
  return firing({ before, after: scrape(), seconds: 60 })
}

describe('the alerts', () => {
  it('are silent over a healthy service, however old the records of a source that does not change', () => {
    expect(firingAfter({})).toEqual([])
  })

  it.each<[string, Change]>([
    ['AuthorityIndexNotReady', { ready: 0 }],
    ['AuthorityIndexLedgerUnavailable', { ledger_available: 0 }],
    ['AuthorityIndexLedgerImbalanced', { ledger_balanced: 0 }],
    ['AuthorityIndexOutboxOld', { outbox_age_seconds: 61 }],
    ['AuthorityIndexCheckpointsFail', { ledger_checkpoint_failures_total: 1 }],
    ['AuthorityIndexGivenAway', { given_away_usd_total: 0.01 }],
    ['AuthorityIndexMirrorBehind', { mirror_behind: 1 }],
    ['AuthorityIndexMirrorBehind', { mirror_contact_age_seconds: 700 }],
    ['AuthorityIndexThreadsDying', { thread_deaths_total: 1 }],
    ['AuthorityIndexSnapshotRefused', { snapshot_refusals_total: 1 }],
    ['AuthorityIndexSyncHeldBack', { sync_held_back: 1 }],
    ['AuthorityIndexSyncOld', { sync_age_seconds: 3 * day }],
    ['AuthorityIndexSnapshotOld', { sync_age_seconds: unknown }],
    ['AuthorityIndexCertificateEnding', { certificate_left_seconds: 13 * day }],
  ])('%s fires, and no other', (alert, change) => {
    expect(firingAfter(change)).toEqual([alert])
  })

  it('page for a certificate that has ended', () => {
    const ended = firingAfter({ certificate_left_seconds: -1 })
    expect(ended).toContain('AuthorityIndexCertificateEnded')
  })

  it('are silent about what a service without it does not have', () => {
    const none = { outbox_age_seconds: unknown, certificate_left_seconds: unknown }
    expect(firingAfter({ ...none, mirror_behind: unknown })).toEqual([])
  })

  it.each<[string, (thread: ThreadMetrics) => void]>([
    ['AuthorityIndexConnectionsRefused', (thread) => thread.count('connections_refused_total')],
    ['AuthorityIndexPaymentsRefused', (thread) => thread.count('insufficient_balance_total')],
    ['AuthorityIndexRateLimited', (thread) => thread.count('rate_limited_total')],
    ['AuthorityIndexAnswersUnread', (thread) => thread.count('untaken_total')],
    ['AuthorityIndexErrors', (thread) => thread.answered('search', 500, 0.001)],
    ['AuthorityIndexEventLoopDelayed', (thread) => thread.set('event_loop_delay_seconds', 0.2)],
  ])('%s fires when it happens more than once a second', (alert, work) => {
    const fired = firingAfter({}, (thread) => {
      for (let times = 0; times < 61; times += 1) work(thread)
    })
    expect(fired).toEqual([alert])
  })

  it('have names, severities and texts', () => {
    expect(new Set(alertRules.map(({ alert }) => alert)).size).toBe(alertRules.length)
    for (const { alert, labels, annotations } of alertRules) {
      expect(alert).toMatch(/^AuthorityIndex[A-Z]\w+$/)
      expect(['page', 'ticket']).toContain(labels.severity)
      expect(annotations.summary).not.toBe('')
    }
  })
})
