/**
 * The client of the HTTP API: `new AuthorityClient({ baseUrl, apiKey })` and a method for each operation, named
 * as those of `openIndex`. This file is the entry of the package's `client`: it joins the parts and states
 * the defaults; each part is tested on its own.
 */

import { Asker } from './asker.ts'
import { KeptAnswers } from './cache/answer-cache.ts'
import { changedSince } from './cache/changed-people.ts'
import { type CallOptions, type Middleware, RetryingCaller, type Timing } from './call.ts'
import type { QueryParameters, Schemas } from './contract/contract.ts'
import { type ClientRoute, routes } from './questions.ts'
import { type PriceList, Spending, type SpendingOptions } from './spending.ts'
import type {
  AlignedOf,
  AnswerOf,
  ChangesParams,
  DetailParams,
  FieldsOf,
  HistoryParams,
  MatchParams,
  PeersParams,
  RankedOf,
  RankParams,
  SearchParams,
  SuggestParams,
} from './types.ts'
import { type TransportOptions, transportFor } from './wire/surroundings.ts'
import type { Transport } from './wire/transport.ts'

export type { AttemptRequest, CallOptions, Middleware, Timing } from './call.ts'
export type { Schemas } from './contract/contract.ts'
export * from './failures.ts'
export type * from './types.ts'
export type { SentRequest, Transport, WireAnswer } from './wire/transport.ts'
export { WireFailure } from './wire/transport.ts'

/** Options of a client. */
export interface ClientOptions extends SpendingOptions, TransportOptions {
  /** One address, or several: a retry goes to another. */
  readonly baseUrl: string | readonly string[]
  /** The key, or a function that gives it for each attempt. */
  readonly apiKey: string | (() => string | Promise<string>)
  /** Maximum duration of a whole call with its retries, ms. Default 2,000. */
  readonly deadlineMs?: number | undefined
  /** Retries of a call. Default 3. */
  readonly retries?: number | undefined
  /** Retries as a share of the calls that were answered. Default 0.1. */
  readonly retryBudget?: number | undefined
  /** Functions around each attempt; the first is the outermost. */
  readonly middleware?: readonly Middleware[] | undefined
  /** Whether single calls of one turn become one request. Default true. */
  readonly coalesce?: boolean | undefined
  /** `revalidate` keeps answers until the snapshot changes, `follow` through changes of other people. Default `off`. */
  readonly cache?: 'off' | 'revalidate' | 'follow' | undefined
  /** Bytes of kept answers. Default 16 MiB. */
  readonly cacheBytes?: number | undefined
  /** Duration for which kept answers need no look at the service, ms. Default 5,000. */
  readonly cacheFreshMs?: number | undefined
  /** Maximum number of concurrent requests of one long list. Default 4. */
  readonly partsAtOnce?: number | undefined
  /** Replaces the clock and the source of random numbers. */
  readonly timing?: Timing | undefined
}

const systemTiming: Timing = { now: () => performance.now(), random: Math.random }

/** Asks the service. Free to be shared: one client has one pool, one budget of retries, one cache. */
export class AuthorityClient {
  readonly #asker: Asker
  readonly #caller: RetryingCaller
  readonly #spending: Spending
  readonly #transport: () => Promise<Transport>
  #prices: Promise<PriceList> | undefined

  constructor(options: ClientOptions) {
    const { baseUrl, apiKey, timing = systemTiming } = options
    const addresses = [baseUrl].flat().map((address) => address.replace(/\/+$/, ''))
    if (addresses.length === 0) throw new TypeError('baseUrl has no address')
    this.#transport = transportFor(options, timing.now)
    this.#caller = new RetryingCaller({
      addresses,
      apiKey: typeof apiKey === 'function' ? apiKey : () => apiKey,
      transport: this.#transport,
      middleware: options.middleware ?? [],
      deadlineMs: options.deadlineMs ?? 2_000,
      retries: options.retries ?? 3,
      retryBudget: options.retryBudget ?? 0.1,
      timing,
    })
    this.#spending = new Spending(options, () => this.prices())
    this.#asker = new Asker({
      caller: this.#caller,
      spending: this.#spending,
      cache: this.#newCache(options, timing),
      prices: () => this.prices(),
      coalesces: options.coalesce ?? true,
      partsAtOnce: options.partsAtOnce ?? 4,
    })
  }

  /** USD that this client was charged. */
  get spentUsd(): number {
    return this.#spending.spentUsd
  }

  /** The prices of the service, USD for each request or value. */
  prices(): Promise<PriceList> {
    this.#prices ??= this.#fetchPrices().catch((error) => {
      this.#prices = undefined
      throw error
    })
    return this.#prices
  }

  /** People by topic, keywords or name. */
  async search<P extends SearchParams = Record<never, never>>(
    query: string,
    params?: P,
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['SearchAnswer'], FieldsOf<Schemas['Summary'], P>>> {
    return this.#get('search', { query, ...params }, options)
  }

  /** The pages of a search, each when it is asked for. */
  searchPages<P extends SearchParams = Record<never, never>>(
    query: string,
    params?: P,
    options?: CallOptions,
  ): AsyncGenerator<AnswerOf<Schemas['SearchAnswer'], FieldsOf<Schemas['Summary'], P>>> {
    return pagesOf((cursor) => this.search(query, { ...params, cursor } as P, options), '*')
  }

  /** The owners of a handle; of a list, of up to any number of handles. */
  async match<P extends MatchParams = Record<never, never>>(
    handles: string | readonly string[],
    params?: P,
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['MatchAnswer'], AlignedOf<Schemas['Match'], P>>> {
    return this.#values('match', handles, params, options)
  }

  /** Profiles by SDU; of a list, of up to any number of SDUs. */
  async detail<P extends DetailParams = Record<never, never>>(
    sdus: string | readonly string[],
    params?: P,
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['DetailAnswer'], AlignedOf<Schemas['Profile'], P>>> {
    return this.#values('detail', sdus, params, options)
  }

  /** The top authorities connected with handles. */
  async peers<P extends PeersParams = Record<never, never>>(
    handles: string | readonly string[],
    params?: P,
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['PeersAnswer'], FieldsOf<Schemas['Summary'], P>>> {
    return this.#get('peers', { handles, ...params }, options)
  }

  /** The pages of peers. */
  peersPages<P extends PeersParams = Record<never, never>>(
    handles: string | readonly string[],
    params?: P,
    options?: CallOptions,
  ): AsyncGenerator<AnswerOf<Schemas['PeersAnswer'], FieldsOf<Schemas['Summary'], P>>> {
    return pagesOf((cursor) => this.peers(handles, { ...params, cursor } as P, options), '*')
  }

  /** Sources in the order of their authors' authority: one, or a list of any length as one order. */
  async rank<P extends RankParams = Record<never, never>>(
    sources: string | readonly string[],
    params?: P,
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['RankAnswer'], RankedOf<P>>> {
    return this.#values('rank', sources, params, options)
  }

  /** Suggestions for a text that is being typed. */
  async autocomplete(
    query: string,
    params?: SuggestParams,
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['AutocompleteAnswer']>> {
    return this.#get('autocomplete', { query, ...params }, options)
  }

  /** Topics, the largest first. */
  async topics(
    params?: QueryParameters['topics'],
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['TopicsAnswer']>> {
    return this.#get('topics', { ...params }, options)
  }

  /** The pages of the topics. */
  topicsPages(params?: QueryParameters['topics'], options?: CallOptions) {
    return pagesOf((cursor) => this.topics({ ...params, cursor }, options), undefined)
  }

  /** Snapshots, the last announced first. */
  async snapshots(
    params?: QueryParameters['snapshots'],
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['SnapshotsAnswer']>> {
    return this.#get('snapshots', { ...params }, options)
  }

  /** The pages of the snapshots. */
  snapshotsPages(options?: CallOptions) {
    return pagesOf((cursor) => this.snapshots({ cursor }, options), undefined)
  }

  /** One snapshot: its id, its time and its counts. */
  async snapshot(id: string, options?: CallOptions): Promise<AnswerOf<Schemas['SnapshotAnswer']>> {
    return this.#get('snapshot', { id }, options)
  }

  /** Changes since a snapshot: one page. */
  async changes(
    since: string,
    params?: ChangesParams,
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['ChangesAnswer']>> {
    return this.#get('changes', { since, ...params }, options)
  }

  /** The pages of the changes. */
  changesPages(since: string, params?: ChangesParams, options?: CallOptions) {
    return pagesOf((cursor) => this.changes(since, { ...params, cursor }, options), undefined)
  }

  /** History of the ranks and scores of people: one page. */
  async history(
    sdus: string | readonly string[],
    params?: HistoryParams,
    options?: CallOptions,
  ): Promise<AnswerOf<Schemas['HistoryAnswer']>> {
    return this.#get('history', { sdus, ...params }, options)
  }

  /** The pages of a history. */
  historyPages(sdus: string | readonly string[], params?: HistoryParams, options?: CallOptions) {
    return pagesOf((cursor) => this.history(sdus, { ...params, cursor }, options), undefined)
  }

  /**
   * The account of the key: balance, limits, sales, prices. Free, and never cached.
   * @param days asks for the sales of each of the last `days` UTC days (1 to 92), today included.
   */
  async account(days?: number): Promise<Schemas['AccountView']> {
    const target = `/api/v1/account${days === undefined ? '' : `?days=${days}`}`
    const { json } = await this.#caller.ask({ method: 'GET', target, isCharged: false })
    return (json as Schemas['AccountAnswer']).results[0]!
  }

  /** Closes idle connections. */
  async close(): Promise<void> {
    const transport = await this.#transport()
    transport.close()
  }

  #get<T>(route: ClientRoute, params: object, options?: CallOptions): Promise<T> {
    return this.#asker.get(route, params, options) as Promise<T>
  }

  #values<T>(
    route: 'match' | 'detail' | 'rank',
    values: string | readonly string[],
    params?: object,
    options?: CallOptions,
  ): Promise<T> {
    const isOne = typeof values === 'string'
    const answer = isOne
      ? this.#asker.one(route, values, params, options)
      : this.#asker.list(route, values, params, options)
    return answer as Promise<T>
  }

  #newCache(options: ClientOptions, { now }: Timing): KeptAnswers | undefined {
    const { cache = 'off' } = options
    if (cache === 'off') return undefined
    return new KeptAnswers({
      bytesMax: options.cacheBytes ?? 16 << 20,
      freshMs: options.cacheFreshMs ?? 5_000,
      now,
      served: async () => (await this.topics({ limit: 1 })).snapshot,
      changes: cache === 'follow' ? (since) => changedSince(this.changesPages(since)) : undefined,
    })
  }

  async #fetchPrices(): Promise<PriceList> {
    const { json } = await this.#caller.ask({
      method: 'GET',
      target: '/openapi.json',
      isCharged: false,
    })
    const { paths } = json as { paths: Record<string, Record<string, { 'x-price-usd'?: number }>> }
    const prices = Object.entries(routes).map(([route, { path }]) => {
      const { get, post } = paths[path] ?? {}
      return [route, (get ?? post)?.['x-price-usd'] ?? 0]
    })
    return Object.fromEntries(prices)
  }
}

/** The pages of a list, each when it is asked for. */
async function* pagesOf<T extends { next_cursor?: string | null | undefined }>(
  ask: (cursor: string | undefined) => Promise<T>,
  first: string | undefined,
): AsyncGenerator<T, void> {
  let cursor = first
  do {
    const page = await ask(cursor)
    yield page
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
}
