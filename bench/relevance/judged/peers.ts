/**
 * The search engines that the judged texts are asked of beside the service, each over the same fields and
 * as its users set it up for texts that people type.
 */
import { create, insertMultiple, search } from '@orama/orama'
import { Document as FlexDocument } from 'flexsearch'
import { documentFields, documentsOf, type SourceRecords } from '../../shared/data/records.ts'
import { type Find, limit, miniSearch } from '../engines.ts'

/** All peers by their names. */
export async function peers(records: SourceRecords): Promise<ReadonlyMap<string, Find>> {
  return new Map([
    ['MiniSearch', miniSearch(records)],
    ['FlexSearch', flexSearch(records)],
    ['Orama', await orama(records)],
  ])
}

/** FlexSearch finds beginnings of words and, by its suggestions, texts with a word too many. */
function flexSearch(records: SourceRecords): Find {
  const index = new FlexDocument({
    tokenize: 'forward',
    document: { id: 'id', index: [...documentFields] },
  })
  for (const document of documentsOf(records)) index.add({ ...document })
  return (text) => {
    const found = index.search(text, { limit, suggest: true, merge: true })
    return (found as unknown as { id: number }[]).slice(0, limit).map(({ id }) => id)
  }
}

/** Orama finds beginnings of words and one slip in each; a text needs one of its words. */
async function orama(records: SourceRecords): Promise<Find> {
  const schema = { name: 'string', topics: 'string', bio: 'string', country: 'string' } as const
  const index = create({ schema })
  await insertMultiple(
    index,
    documentsOf(records).map(({ id, ...document }) => ({ ...document, id: `${id}` })),
  )
  return (text) => {
    const found = search(index, { term: text, tolerance: 1, limit })
    if (found instanceof Promise) throw new Error('a search without plugins answers at once')
    return found.hits.map(({ id }) => Number(id))
  }
}
