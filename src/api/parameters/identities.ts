/** Handles and SDUs as query strings and bodies send them: checked, and handles parsed into their meaning. */
import { limits } from '../../limits.ts'
import { type HandleQuery, parseHandle } from '../../text/handle.ts'
import { invalid, isSdu, type Parsed } from './pairs.ts'

/** A handle as it was sent, and its meaning. */
export interface SentHandle {
  readonly sent: string
  readonly query: HandleQuery
}

/** The name of a value in messages: with its place in the list of a body, without one for a query string. */
export type NameAt = (index: number) => string

/** Checks and parses handles. @param nameAt names the parameter or member in messages. */
export function handlesOf(
  sent: readonly string[],
  nameAt: NameAt,
  charactersMax: number,
): Parsed<readonly SentHandle[]> {
  const texts = boundedHandles(sent, nameAt, charactersMax)
  return texts.problem === undefined ? { value: texts.value.map(readHandle) } : texts
}

/** Checks that no handle is too long. @param nameAt names the parameter or member in messages. */
export function boundedHandles(
  sent: readonly string[],
  nameAt: NameAt,
  charactersMax: number,
): Parsed<readonly string[]> {
  const wrong = sent.findIndex((each) => each.length > charactersMax)
  if (wrong < 0) return { value: sent }
  return invalid(`${nameAt(wrong)}: a handle is longer than ${charactersMax} characters`)
}

/** Parses a handle into its meaning. An address costs up to 10 µs. */
export function readHandle(sent: string): SentHandle {
  return { sent, query: parseHandle(sent) }
}

/** Each different handle once, in any spelling, as it was sent first. */
export function distinctHandles(handles: readonly SentHandle[]): readonly SentHandle[] {
  const byIdentity = new Map<string, SentHandle>()
  for (const handle of handles) {
    const { platform = '', key } = handle.query
    const identity = `${platform}:${key}`
    if (!byIdentity.has(identity)) byIdentity.set(identity, handle)
  }
  return [...byIdentity.values()]
}

/** Checks that texts are SDUs, each 1–32 digits. @param nameAt names the parameter or member in messages. */
export function sdusOf(sent: readonly string[], nameAt: NameAt): Parsed<readonly string[]> {
  const wrong = sent.findIndex((sdu) => !isSdu(sdu))
  if (wrong < 0) return { value: sent }
  const what = `'${sent[wrong]!.slice(0, 100)}' is not 1 to ${limits.sduDigitsMax} digits`
  return invalid(`${nameAt(wrong)}: ${what}`)
}
