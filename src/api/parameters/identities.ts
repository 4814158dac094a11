/** Handles and SDUs as query strings and bodies send them: checked, and parsed into what they mean. */
import { limits } from '../../limits.ts'
import { type HandleQuery, parseHandle } from '../../text/handle.ts'
import { invalid, isSdu, type Parsed } from './pairs.ts'

/** A handle as it was sent, and what it means. */
export interface SentHandle {
  readonly sent: string
  readonly query: HandleQuery
}

/** What messages call a value: a list in a body has places, values of a query string have none. */
export type NameAt = (index: number) => string

/** Handles with what they mean. @param nameAt of the parameter or member, which messages say. */
export function handlesOf(
  sent: readonly string[],
  nameAt: NameAt,
  charactersMax: number,
): Parsed<readonly SentHandle[]> {
  const texts = boundedHandles(sent, nameAt, charactersMax)
  return texts.problem === undefined ? { value: readHandles(texts.value) } : texts
}

/** Handles none of which is too long. @param nameAt of the parameter or member, which messages say. */
export function boundedHandles(
  sent: readonly string[],
  nameAt: NameAt,
  charactersMax: number,
): Parsed<readonly string[]> {
  const wrong = sent.findIndex((each) => each.length > charactersMax)
  if (wrong < 0) return { value: sent }
  return invalid(`${nameAt(wrong)}: a handle is longer than ${charactersMax} characters`)
}

/** What handles mean. A thousand addresses cost up to 10 ms. */
export function readHandles(sent: readonly string[]): readonly SentHandle[] {
  return sent.map((each) => ({ sent: each, query: parseHandle(each) }))
}

/** Each different handle once, however it is spelled, as it was sent first. */
export function distinctHandles(handles: readonly SentHandle[]): readonly SentHandle[] {
  const byIdentity = new Map<string, SentHandle>()
  for (const handle of handles) {
    const { platform = '', key } = handle.query
    const identity = `${platform}:${key}`
    if (!byIdentity.has(identity)) byIdentity.set(identity, handle)
  }
  return [...byIdentity.values()]
}

/** Texts that are SDUs, each 1–32 digits. @param nameAt of the parameter or member, which messages say. */
export function sdusOf(sent: readonly string[], nameAt: NameAt): Parsed<readonly string[]> {
  const wrong = sent.findIndex((sdu) => !isSdu(sdu))
  if (wrong < 0) return { value: sent }
  const what = `'${sent[wrong]!.slice(0, 100)}' is not 1 to ${limits.sduDigitsMax} digits`
  return invalid(`${nameAt(wrong)}: ${what}`)
}
