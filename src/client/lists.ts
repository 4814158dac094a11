/**
 * Lists of any length: cut into bodies that the service takes, asked for a few at a time, and joined into the answer that
 * one body would give. Invariant: one snapshot answers all parts.
 */
import type { Answer } from './answers.ts'
import type { CallOptions } from './call.ts'
import type { Params, Schemas } from './contract.ts'
import { APIError } from './errors.ts'
import { Turns } from './turns.ts'

/** Maximum number of values in one body, and of their bytes without the text around them. */
const valuesMax = 1_000
const bytesMax = (256 << 10) - 4_096
/** Bodies of one list that are on their way at the same time. */
const partsAtOnce = 4
/** Maximum number of rounds in which parts are asked again until one snapshot has answered them all. */
const roundsMax = 4

/** Cuts a list into parts that each fit into a body, in their order. */
export function bodyParts(values: readonly string[]): string[][] {
  const parts: string[][] = [[]]
  const encoder = new TextEncoder()
  let bytes = 0
  for (const value of values) {
    const size = encoder.encode(JSON.stringify(value)).length + 1
    const last = parts.at(-1)!
    if (last.length > 0 && (last.length >= valuesMax || bytes + size > bytesMax)) {
      parts.push([value])
      bytes = size
    } else {
      last.push(value)
      bytes += size
    }
  }
  return parts
}

/**
 * Asks for all parts of a list, until one snapshot has answered them.
 * @param options of the list; each of several parts has an idempotency key made of that of the list.
 * @throws APIError `snapshot-changing` if snapshots change faster than that.
 */
export async function answeredParts<T>(
  parts: readonly (readonly string[])[],
  { idempotencyKey: key = crypto.randomUUID(), ...options }: CallOptions,
  ask: (part: readonly string[], options: CallOptions) => Promise<Answer<T[]>>,
): Promise<Answer<T[]>[]> {
  const askPart = (index: number) => {
    const own = parts.length === 1 ? key : `${key.slice(0, 56)}-${index}`
    return ask(parts[index]!, { ...options, idempotencyKey: own })
  }
  const answers = await inParallel([...parts.keys()], askPart)
  for (let round = 1; ; round += 1) {
    const { snapshot, response } = answers.at(-1)!
    const late = answers.flatMap((each, index) => (each.snapshot === snapshot ? [] : [index]))
    if (late.length === 0) return answers
    if (round === roundsMax) {
      const { status, headers } = response
      const facts = { status, headers, problem: null, attempts: parts.length, idempotencyKey: key }
      throw new APIError('snapshot-changing', 'no snapshot answered all parts', facts)
    }
    // The same key again: the answer is that of now, and free.
    const again = await inParallel(late, askPart)
    late.forEach((index, at) => {
      answers[index] = { ...again[at]!, cost: answers[index]!.cost + again[at]!.cost }
    })
  }
}

/** Runs tasks, a few at a time, and returns their results in order. After a failure none begins. */
function inParallel<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const turns = new Turns(partsAtOnce)
  const failure = new AbortController()
  const task = (item: T) =>
    run(item).catch((error) => {
      failure.abort(error)
      throw error
    })
  return Promise.all(items.map((item) => turns.run(failure.signal, () => task(item))))
}

export function joinedAnswer<T, R>(
  answers: readonly Answer<T>[],
  join: (parts: readonly T[]) => R,
): Answer<R> {
  const microUsd = answers.reduce((sum, { cost }) => sum + Math.round(cost * 1e6), 0)
  const balance = Math.min(...answers.map((answer) => answer.balance ?? Infinity))
  return {
    ...answers.at(-1)!,
    data: join(answers.map(({ data }) => data)),
    cost: microUsd / 1e6,
    balance: Number.isFinite(balance) ? balance : null,
  }
}

/** The fields that the order of a rank depends on. */
const orderingFields = ['sdu', 'authority_score', 'rank'] as const

export type RankedItem = Required<Pick<Schemas['Source'], (typeof orderingFields)[number]>> &
  Pick<Schemas['Source'], 'index' | 'position'>

type RankForm = Pick<Params['rank'], 'topic' | 'fields' | 'aligned'>

export function withOrdering<Form extends RankForm>(params: Form): Form {
  const { fields } = params
  return fields === undefined
    ? params
    : { ...params, fields: [...new Set([...fields, ...orderingFields])] }
}

/**
 * Merges ranks of the parts of a list into the one that the whole list would give: by rank in the topic, then by authority
 * score, equal scores by SDU as a number, then sources without a known author; equals in the order of the request.
 */
export function mergedRanks<Item extends RankedItem>(
  lengths: readonly number[],
  answers: readonly (readonly Item[])[],
  { topic, fields, aligned }: RankForm,
): Item[] {
  let before = 0
  const all = answers.flatMap((items, part) => {
    const moved = items.map((item) => ({ ...item, index: before + item.index }))
    before += lengths[part]!
    return moved
  })
  all.sort((a, b) => compareRanked(a, b, topic !== undefined) || a.index - b.index)
  const added = orderingFields.filter((name) => fields !== undefined && !fields.includes(name))
  const items = all.map((item, place) => {
    const shown = { ...item, ...(aligned === true && { position: place + 1 }) }
    for (const name of added) delete (shown as Partial<RankedItem>)[name]
    return shown
  })
  return aligned === true ? items.sort((a, b) => a.index - b.index) : items
}

function compareRanked(a: RankedItem, b: RankedItem, hasTopic: boolean): number {
  if (hasTopic && a.rank !== b.rank) return (a.rank ?? Infinity) < (b.rank ?? Infinity) ? -1 : 1
  if (a.sdu === null || b.sdu === null) return Number(a.sdu === null) - Number(b.sdu === null)
  if (a.authority_score !== b.authority_score) return b.authority_score! - a.authority_score!
  const [x, y] = [BigInt(a.sdu), BigInt(b.sdu)]
  // Of one number the text with fewer leading zeros is first.
  return x === y ? a.sdu.length - b.sdu.length : x < y ? -1 : 1
}
