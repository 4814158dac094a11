/**
 * The engines of the relevance bench: the service, and three search engines for JavaScript as their
 * users set them up for what people type.
 */
import { create, insertMultiple, search as oramaSearch } from '@orama/orama'
import { Index } from 'flexsearch'
import MiniSearch from 'minisearch'
import { activate, type PrepareOptions } from '../../src/api/active-snapshot.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import {
  type Document,
  documentFields,
  documentsOf,
  type SourceRecords,
} from '../shared/data/records.ts'
import { getter } from '../shared/in-process.ts'

/** Asks an engine; answers the places in the records of the first ten that it finds. */
export type Find = (text: string) => Promise<readonly number[]> | readonly number[]

/** How many answers are looked at. */
export const limit = 10

/** The service itself, by its API without a wire, key or price. */
export function ours(
  snapshot: Snapshot,
  { authorities }: SourceRecords,
  options?: PrepareOptions,
): Find {
  const places = new Map(authorities.map(({ sdu }, place) => [sdu, place]))
  const get = getter(activate(snapshot, options))
  return (text) => {
    const query = new URLSearchParams({ query: text, limit: String(limit) })
    const answer: { results: { sdu: string }[] } = JSON.parse(get(`/api/v1/index?${query}`))
    return answer.results.map(({ sdu }) => places.get(sdu)!)
  }
}

/** The other engines, by name. */
export const peers: Readonly<Record<string, (records: SourceRecords) => Promise<Find>>> = {
  MiniSearch: async (records) => {
    const index = new MiniSearch<Document>({ fields: [...documentFields] })
    index.addAll(documentsOf(records))
    return (text) => {
      const found = index.search(text, { fuzzy: 0.2, prefix: true })
      return found.slice(0, limit).map(({ id }) => id as number)
    }
  },
  Orama: async (records) => {
    const schema = { name: 'string', topics: 'string', bio: 'string', country: 'string' } as const
    const database = create({ schema })
    const documents = documentsOf(records).map(({ id, ...texts }) => ({ id: String(id), ...texts }))
    await insertMultiple(database, documents, 1000)
    return async (text) => {
      const { hits } = await oramaSearch(database, { term: text, tolerance: 1, limit })
      return hits.map(({ id }) => Number(id))
    }
  },
  FlexSearch: async (records) => {
    const index = new Index({ tokenize: 'forward' })
    for (const { id, name, topics, bio, country } of documentsOf(records)) {
      index.add(id, `${name} ${topics} ${bio} ${country}`)
    }
    return (text) => index.search(text, { limit, suggest: true }).map(Number)
  },
}
