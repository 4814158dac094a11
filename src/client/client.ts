/**
 * The client of the HTTP API: `new AuthorityIndex()` and a method for each operation. This file is the entry of the
 * package's `client`: it states the defaults, and turns methods into requests and answers into what they return.
 */
import { type Answer, AnswerPromise, type Page, PagePromise } from './answers.ts'
import { Batch } from './batch.ts'
import { Caller, type CallOptions } from './call.ts'
import type { Params, Schemas } from './contract.ts'
import {
  answeredParts,
  bodyParts,
  joinedAnswer,
  mergedRanks,
  type RankedItem,
  withOrdering,
} from './lists.ts'

export { type Answer, AnswerPromise, type Page, PagePromise } from './answers.ts'
export type { CallOptions } from './call.ts'
export type { Params, Schemas } from './contract.ts'
export * from './errors.ts'

/** Options of a client. */
export interface ClientOptions {
  /** Default: the environment variable `AUTHORITY_INDEX_KEY`. */
  readonly apiKey?: string | undefined
  /** Default: the environment variable `AUTHORITY_INDEX_URL`, else `http://127.0.0.1:8080`. */
  readonly baseURL?: string | undefined
  /** Maximum duration of a whole call with its retries, ms. Default 10,000. */
  readonly timeoutMs?: number | undefined
  /** Retries of one call. Default 3. */
  readonly maxRetries?: number | undefined
  /** Retries of all calls, as a share of those that were answered. Default 0.1. */
  readonly retryBudget?: number | undefined
  /** Whether single values of `match` and of `detail` that are asked for in one turn become one request. Default false. */
  readonly batch?: boolean | undefined
  /** Sends requests in the place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
  /** Lets a web page have a client, and everybody who opens it read the key. */
  readonly exposeKeyInBrowser?: boolean | undefined
}

/** The items of an answer: all fields, or those that `fields` names. */
export type FieldsOf<Item, P> = P extends { fields: string | readonly string[] }
  ? Partial<Schemas['Profile'] & Schemas['Match']>
  : Item

/** The items of a rank: the fields that are always there, and those that `fields` names or all. */
export type RankedOf<P> = P extends { fields: readonly string[] }
  ? Schemas['Source']
  : Schemas['Source'] &
      Required<Pick<Schemas['Source'], 'sdu' | 'name' | 'authority_score' | 'rank' | 'topic'>>

/** What one value is answered with, or each of a list. */
type OneOrEach<V, Item> = V extends string ? Item | null : (Item | null)[]

type PeoplePages<P, More> = PagePromise<
  FieldsOf<Schemas['Summary'], P>,
  Page<FieldsOf<Schemas['Summary'], P>> & More
>

type With<P> = P & CallOptions
type Given = Readonly<Record<string, unknown>> & CallOptions

/** The operations whose values stand in a body, by the name of the list. */
const listNames = { match: 'handles', detail: 'sdus', rank: 'sources' } as const
type ListRoute = keyof typeof listNames

/** Operations without a price unless the operator sets one: they carry no idempotency key. */
const free = /^(autocomplete|topics|snapshots|account)/

/** Asks the service. One client for a whole program: it has one budget of retries, and limits requests at the same time. */
export class AuthorityIndex {
  readonly #caller: Caller
  readonly #batch: Batch<unknown> | undefined

  /** @throws TypeError without a key, and in a web page that does not say that its key may be seen. */
  constructor(options: ClientOptions = {}) {
    const { document } = globalThis as { document?: unknown }
    if (document !== undefined && options.exposeKeyInBrowser !== true) {
      throw new TypeError(
        'a web page shows its key to everybody: ask from a server, or set exposeKeyInBrowser',
      )
    }
    const apiKey = options.apiKey ?? environment('AUTHORITY_INDEX_KEY')
    if (apiKey === undefined) throw new TypeError('no key: set apiKey or AUTHORITY_INDEX_KEY')
    const baseURL = options.baseURL ?? environment('AUTHORITY_INDEX_URL') ?? 'http://127.0.0.1:8080'
    const send = options.fetch ?? fetch
    this.#caller = new Caller({
      baseURL: new URL(baseURL).href.replace(/\/+$/, ''),
      apiKey,
      // Browsers want it called as a function of the page.
      fetch: (input, init) => send.call(globalThis, input, init),
      timeoutMs: options.timeoutMs ?? 10_000,
      maxRetries: options.maxRetries ?? 3,
      retryBudget: options.retryBudget ?? 0.1,
    })
    this.#batch = options.batch === true ? new Batch() : undefined
  }

  /** People by topic, keywords or name, the best first. */
  search<P extends With<Params['search']>>(
    query: string,
    params?: P,
  ): PeoplePages<P, Schemas['SearchPage']> {
    return this.#pages('index', { query, ...params })
  }

  /** The top authorities connected with handles. */
  peers<P extends With<Params['peers']>>(
    handles: string | readonly string[],
    params?: P,
  ): PeoplePages<P, Schemas['PeersPage']> {
    return this.#pages('peers', { handles, ...params })
  }

  /** The owner of a handle, null if nobody in the index has it; of several owners the top authority. Of a list the owner of each. */
  match<V extends string | readonly string[], P extends With<Params['match']>>(
    handles: V,
    params?: P,
  ): AnswerPromise<OneOrEach<V, FieldsOf<Schemas['Match'], P>>> {
    return this.#values('match', handles, params)
  }

  /** The profile of an SDU, null if the index has no such person. Of a list the profile of each. */
  detail<V extends string | readonly string[], P extends With<Params['detail']>>(
    sdus: V,
    params?: P,
  ): AnswerPromise<OneOrEach<V, FieldsOf<Schemas['Profile'], P>>> {
    return this.#values('detail', sdus, params)
  }

  /** Sources in the order of their authors' authority; with `aligned` in their own order, each with its `position`. */
  rank<P extends With<Params['rank']>>(
    sources: readonly string[],
    params?: P,
  ): AnswerPromise<RankedOf<P>[]> {
    return new AnswerPromise(this.#rank(sources, params ?? {}) as Promise<Answer<RankedOf<P>[]>>)
  }

  /** Suggestions for a text that is being typed. */
  autocomplete(
    query: string,
    params?: With<Params['autocomplete']>,
  ): AnswerPromise<Schemas['Suggestion'][]> {
    return new AnswerPromise(this.#items('autocomplete', { query, ...params }))
  }

  /** Topics, the largest first. */
  topics(params?: With<Params['topics']>): PagePromise<Schemas['Topic']> {
    return this.#pages('topics', { ...params })
  }

  /** Snapshots, the last announced first. */
  snapshots(params?: With<Params['snapshots']>): PagePromise<Schemas['Snapshot']> {
    return this.#pages('snapshots', { ...params })
  }

  /**
   * One snapshot: its id, its time and its counts.
   * @throws TypeError for an id that can be no part of a path: what reads an address takes dots and slashes for steps.
   */
  snapshot(id: string, options: CallOptions = {}): AnswerPromise<Schemas['SnapshotPage']> {
    if (!/^[\w-]+$/.test(id)) throw new TypeError('the id of a snapshot is 32 hexadecimal digits')
    return this.#item(`snapshots/${id}`, { ...options })
  }

  /** Changes since a snapshot. */
  changes(since: string, params?: With<Params['changes']>): PagePromise<Schemas['Change']> {
    return this.#pages('changes', { since, ...params })
  }

  /** History of the ranks and scores of people. */
  history(
    sdus: string | readonly string[],
    params?: With<Params['history']>,
  ): PagePromise<Schemas['Moment']> {
    return this.#pages('history', { sdus, ...params })
  }

  /** The account of the key: balance, limits, sales, prices; with `days` the sales of each of the last UTC days, too. Free. */
  account(params?: With<{ days?: number | undefined }>): AnswerPromise<Schemas['AccountView']> {
    return this.#item('account', { ...params })
  }

  #items<T>(path: string, given: Given): Promise<Answer<T[]>> {
    return withData(this.#get<Page<T>>(path, ...parted(given)), ({ results }) => results)
  }

  #item<T>(path: string, given: Given): AnswerPromise<T> {
    return new AnswerPromise(withData(this.#items<T>(path, given), ([item]) => item!))
  }

  #pages<Item, P extends Page<Item>>(path: string, given: Given): PagePromise<Item, P> {
    const [params, options] = parted(given)
    const { idempotencyKey: _, ...others } = options
    const first = this.#get<P>(path, { cursor: '*', ...params }, options)
    return new PagePromise(first, async (cursor) => {
      const { data } = await this.#get<P>(path, { ...params, cursor }, others)
      return data
    })
  }

  #values<T>(
    route: 'match' | 'detail',
    values: string | readonly string[],
    given: CallOptions | undefined,
  ): AnswerPromise<T> {
    const [params, options] = parted({ ...given, aligned: true })
    const { signal, timeoutMs, idempotencyKey } = options
    const ask = (part: readonly string[], own: CallOptions) =>
      this.#post<T>(route, part, params, own)
    if (typeof values !== 'string') {
      const parts = answeredParts(bodyParts(values), options, ask)
      return new AnswerPromise(parts.then((all) => joinedAnswer(all, (lists) => lists.flat() as T)))
    }
    if (this.#batch === undefined || idempotencyKey !== undefined) {
      return new AnswerPromise(withData(ask([values], options), ([item]) => item!))
    }
    const group = JSON.stringify([route, params, timeoutMs])
    const run = (part: readonly string[]) => ask(part, { timeoutMs })
    return new AnswerPromise((this.#batch as Batch<T>).ask(group, values, run, signal))
  }

  async #rank(sources: readonly string[], given: With<Params['rank']>): Promise<Answer<unknown[]>> {
    const [form, options] = parted(given)
    const bodies = bodyParts(sources)
    if (bodies.length === 1) return this.#post('rank', sources, form, options)
    const parts = await answeredParts(bodies, options, (part, own) =>
      this.#post<RankedItem>('rank', part, withOrdering(form), own),
    )
    const lengths = bodies.map(({ length }) => length)
    return joinedAnswer(parts, (lists) => mergedRanks(lengths, lists, form))
  }

  #post<T>(
    route: ListRoute,
    values: readonly string[],
    params: object,
    options: CallOptions,
  ): Promise<Answer<T[]>> {
    const body = JSON.stringify({ [listNames[route]]: values, ...params })
    const answer = this.#caller.ask({ target: `/api/v1/${route}`, body, isCharged: true }, options)
    return withData(answer, ({ results }) => results as T[])
  }

  #get<T>(path: string, params: object, options: CallOptions): Promise<Answer<T>> {
    const query = queryOf(params)
    const target = `/api/v1/${path}${query === '' ? '' : `?${query}`}`
    return this.#caller.ask({ target, isCharged: !free.test(path) }, options) as Promise<Answer<T>>
  }
}

async function withData<T, R>(
  answer: Promise<Answer<T>>,
  read: (data: T) => R,
): Promise<Answer<R>> {
  const whole = await answer
  return { ...whole, data: read(whole.data) }
}

function parted<P extends CallOptions>(given: P): [Omit<P, keyof CallOptions>, CallOptions] {
  const { signal, timeoutMs, idempotencyKey, ...params } = given
  return [params, { signal, timeoutMs, idempotencyKey }]
}

/** Lists repeat their parameter, and a comma is part of an entry; a text may be a list by commas. */
function queryOf(params: object): string {
  return Object.entries(params)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? value.map((each) => `${name}=${encodeURIComponent(each)}`)
        : [`${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`],
    )
    .join('&')
}

/** An environment variable; undefined where it is empty, or where there is none as in a browser. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name] || undefined
}
