/**
 * Places for the work that a server does at once for clients, such as waiting for a body. One account has
 * at most an eighth of the places, and so has one address (an IPv6 network of 64 bits), so that no client
 * can take them all from the others. Many accounts may share an address, behind a proxy for example, so an
 * account that has no place yet may take one there until the address has half of them.
 */
import type { Api } from '../api/api.ts'
import type { ApiReply } from '../api/exchange.ts'
import { limitedNetwork } from '../text/network.ts'

/** Who takes a place. */
interface Occupant {
  /** The slot of the account; undefined if requests need no key. */
  readonly account: number | undefined
  readonly address: string
}

/** Divisor of the places: one account or address may have at most such a part. */
const parts = 8
/** Divisor of the places for all accounts of an address together, of which each but one has a single place. */
const sharedParts = 2

export class FairPlaces {
  readonly #placesMax: number
  readonly #taken = new Map<number | string, number>()
  #total = 0

  constructor(placesMax: number) {
    this.#placesMax = placesMax
  }

  /** Returns what gives the place back, once; undefined without a place for this client. */
  take({ account, address }: Occupant): (() => void) | undefined {
    const network = limitedNetwork(address)
    const taken = account === undefined ? undefined : (this.#taken.get(account) ?? 0)
    const isFull =
      this.#total >= this.#placesMax ||
      (taken ?? 0) >= this.#part(parts) ||
      (this.#taken.get(network) ?? 0) >= this.#part(taken === 0 ? sharedParts : parts)
    if (isFull) return undefined
    const sharers = account === undefined ? [network] : [account, network]
    this.#change(sharers, 1)
    let isTaken = true
    return () => {
      if (isTaken) this.#change(sharers, -1)
      isTaken = false
    }
  }

  #part(of: number): number {
    return Math.max(1, Math.floor(this.#placesMax / of))
  }

  #change(sharers: readonly (number | string)[], by: number): void {
    this.#total += by
    for (const sharer of sharers) {
      const taken = (this.#taken.get(sharer) ?? 0) + by
      if (taken === 0) this.#taken.delete(sharer)
      else this.#taken.set(sharer, taken)
    }
  }
}

export function refuseForNow(api: Api, whatIs: string): ApiReply {
  const detail = `as many ${whatIs} as may be at once, of all clients or of this account or address`
  return api.refuse({ code: 'overloaded', detail }, [['Retry-After', '1']])
}
