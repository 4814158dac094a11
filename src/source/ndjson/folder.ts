/**
 * A source that is a folder. A reading is steady when its files are the same behind it as before,
 * or at least say the same.
 */
import { isBucketAddress } from '../../storage-addresses.ts'
import type { ReadOptions, Source, SourceReading, TableReading } from '../source.ts'
import { startConnections } from './connection-thread.ts'
import { recordsOf, tableReadingsOf } from './file-records.ts'
import { findFiles, type SourceFile, stampOf } from './files.ts'
import { digestStreams, type RecordStreams, readStreams } from './stream-reading.ts'

/** Looks at files cost a few system calls, those at objects money. */
const lookAtFilesMs = 500
const lookAtObjectsMs = 10_000

/** @returns the files that are there now. */
type Find = () => Promise<readonly SourceFile[]>

/**
 * @param directory may be one of a bucket, or one file of authorities.
 * @param mapPath of the map of its tables; empty where there is none.
 */
export function openFolder(directory: string, mapPath = ''): Source {
  const find = () => findFiles(directory, mapPath)
  return {
    name: directory,
    lookIntervalMs: isBucketAddress(directory) ? lookAtObjectsMs : lookAtFilesMs,
    fingerprint: async (onProgress) => digestStreams(streamsOf(await find()), onProgress),
    read: (options) => readFolder(find, options),
    stamp: async () => stampOf(await find()),
    tables: async () => {
      const tables: TableReading[] = []
      for (const file of await find()) tables.push(...(await tableReadingsOf(file)))
      return tables
    },
  }
}

function streamsOf(files: readonly SourceFile[]): RecordStreams {
  return Object.fromEntries(files.map((file) => [file.name, recordsOf(file)]))
}

async function readFolder(
  find: Find,
  { onProgress, onThreads = false }: ReadOptions = {},
): Promise<SourceReading> {
  const files = await find()
  const file = files.find(({ name }) => name === 'connections.ndjson')
  const thread = onThreads && file ? startConnections(file) : undefined
  const records = readStreams(streamsOf(files), onProgress, thread?.batches)
  return {
    ...records,
    isSteady: async () => {
      const now = await find()
      if (stampOf(now).version === stampOf(files).version) return true
      // Files that were only touched meanwhile are the same all the same.
      return (await digestStreams(streamsOf(now))) === records.fingerprint()
    },
    mark: () => undefined,
    close: () => thread?.close(),
  }
}
