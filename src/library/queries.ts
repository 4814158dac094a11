/**
 * The operations as synchronous calls, by the steps that answer the same request over HTTP, so that both give the same
 * items; never charged or limited. Calls share one body.
 */
import type { ActiveSnapshot } from '../api/active-snapshot.ts'
import type { Parsed } from '../api/exchange.ts'
import { Body } from '../api/items/body.ts'
import type { MatchQuery, MatchResult } from '../api/operations/match.ts'
import type { RankQuery } from '../api/operations/rank.ts'
import { handlers } from '../api/operations/registry.ts'
import type { ParsedQuery } from '../api/pipeline/operation-handler.ts'
import type { Schemas } from '../client/contract.ts'
import type { GetRouteName, PostRouteName, RouteName } from '../operations.ts'
import { UnreadableTexts } from '../snapshot/texts/stored-blocks.ts'
import { Columns, type HandleColumn, handleCount } from './columns.ts'
import { OwnerObjects } from './owner-objects.ts'
import { thrownOf } from './thrown.ts'
import type { IndexQueries, SnapshotInfo } from './types.ts'

type Options = object

export function factsOfSnapshot({ catalog, past }: ActiveSnapshot): SnapshotInfo {
  const { id, createdAt, recipe, counts } = past.header
  const { authorities, topics } = catalog.counts
  return { id, created_at: createdAt, authorities, topics, handles: counts.handles, recipe }
}

export class Queries implements IndexQueries {
  readonly #active: () => ActiveSnapshot
  readonly #columns = new Columns()
  readonly #owners = new OwnerObjects()
  readonly #body = new Body('{"results":[')

  /** @param active the snapshot that a call is answered from; throws if there is none. */
  constructor(active: () => ActiveSnapshot) {
    this.#active = active
  }

  get snapshot(): SnapshotInfo {
    return factsOfSnapshot(this.#active())
  }

  get(handle: string): Schemas['Match'] | null {
    const { results } = this.#ask('match', `handles=${encoded(String(handle), true)}`)
    return results[0] ?? null
  }

  match(handles: string | readonly string[], options: Options = {}) {
    if (typeof handles === 'string') return this.#get('match', { handles, ...options })
    return this.#post('match', { handles, ...options })
  }

  detail(sdus: string | readonly string[], options: Options = {}) {
    return typeof sdus === 'string'
      ? this.#get('detail', { sdus, ...options })
      : this.#post('detail', { sdus, ...options })
  }

  peers(handles: string | readonly string[], options: Options = {}) {
    return this.#get('peers', { handles, ...options })
  }

  search(query: string, options: Options = {}) {
    return this.#get('search', { query, ...options })
  }

  rank(sources: readonly string[], options: Options = {}) {
    return this.#post('rank', { sources, ...options })
  }

  topics(options: Options = {}) {
    return this.#get('topics', options)
  }

  autocomplete(query: string, options: Options = {}) {
    return this.#get('autocomplete', { query, ...options })
  }

  explain(sdus: string | readonly string[]) {
    return this.detail(sdus, { fields: ['sdu'], explain: true })
  }

  scores(handles: HandleColumn, { out }: { out?: Float64Array | undefined } = {}): Float64Array {
    const active = this.#active()
    const scores = active.catalog.sections['authority.scores']
    const column = out ?? new Float64Array(handleCount(handles))
    const of = (ordinal: number) => scores[ordinal]! / 100
    return this.#columns.fill(active, handles, column, { unknown: Number.NaN, of })
  }

  ranks(
    handles: HandleColumn,
    topic?: string,
    { out }: { out?: Uint32Array | undefined } = {},
  ): Uint32Array {
    const active = this.#active()
    const coreRanks = active.catalog.sections['authority.core-ranks']
    const number = topic === undefined ? undefined : this.#topicOf(active, topic)
    const order = number === undefined ? undefined : active.search.orderOf(number)
    const of = (ordinal: number) => order?.rankOf(ordinal) ?? coreRanks[ordinal]!
    const column = out ?? new Uint32Array(handleCount(handles))
    return this.#columns.fill(active, handles, column, { unknown: 0, of })
  }

  /** The number of a topic, read as a ranking of sources reads it. */
  #topicOf(active: ActiveSnapshot, topic: string): number | undefined {
    return (this.#parsedBody('rank', active, { sources: ['-'], topic }) as RankQuery).topic
  }

  #get(route: GetRouteName, parameters: Options) {
    return this.#ask(route, queryOf(parameters))
  }

  #ask(route: GetRouteName, query: string) {
    const active = this.#active()
    const { fastParse, parse } = handlers[route]
    return this.#answer(route, active, fastParse?.(query) ?? understood(parse(query, active)))
  }

  #post(route: PostRouteName, members: Options) {
    const active = this.#active()
    return this.#answer(route, active, this.#parsedBody(route, active, members))
  }

  #parsedBody(route: PostRouteName, active: ActiveSnapshot, given: Options): ParsedQuery {
    const members = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    )
    return understood(handlers[route].parse({ members }, active))
  }

  /** @throws RequestProblem if texts of the answer cannot be read from the disk. */
  #answer(route: RouteName, active: ActiveSnapshot, query: ParsedQuery) {
    try {
      return this.#found(route, active, query)
    } catch (error) {
      throw error instanceof UnreadableTexts ? thrownOf(error.problem) : error
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: the JSON has the shape that `types.ts` declares.
  #found(route: RouteName, active: ActiveSnapshot, query: ParsedQuery): any {
    const handler = handlers[route]
    const found = handler.find(active, query)
    if (route === 'match') {
      const results = this.#owners.itemsOf(active, query as MatchQuery, found as MatchResult)
      if (results !== undefined) return { results }
    }
    const body = this.#body
    body.begin()
    const written = handler.render(active, query, found, body)
    body.end(written?.members)
    const { buffer, byteOffset, byteLength } = body.view()
    const answer = JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString())
    if (route === 'search') answer.way = written?.way
    return answer
  }
}

function understood<T>(parsed: Parsed<T>): T {
  if (parsed.problem !== undefined) throw thrownOf(parsed.problem)
  return parsed.value
}

/** The fast parsers read a query string in a third of the time that a schema takes to check an object. */
function queryOf(parameters: Options): string {
  let query = ''
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue
    if (!Array.isArray(value) || name === 'fields')
      query += `&${name}=${encoded(String(value), false)}`
    else for (const each of value) query += `&${name}=${encoded(String(each), true)}`
  }
  return query.slice(1)
}

/** Texts that mean the same encoded and plain; a comma does where it stands between values. */
const plain = /^[\w@:/.,-]*$/

function encoded(text: string, isValue: boolean): string {
  if (plain.test(text) && !(isValue && text.includes(','))) return text
  try {
    const whole = encodeURIComponent(text)
    return isValue ? whole : whole.replaceAll('%2C', ',')
  } catch {
    // Its only failure: half of a surrogate pair.
    throw thrownOf({ code: 'malformed-request', detail: `'${text.slice(0, 100)}' is not Unicode` })
  }
}
