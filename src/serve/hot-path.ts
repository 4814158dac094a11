/**
 * The path of a request that will be answered with 200, without the general path's objects: a GET
 * with a known key, parameters that are in order, and money in the account. It answers exactly what
 * the API answers, from the same catalog, till and writers; whatever is to be refused it leaves,
 * untouched, to the API. bench/wire.ts keeps what that is worth.
 */
import type { Catalog } from '../catalog/catalog.ts'
import type { KeyOwner } from '../ledger/keyring.ts'
import type { RouteName } from '../ledger/route.ts'
import { type Ask, readAsk, writeOwners, writePeers, writeProfiles } from './answers.ts'
import type { Body } from './body.ts'
import { Envelope } from './envelope.ts'
import { Head } from './head.ts'
import type { RateLimit } from './rate-limit.ts'
import type { RequestIds } from './request-ids.ts'
import { type Route, routes } from './routes.ts'
import type { Served } from './served.ts'
import type { Charge, Till } from './till.ts'
import { Usual } from './usual.ts'

/** What the hot path depends on; the same as the API's. */
export interface HotPathContext {
  readonly served: () => Served | undefined
  readonly till: Till
  /** How often an account may ask; undefined where there is no limit. */
  readonly rateLimit?: RateLimit | undefined
  /** Milliseconds, from any origin. */
  readonly clock: () => number
  readonly ids: RequestIds
}

/**
 * Understands requests of one route. `read` answers how many queries one is charged as, 0 when it
 * is not understood; then `write` writes the items of the answer to it.
 */
interface Reader {
  read(served: Served, query: string): number
  write(served: Served, body: Body): void
}

/** Searches that were asked before. */
class KeptReader implements Reader {
  #items: Uint8Array | undefined

  read({ cache }: Served, query: string): number {
    this.#items = cache.get(query)
    return this.#items === undefined ? 0 : 1
  }

  write({ cache }: Served, body: Body): void {
    cache.countHit()
    body.bytes(this.#items!)
  }
}

/** What is asked for by its text, in its usual spelling: several at once, but none of them twice. */
abstract class UsualReader implements Reader {
  protected readonly usual = new Usual()
  /** What each text stands for in the catalog; below 0 what is unknown. */
  protected readonly found: number[] = []
  protected query = ''

  read({ catalog }: Served, query: string): number {
    const { usual, found } = this
    if (!this.readUsual(query)) return 0
    this.query = query
    found.length = usual.count
    for (let index = 0, start = 0; index < usual.count; index += 1) {
      const end = usual.ends[index]!
      const number = this.find(catalog, start, end)
      // What is given twice is charged and answered once: not usual. Two that are unknown may be one.
      for (let other = 0; other < index; other += 1) if (found[other] === number) return 0
      found[index] = number
      start = end
    }
    return usual.count
  }

  abstract write(served: Served, body: Body): void
  protected abstract readUsual(query: string): boolean
  /** The number of the text `usual.bytes[start, end)`. */
  protected abstract find(catalog: Catalog, start: number, end: number): number
}

class SduReader extends UsualReader {
  protected readUsual(query: string): boolean {
    return this.usual.readSdus(query)
  }

  protected find(catalog: Catalog, start: number, end: number): number {
    return catalog.findSduBytes(this.usual.bytes, start, end)
  }

  write({ catalog }: Served, body: Body): void {
    writeProfiles(catalog, this.found, body)
  }
}

abstract class HandleReader extends UsualReader {
  protected find(catalog: Catalog, start: number, end: number): number {
    return catalog.findHandle(this.usual.bytes, start, end)
  }
}

class PeersReader extends HandleReader {
  protected readUsual(query: string): boolean {
    return this.usual.readHandles(query, true)
  }

  write({ catalog }: Served, body: Body): void {
    writePeers(catalog, this.found, this.usual.limit, body)
  }
}

class MatchReader extends HandleReader {
  readonly #sentOf = (index: number): string =>
    this.query.slice(this.usual.sentStarts[index], this.usual.sentEnds[index])

  protected readUsual(query: string): boolean {
    return this.usual.readHandles(query, false)
  }

  write({ catalog }: Served, body: Body): void {
    writeOwners(catalog, this.found, this.#sentOf, body)
  }
}

/** Everything, by way of the parameters. */
class AskReader implements Reader {
  readonly #route: RouteName
  #ask: Ask | undefined

  constructor(route: RouteName) {
    this.#route = route
  }

  read(_served: Served, query: string): number {
    const ask = readAsk(this.#route, query)
    this.#ask = ask.problem === undefined ? ask.value : undefined
    return this.#ask?.queries ?? 0
  }

  write(served: Served, body: Body): void {
    this.#ask!.write(served, body)
  }
}

const usualReaders: Readonly<Record<RouteName, () => Reader>> = {
  search: () => new KeptReader(),
  detail: () => new SduReader(),
  peers: () => new PeersReader(),
  match: () => new MatchReader(),
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
