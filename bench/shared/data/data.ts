/** Synthetic sources and their snapshots, made once for each size and kept under bench/data/. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { allTexts } from '../../../src/memory/text-table.ts'
import { settings, settingValuesOf } from '../../../src/settings.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { Identities } from '../../../src/snapshot/people/identities.ts'
import type { Sections } from '../../../src/snapshot/sections.ts'
import { listSnapshots, loadSnapshot, pathOf } from '../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../src/snapshot/store/states.ts'
import { createProgress } from '../../../src/sync/progress.ts'
import { syncOnce } from '../../../src/sync/sync.ts'
import { syncSettings } from '../../../src/sync/sync-settings.ts'
import { generate } from './source.ts'

export interface BenchData {
  readonly authorities: number
  readonly source: string
  readonly snapshots: string
}

const root = 'bench/data'

export async function benchData(authorities: number, directory = root): Promise<BenchData> {
  const source = join(directory, String(authorities), 'source')
  const snapshots = join(directory, String(authorities), 'snapshots')
  if (!existsSync(join(source, 'connections.ndjson'))) generate({ authorities, directory: source })
  if (!isAnnounced(snapshots)) await buildSnapshot(source, snapshots)
  return { authorities, source, snapshots }
}

/** Whether a snapshot of this version's format is announced. */
export function isAnnounced(snapshots: string): boolean {
  return listSnapshots(snapshots).some(({ current, header }) => current && header !== undefined)
}

/** Builds a source into a snapshot and announces it, however many of its records are rejected. */
export async function buildSnapshot(source: string, snapshots: string): Promise<void> {
  await syncOnce({
    ...settingValuesOf(syncSettings, {}, {}),
    ...settings.gate.defaultValue,
    source,
    snapshots,
    keep: 1,
    rejectShareMax: 1,
    force: true,
    clock: Date.now,
    progress: createProgress({ report: () => {}, interactive: false }),
  })
}

export function loadAnnounced(snapshots: string): Snapshot {
  return loadSnapshot(pathOf(snapshots, readPointer(snapshots, 'CURRENT')!))
}

export function textsOf(sections: Sections, table: 'handle' | 'topic-key'): string[] {
  const texts = { text: sections[`${table}.text`], starts: sections[`${table}.starts`] }
  return allTexts(texts)
}

export function sdusOf(snapshot: Snapshot): string[] {
  const identities = new Identities(snapshot)
  return Array.from({ length: snapshot.header.counts.authorities }, (_, ordinal) =>
    identities.sduOf(ordinal),
  )
}

/** The keys of the labels of all topics, and those of their aliases. */
export function topicTexts({ sections, header }: Snapshot): {
  readonly labels: readonly string[]
  readonly aliases: readonly string[]
} {
  const texts = textsOf(sections, 'topic-key')
  const { topics } = header.counts
  return { labels: texts.slice(0, topics), aliases: texts.slice(topics) }
}
