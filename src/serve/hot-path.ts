/**
 * The usual request, answered without the general path's objects: a GET with a known key, one SDU
 * or handle in plain characters, or a search that was asked before, with money in the account. It
 * answers exactly what the API answers, from the same catalog, till and writers; whatever is not
 * usual it leaves, untouched, to the API. bench/wire.ts keeps what that is worth.
 */
import type { KeyOwner } from '../ledger/keyring.ts'
import type { RouteName } from '../ledger/route.ts'
import { peersOf, writeMatches, writeProfiles, writeSummaries } from './answers.ts'
import { Envelope } from './envelope.ts'
import { Head } from './head.ts'
import type { RateLimit } from './rate-limit.ts'
import type { Route } from './routes.ts'
import type { Served } from './served.ts'
import type { Till } from './till.ts'
import { readUsual, type Usual } from './usual.ts'

/** What the hot path depends on; the same as the API's. */
export interface HotPathContext {
  readonly served: () => Served | undefined
  readonly till: Till
  /** How often an account may ask; undefined where there is no limit. */
  readonly rateLimit?: RateLimit | undefined
  /** Milliseconds, from any origin. */
  readonly clock: () => number
  readonly requestId: () => string
}

/** Writes the items of a usual request. */
type Write = (served: Served, usual: Usual, body: Envelope['body']) => void

const writers: Readonly<Record<RouteName, Write>> = {
  search: ({ cache }, { text }, body) => body.bytes(cache.find(text)!),
  detail: ({ catalog }, { text }, body) => writeProfiles(catalog, [text], body),
  peers: ({ catalog }, { text, limit }, body) =>
    writeSummaries(catalog, peersOf(catalog, [sentHandle(text)], limit), body),
  match: ({ catalog }, { text }, body) => writeMatches(catalog, [sentHandle(text)], body),
}

function sentHandle(key: string) {
  return { sent: key, query: { platform: undefined, key } }
}

export class HotPath {
  /** The header lines of the last answer, as the value of `X-Request-Id`; and its body. */
  head: Uint8Array = new Uint8Array(0)
  body: Uint8Array = new Uint8Array(0)
  /** What it took. */
  seconds = 0
  readonly #context: HotPathContext
  readonly #envelopes = { with: new Envelope(true), without: new Envelope(false) }
  #owner: KeyOwner | undefined
  #route: RouteName = 'search'
  #headOf: { readonly served: Served; readonly head: Head } | undefined

  constructor(context: HotPathContext) {
    this.#context = context
  }

  /**
   * Answers a usual request: then `head` and `body` are set and it has to be charged with `written`.
   * False, and nothing was done, when the API has to answer.
   */
  answer(route: Route, query: string, authorization: string): boolean {
    const { till, clock, rateLimit } = this.#context
    const startedMs = clock()
    const served = this.#context.served()
    const owner = till.ownerOf(authorization)
    if (served === undefined || owner === undefined) return false
    const usual = readUsual(route.name, query, served.cache)
    if (usual === undefined) return false
    const balanceMicroUsd = till.take(owner, route.name)
    if (balanceMicroUsd < 0) return false
    const takenNs = rateLimit?.take(owner.accountSlot) ?? 0
    if (takenNs < 0) {
      till.giveBack(owner, route.name)
      return false
    }
    const requestId = this.#context.requestId()
    const envelope = route.requestIdInBody ? this.#envelopes.with : this.#envelopes.without
    try {
      envelope.begin(requestId)
      writers[route.name](served, usual, envelope.body)
    } catch {
      // The API meets the same error and reports it.
      till.giveBack(owner, route.name)
      return false
    }
    this.#owner = owner
    this.#route = route.name
    const cost = till.priceOf(route.name)
    const head = this.#head(served)
    this.head = head.write(requestId, route.path, query, cost, balanceMicroUsd, takenNs)
    this.seconds = (clock() - startedMs) / 1000
    this.body = envelope.end(this.seconds)
    return true
  }

  /** To be called when the last answer was written: only then is it charged. */
  written(): void {
    if (this.#owner !== undefined) this.#context.till.recordOne(this.#owner, this.#route)
    this.#owner = undefined
  }

  #head(served: Served): Head {
    if (this.#headOf?.served !== served) {
      this.#headOf = { served, head: new Head(served.catalog.id, this.#context.rateLimit) }
    }
    return this.#headOf.head
  }
}
