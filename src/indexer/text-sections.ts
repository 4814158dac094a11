/** Names of a table of texts in the snapshot: `x.text`, `x.starts` and, if texts can be found in it, `x.slots`. */
import type { HashBuckets } from '../memory/hash-buckets.ts'
import type { Texts, TextTable } from '../memory/text-table.ts'

export function named<P extends string>(prefix: P, { text, starts }: Texts) {
  return { [`${prefix}.text`]: text, [`${prefix}.starts`]: starts } as Record<
    `${P}.text`,
    Uint8Array
  > &
    Record<`${P}.starts`, Uint32Array>
}

export function tabled<P extends string>(prefix: P, { slots, ...texts }: TextTable) {
  return { ...named(prefix, texts), [`${prefix}.slots`]: slots } as ReturnType<typeof named<P>> &
    Record<`${P}.slots`, Uint32Array>
}

export function bucketed<P extends string>(prefix: P, { starts, hashes, values }: HashBuckets) {
  const parts = { starts, hashes, values }
  return Object.fromEntries(
    Object.entries(parts).map(([name, numbers]) => [`${prefix}.${name}`, numbers]),
  ) as Record<`${P}.${'starts' | 'hashes' | 'values'}`, Uint32Array>
}
