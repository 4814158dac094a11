/**
 * How requests are understood: quickly where they are spelled as usual, else by way of their
 * parameters. Both read the same to the same effect; `bench/wire.ts` keeps what the quick way is worth.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import { type GetRouteName, getRouteNames } from '../../operations.ts'
import type { Problem } from '../../problems.ts'
import { fieldNames } from '../../request-parameters.ts'
import type { KeptItems, Written } from '../answer-cache.ts'
import type { Served } from '../served.ts'
import type { Body } from '../write/body.ts'
import { ItemFields } from '../write/chosen-items.ts'
import {
  type ItemForm,
  plainItems,
  writeOwners,
  writePeers,
  writeProfiles,
} from '../write/item-lists.ts'
import { type Ask, readAsk } from './asks.ts'
import type { Parsed } from './pairs.ts'
import { Usual } from './usual.ts'

/** Forms of items that are kept by the fields that were named. */
const formsMax = 64

/** Reads requests of one route. */
interface Reader {
  /** Returns how many queries a request is charged as, 0 when it is not understood. */
  read(served: Served, query: string): number
  /** Writes the items of the answer to what was read last; returns what else it says. */
  write(served: Served, body: Body): Written | undefined
}

/** Searches that were asked before. */
class KeptReader implements Reader {
  #items: KeptItems | undefined

  read({ cache }: Served, query: string): number {
    this.#items = cache.get(query)
    return this.#items === undefined ? 0 : 1
  }

  write({ cache }: Served, body: Body): KeptItems {
    cache.countHit()
    const items = this.#items!
    // They may be a piece of a section: nothing here keeps a snapshot in memory.
    this.#items = undefined
    body.slice(items.source, items.start, items.end)
    return items
  }
}

/** What is asked for by its text, in its usual spelling: several at once, but none of them twice. */
abstract class UsualReader implements Reader {
  protected readonly usual = new Usual()
  /** What each text stands for in the catalog; below 0 what is unknown. */
  protected readonly found: number[] = []
  protected query = ''
  protected form: ItemForm = plainItems
  /** Forms by the fields that were named: few clients name many. */
  readonly #forms = new Map<string, ItemForm>()

  read({ catalog }: Served, query: string): number {
    const { usual, found } = this
    if (!this.readUsual(query)) return 0
    const form = usual.fields === '' ? plainItems : this.#formOf(usual.fields)
    if (form === undefined) return 0
    this.form = form
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

  /** Undefined where the fields are not spelled as usual. */
  #formOf(text: string): ItemForm | undefined {
    const known = this.#forms.get(text)
    if (known !== undefined) return known
    const names = text.split(',')
    const fields = fieldNames.filter((name) => names.includes(name))
    if (fields.length !== names.length) return undefined
    if (this.#forms.size === formsMax) this.#forms.clear()
    const form = { fields: new ItemFields(fields) }
    this.#forms.set(text, form)
    return form
  }

  abstract write(served: Served, body: Body): undefined
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

  write({ catalog }: Served, body: Body): undefined {
    writeProfiles(catalog, this.found, body, this.form)
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

  write({ catalog }: Served, body: Body): undefined {
    writePeers(catalog, this.found, this.usual.limit, body, this.form)
  }
}

class MatchReader extends HandleReader {
  readonly #sentOf = (index: number): string =>
    this.query.slice(this.usual.sentStarts[index], this.usual.sentEnds[index])

  protected readUsual(query: string): boolean {
    return this.usual.readHandles(query, false)
  }

  write({ catalog }: Served, body: Body): undefined {
    writeOwners(catalog, this.found, this.#sentOf, body, this.form)
  }
}

/** Everything, by way of the parameters. */
class AskReader implements Reader {
  /** Why the last request was not understood. */
  problem: Problem | undefined
  readonly #route: GetRouteName
  #ask: Ask | undefined

  constructor(route: GetRouteName) {
    this.#route = route
  }

  read(served: Served, query: string): number {
    const { value, problem } = readAsk(this.#route, query, served)
    this.#ask = value
    this.problem = problem
    return value?.queries ?? 0
  }

  write(served: Served, body: Body): Written | undefined {
    return this.#ask!.write(served, body)
  }
}

/** For each route what understands its usual requests, where that is worth it. */
const quickReaders: Readonly<Partial<Record<GetRouteName, () => Reader>>> = {
  search: () => new KeptReader(),
  detail: () => new SduReader(),
  peers: () => new PeersReader(),
  match: () => new MatchReader(),
}

/** Reads every request of one route, the usual ones quickly; it holds what it read last. */
export class RouteReader {
  /** How many queries the request is charged as. */
  queries = 0
  readonly #quick: Reader
  readonly #any: AskReader
  #reader: Reader
  /** What was understood: always this. */
  readonly #understood: Parsed<Ask> = { value: this }

  constructor(route: GetRouteName) {
    this.#any = new AskReader(route)
    this.#quick = quickReaders[route]?.() ?? this.#any
    this.#reader = this.#any
  }

  /** Reads a query string: what it asks for, which is good until the next is read, or what is wrong with it. */
  read(served: Served, query: string): Parsed<Ask> {
    this.#reader = this.#quick
    this.queries = this.#quick.read(served, query)
    if (this.queries === 0 && this.#quick !== this.#any) {
      this.#reader = this.#any
      this.queries = this.#any.read(served, query)
    }
    return this.queries > 0 ? this.#understood : { problem: this.#any.problem! }
  }

  /** Whether the request was one of the usual ones. */
  get isQuick(): boolean {
    return this.#reader !== this.#any
  }

  /** Writes the items of the answer, comma between items; returns what else it says. */
  write(served: Served, body: Body): Written | undefined {
    return this.#reader.write(served, body)
  }
}

/** A reader for each route that a GET asks. */
export function routeReaders(): Readonly<Record<GetRouteName, RouteReader>> {
  const readers = getRouteNames.map((route) => [route, new RouteReader(route)])
  return Object.fromEntries(readers)
}
