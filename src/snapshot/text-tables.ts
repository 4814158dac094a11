/** The tables of texts of a snapshot: each finds the number of a text by its bytes. */
import type { TextTable } from '../memory/text-table.ts'
import type { Sections } from './sections.ts'

/** The texts that a snapshot finds by a table. */
export type TableName = 'sdu' | 'topic-key' | 'handle' | 'phrase' | 'term'

/** A table of a snapshot: views of its sections. */
export function tableOf({ sections }: { readonly sections: Sections }, name: TableName): TextTable {
  return {
    text: sections[`${name}.text`],
    ends: sections[`${name}.ends`],
    slots: sections[`${name}.slots`],
  }
}
