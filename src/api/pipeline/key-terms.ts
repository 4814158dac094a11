/**
 * The terms of keys, checked for each request: scopes, addresses and requests a second, of the lineage of the key and
 * of every lineage above it. A key without terms costs nothing here.
 */
import type { KeyOwner, PlacedTerms } from '../../ledger/live/keyring.ts'
import { isRoute, type RouteName } from '../../operations.ts'
import { networkTest } from '../../text/network.ts'
import { type KeyLimits, type RateLimit, retrySeconds } from '../limits/rate-limit.ts'
import { type RefusedRequest, refusalForNow } from './refusals.ts'

/** The way of a request: over HTTP, as a call of a tool, as messages that may hold calls, or for its own account. */
type Door = 'http' | 'tool' | 'messages' | 'account'

/** The terms of one lineage, made ready. */
interface ReadyTerms {
  readonly scopes: ReadonlySet<string> | undefined
  /** Whether the scopes name operations: `mcp` alone opens the tools of all of them. */
  readonly namesRoutes: boolean
  readonly rateLimit: RateLimit | undefined
  readonly place: number
}

/** The terms of all lineages of a key, made ready. */
interface ReadyKey {
  readonly lineages: readonly ReadyTerms[]
  readonly addressTests: readonly ((address: string) => boolean)[]
  /** Whether they have scopes or addresses; a cap alone refuses nothing here. */
  readonly restricts: boolean
  /** Whether they name requests a second. */
  readonly hasRates: boolean
  readonly seesAccount: boolean
}

/** The terms of the keys that a thread accepts. */
export class KeyTermsCheck {
  readonly #limits: KeyLimits | undefined
  /** Ready terms by those of the table of keys, which come anew with every table. */
  readonly #ready = new WeakMap<readonly PlacedTerms[], ReadyKey>()
  /** The key that came last, which mostly comes again: comparing is quicker than two look-ups a request. */
  #last: { readonly terms: readonly PlacedTerms[]; readonly ready: ReadyKey } | undefined

  /** @param limits of requests a second; undefined without limits. */
  constructor(limits: KeyLimits | undefined) {
    this.#limits = limits
  }

  /**
   * The refusal of a request that the terms of its key do not allow.
   * @param route undefined for messages.
   * @param addressOf called only if the terms name addresses, for it costs; undefined if it was checked before.
   */
  refusalOf(
    terms: NonNullable<KeyOwner['terms']>,
    route: RouteName | undefined,
    door: Door,
    addressOf: (() => string) | undefined,
  ): RefusedRequest | undefined {
    const { lineages, addressTests, restricts } = this.#readyOf(terms)
    if (!restricts) return undefined
    if (!lineages.every((each) => allows(each, route, door))) {
      const what =
        door === 'http' ? `'${route}'` : door === 'tool' ? `the tool of '${route}'` : 'mcp'
      return restricted(`the scopes of this key do not include ${what}; nothing was charged`)
    }
    if (addressOf === undefined || addressTests.length === 0) return undefined
    const address = addressOf()
    if (addressTests.every((isAddress) => isAddress(address))) return undefined
    return restricted('this key may not be used from this address; nothing was charged')
  }

  /** Counts requests; returns the refusal if a lineage has sent too many. @param nowMs by the clock of all threads. */
  refusalOfRate(
    terms: NonNullable<KeyOwner['terms']>,
    nowMs: number,
    requests = 1,
  ): RefusedRequest | undefined {
    const { lineages, hasRates } = this.#readyOf(terms)
    if (!hasRates) return undefined
    for (const { rateLimit, place } of lineages) {
      const takenNs = rateLimit?.take(place, nowMs, requests) ?? 0
      if (rateLimit === undefined || takenNs >= 0) continue
      const detail = 'this key is used more often than it may be; nothing was charged'
      const refusal = refusalForNow({ code: 'rate-limited', detail }, retrySeconds(takenNs))
      return { ...refusal, headers: [...(refusal.headers ?? []), ...rateLimit.headers(takenNs)] }
    }
    return undefined
  }

  /** Whether a key may see its account, not its own part only: each lineage has no scopes, or `account` among them. */
  seesAccount({ terms }: KeyOwner): boolean {
    return terms === undefined || this.#readyOf(terms).seesAccount
  }

  #readyOf(terms: readonly PlacedTerms[]): ReadyKey {
    if (this.#last?.terms === terms) return this.#last.ready
    const ready = this.#ready.get(terms) ?? this.#makeReady(terms)
    this.#last = { terms, ready }
    return ready
  }

  #makeReady(terms: readonly PlacedTerms[]): ReadyKey {
    const lineages = terms.map(({ scopes, requestsPerSecond, place }) => ({
      scopes: scopes && new Set(scopes),
      namesRoutes: scopes?.some(isRoute) === true,
      rateLimit: requestsPerSecond === undefined ? undefined : this.#limits?.(requestsPerSecond),
      place,
    }))
    const addressTests = terms.flatMap(({ addresses }) =>
      addresses ? [networkTest(addresses)] : [],
    )
    const restricts = addressTests.length > 0 || terms.some(({ scopes }) => scopes !== undefined)
    const hasRates = lineages.some(({ rateLimit }) => rateLimit !== undefined)
    const seesAccount = lineages.every(({ scopes }) => scopes?.has('account') !== false)
    const ready = { lineages, addressTests, restricts, hasRates, seesAccount }
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
