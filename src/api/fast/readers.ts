/**
 * How the hot path understands requests: quickly where they are spelled as usual, else by way of the
 * parameters, as the API does.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import type { RouteName } from '../../operations.ts'
import type { KeptItems } from '../answer-cache.ts'
import { type Ask, readAsk, writeOwners, writePeers, writeProfiles } from '../answers.ts'
import type { Body } from '../body.ts'
import type { Served } from '../served.ts'
import { Usual } from './usual.ts'

/**
 * Understands requests of one route. `read` answers how many queries one is charged as, 0 when it
 * is not understood; then `write` writes the items of the answer to it.
 */
export interface Reader {
  read(served: Served, query: string): number
  write(served: Served, body: Body): void
}

/** Searches that were asked before. */
class KeptReader implements Reader {
  #items: KeptItems | undefined

  read({ cache }: Served, query: string): number {
    this.#items = cache.get(query)
    return this.#items === undefined ? 0 : 1
  }

  write({ cache }: Served, body: Body): void {
    cache.countHit()
    const { source, start, end } = this.#items!
    // They may be a piece of a section: nothing here keeps a snapshot in memory.
    this.#items = undefined
    body.slice(source, start, end)
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
export class AskReader implements Reader {
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

/** For each route what understands its usual requests. */
export const usualReaders: Readonly<Record<RouteName, () => Reader>> = {
  search: () => new KeptReader(),
  detail: () => new SduReader(),
  peers: () => new PeersReader(),
  match: () => new MatchReader(),
}
