/** The meaning of values that several operations take. */
import { limits } from '../../limits.ts'
import { type FieldName, fieldNames } from '../../request-parameters.ts'
import { isMoreThanName } from '../../text/bare-names.ts'
import { type HandleQuery, parseHandle } from '../../text/handle.ts'

/** Scope of the explanations in an answer: nothing, how the text was understood, or every item too. */
export type Explain = 'nothing' | 'query' | 'items'

interface Shown {
  readonly explain: Explain
  /** In the order of an answer; undefined for the usual ones. */
  readonly fields: readonly FieldName[] | undefined
}

export function shownOf(sent: {
  readonly explain: boolean | 'query'
  readonly fields?: readonly FieldName[] | undefined
}): Shown {
  const explain = sent.explain === 'query' ? 'query' : sent.explain ? 'items' : 'nothing'
  return { explain, fields: sent.fields && inOrder(fieldNames, sent.fields) }
}

/** Those of some names that were sent, in the order of an answer. */
export function inOrder<N extends string>(names: readonly N[], sent: readonly N[]): readonly N[] {
  return names.filter((name) => sent.includes(name))
}

export function limitOf(sent: number): number {
  return Math.min(sent, limits.resultsMax)
}

export interface SentHandle {
  readonly sent: string
  readonly query: HandleQuery
}

/** An address costs up to 10 µs. */
export function readHandle(sent: string): SentHandle {
  return { sent, query: parseHandle(sent) }
}

const bareName = /^@?[\w.-]+$/

/** The key of a handle that is a name and nothing else, the same in any spelling; undefined for any other. */
export function nameIn(handle: string): string | undefined {
  if (!bareName.test(handle)) return undefined
  const key = handle.replace('@', '').toLowerCase()
  return isMoreThanName(key) ? undefined : key
}

/** Each different handle once, in any spelling, as it was sent first. */
export function distinctHandles(sent: readonly string[]): readonly SentHandle[] {
  const byIdentity = new Map<string, SentHandle>()
  for (const handle of sent.map(readHandle)) {
    const { platform = '', key } = handle.query
    const identity = `${platform}:${key}`
    if (!byIdentity.has(identity)) byIdentity.set(identity, handle)
  }
  return [...byIdentity.values()]
}
