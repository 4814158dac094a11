/** Endpoints of webhooks as JSON, for `--json` and for answers of the admin API; never a secret. */
import { type BalanceThreshold, formatUsd } from '../../money.ts'
import { endpointId } from './records.ts'
import type { ListedEndpoint } from './store.ts'

/** Whether deliveries to an endpoint are made, and succeed. */
type EndpointState = 'paused' | 'failing' | 'active'

/** The state of an endpoint. */
export function endpointState({ health }: Pick<ListedEndpoint, 'health'>): EndpointState {
  if (health.pausedAtMs !== null) return 'paused'
  return health.failingSinceMs === null ? 'active' : 'failing'
}

/** An endpoint. */
export function endpointJson(each: ListedEndpoint) {
  const { url, account, events, below, sdus, pending, failed, health, createdAtMs } = each
  return {
    endpoint: endpointId(each),
    ...{ account, url, events: [...events], below: below.map(thresholdText), sdus: [...sdus] },
    ...{ state: endpointState(each), pending, given_up: [...failed] },
    last_failure: health.failure,
    created: timeOrNull(createdAtMs),
    delivered: timeOrNull(health.deliveredAtMs),
    failing_since: timeOrNull(health.failingSinceMs),
    paused: timeOrNull(health.pausedAtMs),
  }
}

/** A threshold as people write it. */
export function thresholdText(threshold: BalanceThreshold): string {
  return 'percent' in threshold ? `${threshold.percent}%` : formatUsd(threshold.microUsd)
}

function timeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString()
}
