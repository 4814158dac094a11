/** The service, and MiniSearch as its users set it up for texts that people type. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import MiniSearch from 'minisearch'
import { activate, type PrepareOptions } from '../../src/api/active-snapshot.ts'
import { ladder } from '../../src/engine/interpret/ways/ladder.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { buildSnapshot, loadAnnounced } from '../shared/data/data.ts'
import {
  type Document,
  documentFields,
  documentsOf,
  type SourceRecords,
  writeRecords,
} from '../shared/data/records.ts'
import { getter } from '../shared/in-process.ts'

/** Asks an engine; answers the places in the records of the first ten that it finds. */
export type Find = (text: string) => readonly number[]

export const service = 'authority-index'

export const limit = 10

/** A snapshot of some records, in memory; its files are removed. */
export async function snapshotOf(records: SourceRecords): Promise<Snapshot> {
  const directory = mkdtempSync(join(tmpdir(), 'relevance-'))
  try {
    const [source, snapshots] = [join(directory, 'source'), join(directory, 'snapshots')]
    writeRecords(source, records)
    await buildSnapshot(source, snapshots)
    return loadAnnounced(snapshots)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

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

export function withoutEachWay(
  snapshot: Snapshot,
  records: SourceRecords,
): ReadonlyMap<string, Find> {
  return new Map(
    ladder.map(({ name }) => {
      const ways = ladder.filter((way) => way.name !== name)
      return [`without ${name}`, ours(snapshot, records, { ways })]
    }),
  )
}

/** MiniSearch, with one slip in five letters and beginnings of words. */
export function miniSearch(records: SourceRecords): Find {
  const index = new MiniSearch<Document>({ fields: [...documentFields] })
  index.addAll(documentsOf(records))
  return (text) => {
    const found = index.search(text, { fuzzy: 0.2, prefix: true })
    return found.slice(0, limit).map(({ id }) => id as number)
  }
}
