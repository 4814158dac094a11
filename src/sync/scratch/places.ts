/** Places of an engine: directories that only one sync uses at once, and that the next one may remove. */
import { createHash } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Values } from '../../settings.ts'
import type { SourceEngine } from '../../source/uri.ts'
import type { engineSettings } from '../sync-settings.ts'

/** The settings that say where and how much. */
export type PlaceOptions = Values<(typeof engineSettings)[number] | 'snapshots'>

/**
 * The scratch directories of a snapshot directory. Elsewhere than inside it, their names are made of the path, so that
 * syncs of several directories may share a place.
 */
export function scratchDirectories({ engineTemp, snapshots }: PlaceOptions) {
  const digest = createHash('sha256').update(resolve(snapshots)).digest('hex').slice(0, 16)
  const [place, name] =
    engineTemp === '' ? [snapshots, 'engine'] : [engineTemp, `authority-index-${digest}`]
  return { sorting: join(place, `${name}.tmp`), reading: join(place, `${name}-source.tmp`) }
}

/** The engine that reads the source of a sync. */
export function sourceEngineOf(options: PlaceOptions): SourceEngine {
  const { reading: directory } = scratchDirectories(options)
  const { engine, engineMemory: memoryBytes } = options
  return { directory, memoryBytes, scansFiles: engine === 'duckdb' }
}
