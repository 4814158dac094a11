/**
 * All that reading made of people, as named columns: those of a collector behind its last authority, and the same out
 * of a file. A column is as it lies in memory.
 */
import type { Interner } from '../../memory/interner.ts'
import type { Texts } from '../../memory/text-table.ts'
import type { Collector } from '../collector.ts'
import type { ListView } from '../posting-sections.ts'
import type { HeldWords } from '../words/kept-words.ts'

/** The elements of one kind of fact. */
export type Column = Uint8Array | Uint32Array | Float64Array

/** KeptColumns by name. */
export type KeptColumns = ReadonlyMap<string, Column>

type Named = Generator<readonly [string, Column], void, undefined>

/** The column of the digests of records: four numbers a person, zeros for one who is not to be taken again. */
export const digestColumn = 'digests'

/** The column of the looks of names. */
export const looksColumn = 'looks'

/** The columns of all authorities of a collector, one after the other, so that few copies are alive at a time. */
export function* peopleColumns(collector: Collector): Named {
  const { claims, topicLists, attributes, items, vetted } = collector
  for (const [name, texts] of Object.entries(internersOf(collector)))
    yield* textColumns(name, texts.textsFrom(0))
  yield* listColumns('topics', topicLists.view())
  yield* listColumns('claims', claims.lists.view())
  yield* listColumns('attributes', attributes.lists.view())
  yield ['topic-labels', Buffer.from(JSON.stringify(collector.topicLabels))]
  yield ['topic-weights', collector.topicWeights.view()]
  yield ['claim-platforms', claims.claimPlatforms.view()]
  yield ['claim-handles', claims.claimHandles.view()]
  yield ['claim-fields', claims.claimFields.view()]
  yield ['country-of', collector.authorityCountries.view()]
  yield ['followers', collector.followers.view()]
  yield ['scores', collector.scores.view()]
  yield ['provenance-of', collector.authorityProvenances.view()]
  yield ['source-of', collector.authoritySources.view()]
  if (vetted !== undefined) yield ['vetted', vetted.view()]
  yield ['item-starts', items.places().starts]
  yield ['item-ends', items.places().ends]
  let chunk = 0
  for (const bytes of items.chunks()) yield [itemChunkName(chunk++), bytes]
}

/** The interners of a collector by the names of their columns. */
export function internersOf({ claims, ...collector }: Collector) {
  return {
    sdu: collector.sdus,
    country: collector.countries,
    provenance: collector.provenances,
    'topic-key': collector.topicKeys,
    platform: claims.platforms,
    handle: claims.handles,
    'claim-end': claims.ends,
    'claim-field': claims.fields,
    source: collector.sources,
    'attribute-key': collector.attributes.keys,
  } satisfies Record<string, Interner>
}

/** The columns of the words of all authorities. */
export function* wordColumns({ terms, names, bios }: HeldWords): Named {
  yield* textColumns('term', terms)
  yield* listColumns('names', names)
  yield* listColumns('bios', bios)
}

/** The words in columns. */
export function wordsIn(columns: KeptColumns): HeldWords {
  return {
    terms: textsIn(columns, 'term'),
    names: listsIn(columns, 'names'),
    bios: listsIn(columns, 'bios'),
  }
}

/** Name of a chunk of the texts of items. */
export function itemChunkName(chunk: number): string {
  return `items-${chunk}`
}

function* textColumns(name: string, { text, ends }: Texts): Named {
  yield [`${name}.text`, text]
  yield [`${name}.ends`, ends]
}

/** The texts under a name. */
export function textsIn(columns: KeptColumns, name: string): Texts {
  return { text: bytesIn(columns, `${name}.text`), ends: numbersIn(columns, `${name}.ends`) }
}

function* listColumns(name: string, { starts, values }: ListView): Named {
  yield [`${name}.starts`, starts]
  yield [`${name}.values`, values]
}

/** The lists under a name. */
export function listsIn(columns: KeptColumns, name: string): ListView {
  return {
    starts: numbersIn(columns, `${name}.starts`),
    values: numbersIn(columns, `${name}.values`),
  }
}

/** A column of 32-bit numbers. */
export function numbersIn(columns: KeptColumns, name: string): Uint32Array {
  return columns.get(name) as Uint32Array
}

/** A column of doubles. */
export function doublesIn(columns: KeptColumns, name: string): Float64Array {
  return columns.get(name) as Float64Array
}

/** A column of bytes. */
export function bytesIn(columns: KeptColumns, name: string): Uint8Array {
  return columns.get(name) as Uint8Array
}
