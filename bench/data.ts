/**
 * The data the benches work on: synthetic sources and their snapshots, made once for each size and
 * kept under bench/data/, which is not in the repository.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { valuesOf } from '../src/settings.ts'
import { listSnapshots, loadSnapshot, pathOf, readPointer } from '../src/snapshot/directory.ts'
import type { Snapshot } from '../src/snapshot/file.ts'
import { createProgress } from '../src/sync/progress.ts'
import { syncOnce, syncSettings } from '../src/sync/sync.ts'
import { generate } from './generate.ts'

/** A synthetic source with the snapshot built from it. */
export interface BenchData {
  readonly authorities: number
  readonly source: string
  readonly snapshots: string
}

/** How much a bench does: enough to see that it works, or enough for a figure. */
export type BenchSize = 'tiny' | 'full'

const root = 'bench/data'

/** The data of so many authorities, made if it is not there. */
export async function benchData(authorities: number, directory = root): Promise<BenchData> {
  const source = join(directory, String(authorities), 'source')
  const snapshots = join(directory, String(authorities), 'snapshots')
  if (!existsSync(join(source, 'connections.ndjson'))) generate({ authorities, directory: source })
  if (!isAnnounced(snapshots)) await buildSnapshot(source, snapshots)
  return { authorities, source, snapshots }
}

/** Whether a snapshot of this version's format is announced. */
function isAnnounced(snapshots: string): boolean {
  return listSnapshots(snapshots).some(({ current, header }) => current && header !== undefined)
}

/** Builds a source into a snapshot and announces it, however many of its records are rejected. */
export async function buildSnapshot(source: string, snapshots: string): Promise<void> {
  await syncOnce({
    ...valuesOf(syncSettings, {}, {}),
    source,
    snapshots,
    keep: 1,
    rejectShareMax: 1,
    fileRejectShareMax: 1,
    danglingShareMax: 1,
    force: true,
    clock: Date.now,
    progress: createProgress({ report: () => {}, interactive: false }),
  })
}

/** The snapshot of the data, loaded. */
export function loadData({ snapshots }: BenchData): Snapshot {
  return loadSnapshot(pathOf(snapshots, readPointer(snapshots, 'CURRENT')!))
}

/** The documents that a text search engine is given: the same texts that the snapshot indexes. */
export interface BenchDocument {
  readonly id: number
  readonly name: string
  readonly topics: string
  readonly bio: string
}

/** The documents of a source, in its order. */
export function documentsOf({ source }: BenchData): BenchDocument[] {
  const aliases = new Map<string, string[]>()
  for (const { topic, aliases: others } of records<TopicLine>(join(source, 'topics.ndjson'))) {
    aliases.set(topic, others)
  }
  return records<AuthorityLine>(join(source, 'authorities.ndjson')).map((line, id) => {
    const labels = line.topics.map((topic) => (typeof topic === 'string' ? topic : topic.topic))
    const topics = labels.flatMap((label) => [label, ...(aliases.get(label) ?? [])]).join(' ')
    return { id, name: line.name, topics, bio: line.bio ?? '' }
  })
}

interface TopicLine {
  readonly topic: string
  readonly aliases: string[]
}

interface AuthorityLine {
  readonly name: string
  readonly bio?: string
  readonly topics: (string | { topic: string })[]
}

function records<T>(path: string): T[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T)
}
