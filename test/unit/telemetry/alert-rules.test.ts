/** Each alert fires in the state that it is for, by the metrics as the service writes them, and not before. */
import { describe, expect, it } from 'vitest'
import { defaultPrices } from '../../../src/operations.ts'
import {
  createSharedMetrics,
  readMetrics,
  ServiceMetrics,
  type SharedMetrics,
  ThreadMetrics,
} from '../../../src/telemetry/metrics.ts'
import { metricsText } from '../../../src/telemetry/metrics-text.ts'
import { alertRules, firing } from '../../support/alert-rules.ts'

const nowMs = Date.parse('2026-11-24T00:00:00Z')
const nowSeconds = nowMs / 1000
const day = 86_400
const unknown = Number.NaN

const healthy = {
  ready: 1,
  ledgerAvailable: 1,
  ledgerBalanced: 1,
  outboxAgeSeconds: 0.2,
  certificateEndsAtSeconds: nowSeconds + 60 * day,
  snapshotMadeAtSeconds: nowSeconds - 30 * day,
  syncedAtSeconds: nowSeconds - 600,
  mirrorBehind: 0,
  mirrorContactAtSeconds: nowSeconds - 2,
}

type Change = Parameters<ServiceMetrics['set']>[0]

/** Which alerts fire when the given facts change between two scrapes, a minute apart. */
function firingAfter(change: Change, work: (thread: ThreadMetrics) => void = () => {}): string[] {
  const shared: SharedMetrics = createSharedMetrics(1)
  const service = new ServiceMetrics(shared)
  const thread = new ThreadMetrics(shared, 0)
  for (let request = 0; request < 10; request += 1) thread.answered('search', 200, 0.001)
  thread.answered('search', 500, 0.001)
  service.set(healthy)
  const wire = { name: 'uws', version: '1' }
  const scrape = () =>
    metricsText(readMetrics(shared), { prices: defaultPrices, nowMs, residentBytes: 1, wire })
  const before = scrape()
  for (let request = 0; request < 10; request += 1) thread.answered('search', 200, 0.001)
  service.set(change)
  work(thread)
  return firing({ before, after: scrape(), seconds: 60 })
}

describe('the alerts', () => {
  it('are silent over a healthy service, however old the records of a source that does not change', () => {
    expect(firingAfter({})).toEqual([])
  })

  it.each<[string, Change]>([
    ['AuthorityIndexNotReady', { ready: 0 }],
    ['AuthorityIndexLedgerUnavailable', { ledgerAvailable: 0 }],
    ['AuthorityIndexLedgerImbalanced', { ledgerBalanced: 0 }],
    ['AuthorityIndexOutboxOld', { outboxAgeSeconds: 61 }],
    ['AuthorityIndexWrittenOff', { writtenOffUsd: 0.01 }],
    ['AuthorityIndexCheckpointsFail', { checkpointFailures: 1 }],
    ['AuthorityIndexGivenAway', { givenAwayUsd: 0.01 }],
    ['AuthorityIndexMirrorBehind', { mirrorBehind: 1 }],
    ['AuthorityIndexMirrorBehind', { mirrorContactAtSeconds: nowSeconds - 700 }],
    ['AuthorityIndexThreadsDying', { threadDeaths: 1 }],
    ['AuthorityIndexSnapshotRefused', { snapshotRefusals: 1 }],
    ['AuthorityIndexSyncHeldBack', { syncHeldBack: 1 }],
    ['AuthorityIndexSyncOld', { syncedAtSeconds: nowSeconds - 3 * day }],
    ['AuthorityIndexSnapshotOld', { syncedAtSeconds: unknown }],
    ['AuthorityIndexCertificateEnding', { certificateEndsAtSeconds: nowSeconds + 13 * day }],
  ])('%s fires, and no other', (alert, change) => {
    expect(firingAfter(change)).toEqual([alert])
  })

  it('page for a certificate that has ended', () => {
    const ended = firingAfter({ certificateEndsAtSeconds: nowSeconds - 1 })
    expect(ended).toContain('AuthorityIndexCertificateEnded')
  })

  it('are silent about what a service without it does not have', () => {
    const none = { outboxAgeSeconds: unknown, certificateEndsAtSeconds: unknown }
    expect(firingAfter({ ...none, mirrorBehind: unknown })).toEqual([])
  })

  it.each<[string, (thread: ThreadMetrics) => void]>([
    ['AuthorityIndexConnectionsRefused', (thread) => thread.count('connectionsRefused')],
    ['AuthorityIndexPaymentsRefused', (thread) => thread.count('insufficientBalance')],
    ['AuthorityIndexRateLimited', (thread) => thread.count('rateLimited')],
    ['AuthorityIndexAnswersUnread', (thread) => thread.count('untaken')],
    ['AuthorityIndexErrors', (thread) => thread.answered('search', 500, 0.001)],
    ['AuthorityIndexEventLoopDelayed', (thread) => thread.set('eventLoopDelaySeconds', 0.2)],
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
