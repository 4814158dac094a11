/** The terms of keys: scopes, addresses and requests a second. A key without terms costs nothing here. */
import type { KeyOwner, PlacedTerms } from '../../ledger/live/keyring.ts'
import { isRoute, type RouteName } from '../../operations.ts'
import { networkTest } from '../../text/network.ts'
import type { KeyLimits, RateLimit } from '../limits/rate-limit.ts'
import type { RefusedRequest } from './refusals.ts'

/** The way of a request: over HTTP, as a call of a tool, as messages that may hold calls, or for its own account. */
export type Door = 'http' | 'tool' | 'messages' | 'account'

interface ReadyTerms {
  readonly scopes: ReadonlySet<string> | undefined
  /** Whether the scopes name operations: `mcp` alone opens the tools of all of them. */
  readonly namesRoutes: boolean
  readonly isAddress: ((address: string) => boolean) | undefined
  readonly rateLimit: RateLimit | undefined
}

export class KeyTermsCheck {
  readonly #limits: KeyLimits | undefined
  /** Ready terms by those of the table of keys, which come anew with every table. */
  readonly #ready = new WeakMap<PlacedTerms, ReadyTerms>()

  constructor(limits: KeyLimits | undefined) {
    this.#limits = limits
  }

  /**
   * @param route undefined for messages.
   * @param addressOf called only if the terms name addresses, for it costs; undefined if it was checked before.
   */
  refusalOf(
    terms: PlacedTerms,
    route: RouteName | undefined,
    door: Door,
    addressOf: (() => string) | undefined,
  ): RefusedRequest | undefined {
    const ready = this.#readyOf(terms)
    if (!allows(ready, route, door)) {
      const what =
        door === 'http' ? `'${route}'` : door === 'tool' ? `the tool of '${route}'` : 'mcp'
      return restricted(`the scopes of this key do not include ${what}; nothing was charged`)
    }
    const { isAddress } = ready
    if (addressOf === undefined || isAddress === undefined || isAddress(addressOf())) {
      return undefined
    }
    return restricted('this key may not be used from this address; nothing was charged')
  }

  limitOf(terms: PlacedTerms): RateLimit | undefined {
    return this.#readyOf(terms).rateLimit
  }

  /** Whether a key may see its account, not its own part only: it has no scopes, or `account` among them. */
  seesAccount({ terms }: KeyOwner): boolean {
    return terms === undefined || this.#readyOf(terms).scopes?.has('account') !== false
  }

  #readyOf(terms: PlacedTerms): ReadyTerms {
    const known = this.#ready.get(terms)
    if (known !== undefined) return known
    const { scopes, addresses, requestsPerSecond } = terms
    const ready = {
      scopes: scopes && new Set<string>(scopes),
      namesRoutes: scopes?.some(isRoute) === true,
      isAddress: addresses && networkTest(addresses),
      rateLimit: requestsPerSecond === undefined ? undefined : this.#limits?.(requestsPerSecond),
    }
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
