/**
 * The path of a request that will be answered with 200, without the general path's objects: a GET
 * with a known key, parameters that are in order, and money in the account. It answers exactly what
 * the API answers, from the same catalog, reservations and writers; whatever is to be refused it leaves,
 * untouched, to the API. bench/wire.ts keeps what that is worth.
 */
import type { KeyOwner } from '../../ledger/live/keyring.ts'
import type { Charge, Reservations } from '../../ledger/live/reservations.ts'
import { Envelope } from '../envelope.ts'
import type { RateLimit } from '../rate-limit.ts'
import type { RequestIds } from '../request-ids.ts'
import { type Route, routes } from '../routes.ts'
import type { Served } from '../served.ts'
import { Head } from './head.ts'
import { AskReader, type Reader, usualReaders } from './readers.ts'

/** What the hot path depends on; the same as the API's. */
export interface HotPathContext {
  readonly served: () => Served | undefined
  readonly till: Reservations
  /** How often an account may ask; undefined where there is no limit. */
  readonly rateLimit?: RateLimit | undefined
  /** Milliseconds, from any origin. */
  readonly clock: () => number
  readonly ids: RequestIds
}

/** The hot path of one route. */
export class HotRoute {
  readonly route: Route
  /** The header lines of the last answer, as the value of `X-Request-Id`; and its body. */
  head: Uint8Array = new Uint8Array(0)
  body: Uint8Array = new Uint8Array(0)
  /** What it took. */
  seconds = 0
  readonly #context: HotPathContext
  /** The quick one first. */
  readonly #usual: Reader
  readonly #any: Reader
  readonly #envelope: Envelope
  /** What was reserved for the request that is being answered, until its answer is written. */
  #charge: Charge | undefined
  /** Of the snapshot that answered last, by its id: nothing here keeps a snapshot in memory. */
  #headOf: { readonly snapshotId: string; readonly head: Head } | undefined

  constructor(route: Route, context: HotPathContext) {
    this.route = route
    this.#context = context
    this.#usual = usualReaders[route.name]()
    this.#any = new AskReader(route.name)
    this.#envelope = new Envelope(route.requestIdInBody)
  }

  /**
   * Answers a request: then `head` and `body` are set and it has to be charged with `written`. False,
   * and nothing was done, when the API has to answer.
   */
  answer(query: string, authorization: string): boolean {
    const { till, clock } = this.#context
    const startedMs = clock()
    const served = this.#context.served()
    const owner = till.ownerOf(authorization)
    if (served === undefined || owner === undefined) return false
    this.#charge = undefined
    try {
      if (!this.#answer(served, owner, query)) return false
    } catch {
      // The API meets the same error and reports it.
      if (this.#charge !== undefined) till.release(this.#charge)
      this.#charge = undefined
      return false
    }
    this.seconds = (clock() - startedMs) / 1000
    this.body = this.#envelope.end(this.seconds)
    return true
  }

  #answer(served: Served, owner: KeyOwner, query: string): boolean {
    const { till, rateLimit, ids } = this.#context
    let reader = this.#usual
    let queries = reader.read(served, query)
    if (queries === 0) {
      reader = this.#any
      queries = reader.read(served, query)
      if (queries === 0) return false
    }
    const reservation = till.reserve(owner, this.route.name, queries)
    if (reservation.charge === undefined) return false
    const { charge, leftMicroUsd } = reservation
    this.#charge = charge
    const takenNs = rateLimit?.take(owner.accountSlot) ?? 0
    if (takenNs < 0) {
      till.release(charge)
      this.#charge = undefined
      return false
    }
    const id = ids.next()
    this.#envelope.beginCopied(ids, id)
    reader.write(served, this.#envelope.body)
    const { costMicroUsd } = charge
    const facts = { query, costMicroUsd, balanceMicroUsd: leftMicroUsd, takenNs }
    this.head = this.#head(served.catalog.id).write(ids, id, facts)
    return true
  }

  /** To be called when the last answer was written: only then is it charged. */
  written(): void {
    if (this.#charge === undefined) return
    this.#context.till.record(this.#charge)
    this.#charge = undefined
  }

  #head(snapshotId: string): Head {
    if (this.#headOf?.snapshotId !== snapshotId) {
      const head = new Head(this.route.path, snapshotId, this.#context.rateLimit)
      this.#headOf = { snapshotId, head }
    }
    return this.#headOf.head
  }
}

/** The hot paths of all routes. */
export function hotRoutes(context: HotPathContext): HotRoute[] {
  return routes.map((route) => new HotRoute(route, context))
}
