/**
 * What restricts keys, held against requests: scopes, addresses and requests a second, of the lineage of the key and of
 * every lineage above it. A key without terms costs nothing here.
 */
import type { KeyOwner, PlacedTerms } from '../../ledger/live/keyring.ts'
import { isRoute, type RouteName } from '../../operations.ts'
import { networkTest } from '../../text/network.ts'
import { type KeyLimits, type RateLimit, retrySeconds } from '../limits/rate-limit.ts'
import { type RefusedRequest, refusalForNow } from './refusals.ts'

/** How a request came: as one of HTTP, as a call of a tool, or as messages that may hold calls. */
export type Door = 'http' | 'tool' | 'messages' | 'account'

/** The terms of one lineage, made ready. */
interface ReadyTerms {
  readonly scopes: ReadonlySet<string> | undefined
  /** Whether the scopes name operations: `mcp` alone opens the tools of all of them. */
  readonly namesRoutes: boolean
  readonly isAddress: ((address: string) => boolean) | undefined
  readonly rateLimit: RateLimit | undefined
  readonly place: number
}

/** The terms of the keys that a thread accepts. */
export class KeyTermsCheck {
  readonly #limits: KeyLimits | undefined
  /** By the terms of the table of keys, which come anew with every table. */
  readonly #ready = new WeakMap<readonly PlacedTerms[], readonly ReadyTerms[]>()

  /** @param limits of requests a second; undefined where there are none. */
  constructor(limits: KeyLimits | undefined) {
    this.#limits = limits
  }

  /**
   * The refusal of what the terms of a key do not allow.
   * @param route undefined for messages.
   * @param address undefined where it was checked before.
   */
  refusalOf(
    terms: NonNullable<KeyOwner['terms']>,
    route: RouteName | undefined,
    door: Door,
    address: string | undefined,
  ): RefusedRequest | undefined {
    const ready = this.#readyOf(terms)
    if (!ready.every((each) => allows(each, route, door))) {
      const what =
        door === 'http' ? `'${route}'` : door === 'tool' ? `the tool of '${route}'` : 'mcp'
      return restricted(`the scopes of this key do not include ${what}; nothing was charged`)
    }
    if (address === undefined) return undefined
    if (ready.every(({ isAddress }) => isAddress === undefined || isAddress(address)))
      return undefined
    return restricted('this key may not be used from this address; nothing was charged')
  }

  /** Counts requests; the refusal where a lineage has sent too many. @param nowMs by the clock of all threads. */
  refusalOfRate(
    terms: NonNullable<KeyOwner['terms']>,
    nowMs: number,
    requests = 1,
  ): RefusedRequest | undefined {
    for (const { rateLimit, place } of this.#readyOf(terms)) {
      const takenNs = rateLimit?.take(place, nowMs, requests) ?? 0
      if (rateLimit === undefined || takenNs >= 0) continue
      const detail = 'this key is used more often than it may be; nothing was charged'
      const refusal = refusalForNow({ code: 'rate-limited', detail }, retrySeconds(takenNs))
      return { ...refusal, headers: [...(refusal.headers ?? []), ...rateLimit.headers(takenNs)] }
    }
    return undefined
  }

  #readyOf(terms: readonly PlacedTerms[]): readonly ReadyTerms[] {
    const known = this.#ready.get(terms)
    if (known !== undefined) return known
    const ready = terms.map(({ scopes, addresses, requestsPerSecond, place }) => ({
      scopes: scopes && new Set(scopes),
      namesRoutes: scopes?.some(isRoute) === true,
      isAddress: addresses && networkTest(addresses),
      rateLimit: requestsPerSecond === undefined ? undefined : this.#limits?.(requestsPerSecond),
      place,
    }))
    this.#ready.set(terms, ready)
    return ready
  }
}

function allows({ scopes, namesRoutes }: ReadyTerms, route: RouteName | undefined, door: Door) {
  // The holder of a key may see its restrictions.
  if (door === 'account') return true
  if (scopes === undefined) return true
  if (door === 'http') return scopes.has(route!)
  return scopes.has('mcp') && (door === 'messages' || !namesRoutes || scopes.has(route!))
}

function restricted(detail: string): RefusedRequest {
  return { problem: { code: 'key-restricted', detail } }
}
