/**
 * Between the methods and the wire: one question with its price and its cache, single values as batches, long
 * lists as parts. Invariant: an answer is the same whether it was asked for alone, coalesced, cut or kept.
 */
import type { About, KeptAnswers } from './cache/answer-cache.ts'
import type { CallOptions, CallQuestion, RetryingCaller } from './call.ts'
import { ClientError } from './failures.ts'
import { Coalescer } from './lists/coalescer.ts'
import { ownersByHandle, possibleSpellings } from './lists/owners.ts'
import { mergedRanks, orderingFields, type RankedItem } from './lists/rank-order.ts'
import {
  areProfiles,
  bodyParts,
  type ClientRoute,
  getQuestion,
  inParallel,
  postQuestion,
  profilesMax,
  routes,
} from './questions.ts'
import type { PricedQuestion, PriceList, Spending } from './spending.ts'
import type { AnswerMeta } from './types.ts'

/** An item of a rank, as far as its place is concerned. */
interface RankedSourceItem {
  readonly index: number
  readonly position?: number
}

/** An answer of any operation. */
type AnyAnswer = AnswerMeta & { results: unknown[] } & Record<string, unknown>

/** The operations whose values can be asked for in a body. */
type ListRoute = 'match' | 'detail' | 'rank'

/** Dependencies of an `Asker`. */
interface AskerContext {
  readonly caller: RetryingCaller
  readonly spending: Spending
  readonly cache: KeptAnswers | undefined
  readonly prices: () => Promise<PriceList>
  readonly coalesces: boolean
  readonly partsAtOnce: number
}

const listNames = { match: 'handles', detail: 'sdus', rank: 'sources' } as const

/** Maximum number of rounds in which parts of a list are asked again until one snapshot has answered them all. */
const roundsMax = 4
/** The last rank whose changes `/changes` reports. */
const ranksFollowed = 50

/** Asks questions. */
export class Asker {
  readonly #context: AskerContext
  readonly #coalescer = new Coalescer<AnyAnswer>()

  constructor(context: AskerContext) {
    this.#context = context
  }

  /** A GET; a kept answer comes from the cache. */
  get(route: ClientRoute, params: object, options?: CallOptions): Promise<AnyAnswer> {
    const question = getQuestion(route, params)
    const { handles, sdus } = params as { handles?: string | string[]; sdus?: string | string[] }
    const isOfValues = routes[route].each === 'value'
    const count = isOfValues ? valuesIn(handles ?? sdus ?? []) : 1
    const profiles = profilesMax(route, params, count)
    const ask = () => this.#ask({ route, count, profiles }, question, options)
    const isKept = question.isCharged && route !== 'changes' && route !== 'history'
    return isKept ? this.#kept(question.target, ask, () => undefined) : ask()
  }

  /** One value: kept, with others of this turn of the event loop, or alone. */
  one(
    route: ListRoute,
    value: string,
    params: object = {},
    options: CallOptions = {},
  ): Promise<AnyAnswer> {
    const { signal, coalesce, ...others } = options
    const isPlain = Object.keys(others).every((name) => name === 'deadlineMs')
    const isShared =
      this.#context.coalesces && coalesce !== false && isPlain && !value.includes(',')
    const group = JSON.stringify([route, params, options.deadlineMs])
    const ask = async () => {
      if (!isShared) return (await this.#batch(route, [value], params, options))[0]!
      const run = (values: readonly string[]) => this.#batch(route, values, params, others)
      return this.#coalescer.ask(group, value, run, signal)
    }
    return this.#kept(`${group} ${value}`, ask, (answer) => aboutOf(route, value, params, answer))
  }

  /** A list of any length, in parts that are answered by one snapshot. */
  async list(
    route: ListRoute,
    values: readonly string[],
    params: object = {},
    options: CallOptions = {},
  ): Promise<AnyAnswer> {
    const parts = values.length === 0 ? [[]] : bodyParts(values)
    const key = options.idempotencyKey ?? crypto.randomUUID()
    const partParams = parts.length > 1 && route === 'rank' ? withOrdering(params) : params
    const { maxCostUsd, ...others } = options
    const count = values.length
    const priced = { route, count, profiles: profilesMax(route, params, count) }
    await this.#context.spending.assertPays({ ...priced, callMaxUsd: maxCostUsd })
    const ask = (part: readonly string[], index: number) => {
      const idempotencyKey = parts.length === 1 ? key : `${key.slice(0, 56)}-${index}`
      return this.#post(route, part, partParams, { ...others, idempotencyKey })
    }
    const answers = await inParallel(parts, this.#context.partsAtOnce, ask)
    for (let round = 1; ; round += 1) {
      const { snapshot, requestId } = answers.at(-1)!
      const late = answers.flatMap((each, index) => (each.snapshot === snapshot ? [] : [index]))
      if (late.length === 0) break
      if (round === roundsMax) {
        const facts = { requestId, attempts: parts.length, idempotencyKey: key }
        throw new ClientError('snapshot-changing', 'no snapshot answered all parts', facts)
      }
      // The same key again: the answer is that of now, and free.
      const again = await inParallel(late, this.#context.partsAtOnce, (index) =>
        ask(parts[index]!, index),
      )
      late.forEach((index, at) => {
        answers[index] = { ...again[at]!, cost: answers[index]!.cost + again[at]!.cost }
      })
    }
    return parts.length === 1 ? answers[0]! : joinedAnswers(route, parts, answers, params)
  }

  async #kept(
    key: string,
    ask: () => Promise<AnyAnswer>,
    about: (answer: AnyAnswer) => About | undefined,
  ): Promise<AnyAnswer> {
    const { cache } = this.#context
    if (cache === undefined) return ask()
    const kept = (await cache.get(key)) as AnyAnswer | undefined
    if (kept !== undefined) return { ...kept, cost: 0, isReplay: false }
    const answer = await ask()
    cache.put(key, answer, about(answer))
    return answer
  }

  /** Values that each were asked for alone, one answer for each. */
  async #batch(
    route: ListRoute,
    values: readonly string[],
    params: object,
    options: CallOptions,
  ): Promise<AnyAnswer[]> {
    const [first = ''] = values
    if (values.length === 1 && route !== 'rank') {
      const { aligned: _, ...others } = params as { aligned?: boolean }
      return [await this.#single(route, first, others, options)]
    }
    if (route === 'match') return this.#owners(values, params, options)
    const isDetail = route === 'detail'
    const answer = await this.#post(
      route,
      values,
      isDetail ? { ...params, aligned: true } : params,
      options,
    )
    if (isDetail)
      return shares(
        answer,
        answer.results.map((item) => (item === null ? [] : [item])),
      )
    const lists: object[][] = values.map(() => [])
    for (const { index, position, ...item } of answer.results as RankedSourceItem[]) {
      const isAligned = position !== undefined
      lists[index]!.push({ ...item, index: 0, ...(isAligned && { position: 1 }) })
    }
    return shares(answer, lists)
  }

  #single(
    route: ListRoute,
    value: string,
    params: object,
    options: CallOptions,
  ): Promise<AnyAnswer> {
    const question = getQuestion(route, { [listNames[route]]: value, ...params })
    const count = valuesIn(value)
    const profiles = profilesMax(route, params, count)
    return this.#ask({ route, count, profiles }, question, options)
  }

  /** The owners of each handle; of several spellings of one handle, too. */
  async #owners(
    handles: readonly string[],
    params: object,
    options: CallOptions,
  ): Promise<AnyAnswer[]> {
    const { aligned: _, ...others } = params as { aligned?: boolean }
    const answer = await this.#post('match', handles, others, options)
    const owners = ownersByHandle(handles, answer.results as { handle: string }[])
    const unclear = possibleSpellings(owners)
    const answers = shares(answer, [...owners.values()])
    if (unclear.length === 0 || (await this.#wereAllDifferent(answer, handles.length, params)))
      return answers
    const again = await this.#batch('match', unclear, params, options)
    const byHandle = new Map(unclear.map((handle, index) => [handle, again[index]!]))
    return handles.map((handle, index) => byHandle.get(handle) ?? answers[index]!)
  }

  /** Whether all `count` sent values were charged, so that no two of them were spellings of one. */
  async #wereAllDifferent(
    { cost, isReplay, results }: AnyAnswer,
    count: number,
    params: object,
  ): Promise<boolean> {
    if (cost === 0 || isReplay) return false
    const { match = 0, detail = 0 } = await this.#context.prices()
    const profiles = areProfiles('match', params) ? results.length : 0
    return Math.round(cost * 1e6) === Math.round((match * count + detail * profiles) * 1e6)
  }

  #post(
    route: ListRoute,
    values: readonly string[],
    params: object,
    options: CallOptions,
  ): Promise<AnyAnswer> {
    const question = postQuestion(route, { [listNames[route]]: values, ...params })
    const profiles = profilesMax(route, params, values.length)
    return this.#ask({ route, count: values.length, profiles }, question, options)
  }

  #ask(
    priced: Omit<PricedQuestion, 'callMaxUsd'>,
    question: CallQuestion,
    options: CallOptions = {},
  ): Promise<AnyAnswer> {
    const { caller, spending } = this.#context
    return spending.within({ ...priced, callMaxUsd: options.maxCostUsd }, async () => {
      const { headers, json } = await caller.ask(question, options)
      const { duration: _, request_id: __, ...body } = json
      const balance = headers['x-balance-usd']
      return {
        ...(body as { results: unknown[] }),
        ...(headers['x-search-way'] !== undefined && { way: headers['x-search-way'] }),
        cost: Number(headers['x-cost-usd'] ?? 0),
        balance: balance === undefined ? null : Number(balance),
        snapshot: headers['x-snapshot-id'] ?? '',
        requestId: headers['x-request-id'] ?? '',
        isReplay: headers['idempotent-replay'] === 'true',
      }
    })
  }
}

/** One answer for each of several lists of items; the cost in equal shares. */
function shares(answer: AnyAnswer, lists: readonly (readonly unknown[])[]): AnyAnswer[] {
  const cost = answer.cost / lists.length
  return lists.map((results) => ({ ...answer, cost, results: [...results] }))
}

function joinedAnswers(
  route: ListRoute,
  parts: readonly (readonly string[])[],
  answers: readonly AnyAnswer[],
  params: object,
): AnyAnswer {
  const lists = answers.map(({ results }) => results)
  const results =
    route === 'rank' ? joinedRanks(parts, lists as RankedItem[][], params) : lists.flat()
  const micro = answers.reduce((sum, answer) => sum + Math.round(answer.cost * 1e6), 0)
  const balance = Math.min(...answers.map((answer) => answer.balance ?? Infinity))
  const last = answers.at(-1)!
  return { ...last, results, cost: micro / 1e6, balance: Number.isFinite(balance) ? balance : null }
}

/** Adds to the fields of a rank those that its parts are merged by. */
function withOrdering(params: RankForm): object {
  const { fields } = params
  return fields === undefined
    ? params
    : { ...params, fields: [...new Set([...fields, ...orderingFields])] }
}

/** Parts of a rank as one answer, in the form that was asked for. */
function joinedRanks(
  parts: readonly (readonly string[])[],
  lists: readonly (readonly RankedItem[])[],
  { topic, fields, aligned }: RankForm,
): unknown[] {
  const lengths = parts.map(({ length }) => length)
  const merged = mergedRanks(lengths, lists, topic !== undefined)
  const added = orderingFields.filter((name) => fields !== undefined && !fields.includes(name))
  const items = merged.map((item, place): RankedItem & RankedSourceItem => {
    const shown = { ...item, ...(aligned === true && { position: place + 1 }) }
    for (const name of added) delete (shown as Partial<RankedItem>)[name]
    return shown
  })
  return aligned === true ? items.sort((a, b) => a.index - b.index) : items
}

/** The parameters of a rank that decide its form. */
interface RankForm {
  readonly topic?: string
  readonly fields?: readonly string[]
  readonly aligned?: boolean
}

/** Number of values in a list, or in a text of values with commas between them. */
function valuesIn(values: string | readonly string[]): number {
  return typeof values === 'string' ? values.split(',').length : values.length
}

/** The people that an answer is about; undefined if `/changes` does not cover everything in it. */
function aboutOf(
  route: ListRoute,
  value: string,
  params: object,
  { results }: AnyAnswer,
): About | undefined {
  if (route === 'rank' || value.includes(',') || 'explain' in params) return undefined
  const items = results as readonly { readonly sdu?: string; readonly rank?: number }[]
  if (items.some(({ sdu, rank = 0 }) => sdu === undefined || rank > ranksFollowed)) return undefined
  const sdus = items.map(({ sdu }) => sdu!)
  return route === 'match' ? { sdus, handle: value } : { sdus: [value, ...sdus] }
}
