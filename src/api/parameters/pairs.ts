/**
 * A query string as decoded pairs, and the reading that all parameters share: their values in any of their
 * spellings, and the first problem to fix.
 */
import { limits } from '../../limits.ts'
import type { Problem } from '../../problems.ts'
import type { Parameter } from '../../request-parameters.ts'

/** The parameters of a query string in order: decoded names and values, and each value as it was sent. */
export type Pairs = readonly (readonly [name: string, value: string, sent: string])[]

/** A value, or why there is none. */
export type Parsed<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Problem; readonly value?: undefined }

/** The fault of a parameter. */
export function invalid(detail: string): { readonly problem: Problem } {
  return { problem: { code: 'invalid-parameter', detail } }
}

/**
 * Splits and decodes a query string: `+` is a space, `%` must begin the UTF-8 of a character.
 * A name without `=` has an empty value.
 */
export function parsePairs(query: string): Parsed<Pairs> {
  const parts = query.split('&', limits.parametersMax + 1)
  if (parts.length > limits.parametersMax) {
    return invalid(`there are more than ${limits.parametersMax} parameters`)
  }
  const pairs: [string, string, string][] = []
  for (const part of parts) {
    if (part === '') continue
    const equals = part.indexOf('=')
    const name = decoded(equals < 0 ? part : part.slice(0, equals))
    const sent = equals < 0 ? '' : part.slice(equals + 1)
    const value = decoded(sent)
    if (name === undefined || value === undefined) {
      const detail = `'${part.slice(0, 100)}' is not percent-encoded UTF-8`
      return { problem: { code: 'malformed-request', detail } }
    }
    pairs.push([name, value, sent])
  }
  return { value: pairs }
}

const encoded = /[%+]/

/** Decodes percent-encoding, `+` being a space; undefined for bytes that are no UTF-8. */
export function decoded(text: string): string | undefined {
  if (!encoded.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Its only failure: a `%` that begins no character.
    return undefined
  }
}

/** A parameter with its name, as messages use it. */
export interface NamedParameter extends Parameter {
  readonly name: string
}

/** The one value of a parameter, undefined if it is not given. */
export function single(
  pairs: Pairs,
  { name, spellings }: NamedParameter,
): Parsed<string | undefined> {
  const [first, second] = pairs.filter((pair) => spellings.includes(pair[0]))
  return second === undefined ? { value: first?.[1] } : invalid(`${name} is given more than once`)
}

/** Whether a parameter is given in any of its spellings. */
export function isGiven(pairs: Pairs, { spellings }: NamedParameter): boolean {
  return pairs.some(([spelling]) => spellings.includes(spelling))
}

/** The values in a list. @param list decoded. @param sent as it was sent. */
type PartsOf = (list: string, sent: string) => readonly string[]

/** Values that hold no comma: one separates them, percent-encoded or not. */
function wordsIn(list: string): readonly string[] {
  return list.split(',')
}

const encodedComma = /%2c/i

/** Values that may hold commas: one that is percent-encoded is part of a value. No character extends over a plain one. */
export function textsIn(list: string, sent: string): readonly string[] {
  if (!encodedComma.test(sent)) return list.split(',')
  return sent.split(',').map((part) => decoded(part)!)
}

/** The values of a parameter in any of its spellings: separated by commas, repeated, or both. */
export function severalValues(
  pairs: Pairs,
  { name, spellings, required }: NamedParameter,
  partsOf: PartsOf = wordsIn,
): Parsed<readonly string[]> {
  const values: string[] = []
  for (const [spelling, list, sent] of pairs) {
    // To look at values that are too many already is work for nothing.
    if (values.length > limits.valuesPerRequestMax) break
    if (!spellings.includes(spelling)) continue
    for (const item of partsOf(list, sent)) {
      const value = item.trim()
      if (value !== '') values.push(value)
    }
  }
  if (values.length === 0 && required) return invalid(`${name} is missing or blank`)
  if (values.length > limits.valuesPerRequestMax) {
    return invalid(`${name} holds more than ${limits.valuesPerRequestMax} values`)
  }
  return { value: values }
}

/** Whether a text is an SDU: 1 to 32 digits. */
export function isSdu(text: string): boolean {
  return text.length <= limits.sduDigitsMax && /^\d+$/.test(text)
}
