/** A query string as decoded pairs, and the outcome of parsing a request. */
import { limits } from '../../limits.ts'
import type { Problem } from '../../problems.ts'

/** In order: decoded names and values, and each value as it was sent. */
export type Pairs = readonly (readonly [name: string, value: string, sent: string])[]

export type Parsed<T> =
  | { readonly value: T; readonly problem?: undefined }
  | { readonly problem: Problem; readonly value?: undefined }

export function invalid(detail: string): { readonly problem: Problem } {
  return { problem: { code: 'invalid-parameter', detail } }
}

/** `+` is a space, `%` must begin the UTF-8 of a character. A name without `=` has an empty value. */
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

export function decoded(text: string): string | undefined {
  if (!encoded.test(text)) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Its only failure: a `%` that begins no character.
    return undefined
  }
}
