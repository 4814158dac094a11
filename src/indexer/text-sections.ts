/** Names of sections: `x.text`, `x.starts` and, if texts can be found among them, `x.slots`. */
import type { HashBuckets } from '../memory/hash-buckets.ts'
import type { Texts, TextTable } from '../memory/text-table.ts'

export function prefixed<P extends string, T extends object>(prefix: P, parts: T) {
  const entries = Object.entries(parts).map(([name, part]) => [`${prefix}.${name}`, part])
  return Object.fromEntries(entries) as { [N in keyof T & string as `${P}.${N}`]: T[N] }
}

export function named<P extends string>(prefix: P, { text, starts }: Texts) {
  return prefixed(prefix, { text, starts })
}

export function tabled<P extends string>(prefix: P, { text, starts, slots }: TextTable) {
  return prefixed(prefix, { text, starts, slots })
}

export function bucketed<P extends string>(prefix: P, { starts, hashes, values }: HashBuckets) {
  return prefixed(prefix, { starts, hashes, values })
}
