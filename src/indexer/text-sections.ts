/** Names of a table of texts in the snapshot: `x.text`, `x.ends` and, if texts can be found in it, `x.slots`. */
import type { Texts, TextTable } from '../memory/text-table.ts'

/** The sections of texts without a table. */
export function named<P extends string>(prefix: P, { text, ends }: Texts) {
  return { [`${prefix}.text`]: text, [`${prefix}.ends`]: ends } as Record<`${P}.text`, Uint8Array> &
    Record<`${P}.ends`, Uint32Array>
}

/** The sections of texts that can be found. */
export function tabled<P extends string>(prefix: P, { text, ends, slots }: TextTable) {
  return { ...named(prefix, { text, ends }), [`${prefix}.slots`]: slots } as ReturnType<
    typeof named<P>
  > &
    Record<`${P}.slots`, Uint32Array>
}
