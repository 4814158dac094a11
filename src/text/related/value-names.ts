/**
 * Other names of values of attributes, from general knowledge, never from records or judged
 * queries: codes of regions (ISO 3166-2), parties, offices. For building an index only.
 */
import { regions, valueNames } from '../tables/tables.made.ts'

const codes = new Map<string, string[]>()
for (const region of regions().split('\n')) {
  const [code = '', ...name] = region.split(' ')
  const key = name.join(' ').toLowerCase()
  codes.set(key, [...(codes.get(key) ?? []), code])
}

const others = new Map<string, readonly string[]>()
for (const line of valueNames().split('\n')) {
  const row = line.split(', ')
  for (const name of row) others.set(name.toLowerCase(), row)
}

/** The codes of a state or a province; none of any other value. */
export function codesOfValue(value: string): readonly string[] {
  return codes.get(value.toLowerCase()) ?? []
}

export function namesOfValue(value: string): readonly string[] {
  return others.get(value.toLowerCase()) ?? []
}
