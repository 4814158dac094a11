/** The engines of the relevance bench: the service, and three search engines for JavaScript as their users set them up for what people type. */
import { randomFillSync } from 'node:crypto'
import { create, insertMultiple, search as oramaSearch } from '@orama/orama'
import { Index } from 'flexsearch'
import MiniSearch from 'minisearch'
import { Api } from '../../src/api/api.ts'
import { prepareAtOnce } from '../../src/api/served.ts'
import { RequestIds } from '../../src/api/write/request-ids.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import type { SourceRecords } from './records.ts'

/** Asks an engine; answers the places in the records of the first ten that it finds. */
export type Find = (text: string) => Promise<readonly number[]> | readonly number[]

/** How many answers are looked at. */
export const limit = 10

/** The service itself, by its API without a wire, key or price. */
export function ours(snapshot: Snapshot, { authorities }: SourceRecords): Find {
  const served = prepareAtOnce(snapshot)
  const places = new Map(authorities.map(({ sdu }, place) => [sdu, place]))
  const api = new Api({
    served: () => served,
    clock: () => 0,
    ids: new RequestIds(randomFillSync),
    onError: (error) => {
      throw error
    },
  })
  return (text) => {
    const query = new URLSearchParams({ query: text, limit: String(limit) }).toString()
    const { status, body } = api.answer({ method: 'GET', path: '/api/v1/index', query })
    const answer: { results: { sdu: string }[] } = JSON.parse(Buffer.from(body).toString())
    if (status !== 200) throw new Error(`${status} for '${text}'`)
    return answer.results.map(({ sdu }) => places.get(sdu)!)
  }
}

/** What the other engines are given of a person: the texts that the service reads, too. */
interface Document {
  readonly id: number
  readonly name: string
  readonly topics: string
  readonly bio: string
  readonly country: string
}

const fields = ['name', 'topics', 'bio', 'country'] as const

function documentsOf({ authorities, topics }: SourceRecords): Document[] {
  const aliases = new Map(topics.map(({ topic, aliases: others }) => [topic, others]))
  return authorities.map((record, id) => ({
    id,
    name: [record.name, ...(record.also_known_as ?? [])].join(' '),
    topics: record.topics.flatMap((topic) => [topic, ...(aliases.get(topic) ?? [])]).join(' '),
    bio: record.bio ?? '',
    country: record.country_name ?? '',
  }))
}

/** The other engines, by name. */
export const peers: Readonly<Record<string, (records: SourceRecords) => Promise<Find>>> = {
  MiniSearch: async (records) => {
    const index = new MiniSearch<Document>({ fields: [...fields] })
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
