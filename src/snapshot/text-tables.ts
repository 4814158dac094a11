/** The tables of texts of a snapshot: each finds the number of a text by its bytes. */
import type { TextTable } from '../memory/text-table.ts'
import type { Sections } from './sections.ts'

/** The texts that a snapshot finds by a table. */
export type TableName = 'topic-key' | 'handle' | 'phrase' | 'term'

type TableSection<N extends TableName> = `${N}.${'text' | 'ends' | 'slots'}`

/** A table of a snapshot: views of its sections. */
export function tableOf<N extends TableName>(
  { sections }: { readonly sections: Pick<Sections, TableSection<N>> },
  name: N,
): TextTable {
  return {
    text: sections[`${name}.text`],
    ends: sections[`${name}.ends`],
    slots: sections[`${name}.slots`],
  }
}
