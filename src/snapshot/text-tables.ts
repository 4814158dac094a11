/** The texts of a snapshot by their numbers, and the tables that find the number of a text by its bytes. */
import type { HashBuckets } from '../memory/hash-buckets.ts'
import type { Texts, TextTable } from '../memory/text-table.ts'
import type { BucketName, Sections, TableName } from './sections.ts'

type TableSection<N extends TableName> = `${N}.${'text' | 'starts' | 'slots'}`

export function textsOf<N extends TableName | 'platform' | 'country' | 'attribute' | 'kind'>(
  { sections }: { readonly sections: Pick<Sections, `${N}.${'text' | 'starts'}`> },
  name: N,
): Texts {
  return { text: sections[`${name}.text`], starts: sections[`${name}.starts`] }
}

export function labelsOf({
  sections,
}: {
  readonly sections: Pick<Sections, 'topic.labels' | 'topic.label-starts'>
}): Texts {
  return { text: sections['topic.labels'], starts: sections['topic.label-starts'] }
}

export function tableOf<N extends TableName>(
  { sections }: { readonly sections: Pick<Sections, TableSection<N>> },
  name: N,
): TextTable {
  return {
    text: sections[`${name}.text`],
    starts: sections[`${name}.starts`],
    slots: sections[`${name}.slots`],
  }
}

export function bucketsOf<N extends BucketName>(
  sections: Pick<Sections, `${N}.${'starts' | 'hashes' | 'values'}`>,
  name: N,
): HashBuckets {
  return {
    starts: sections[`${name}.starts`],
    hashes: sections[`${name}.hashes`],
    values: sections[`${name}.values`],
  }
}
