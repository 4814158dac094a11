/**
 * A source that is a folder. A reading is steady when its files are the same behind it as before,
 * or at least say the same.
 */
import { isBucketAddress } from '../../storage-addresses.ts'
import type { ReadOptions, Source, SourceReading, TableReading } from '../source.ts'
import { ConnectionThread } from './connection-thread.ts'
import { findFiles, recordsOf, type SourceFile, stampFolder, tableReadingOf } from './files.ts'
import { digestStreams, type RecordStreams, readStreams } from './stream-reading.ts'

/** Looks at files cost a few system calls, those at objects money. */
const lookAtFilesMs = 500
const lookAtObjectsMs = 10_000

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
    read: (options) => readFolder({ directory, mapPath, find }, options),
    stamp: () => stampFolder(directory, mapPath),
    tables: () => tablesIn(directory, mapPath),
  }
}

function streamsOf(files: readonly SourceFile[]): RecordStreams {
  return Object.fromEntries(files.map((file) => [file.name, recordsOf(file)]))
}

async function tablesIn(directory: string, mapPath: string): Promise<readonly TableReading[]> {
  const tables: TableReading[] = []
  for (const file of await findFiles(directory, mapPath)) {
    const table = await tableReadingOf(file)
    if (table !== undefined) tables.push(table)
  }
  return tables
}

interface Folder {
  readonly directory: string
  readonly mapPath: string
  readonly find: () => Promise<readonly SourceFile[]>
}

async function readFolder(
  { directory, mapPath, find }: Folder,
  { onProgress, onThreads = false }: ReadOptions = {},
): Promise<SourceReading> {
  const before = await stampFolder(directory, mapPath)
  const files = await find()
  const file = files.find(({ name }) => name === 'connections.ndjson')
  const thread = onThreads && file ? new ConnectionThread(file) : undefined
  const streams = streamsOf(files)
  const connections = thread && ((onEnd: (digest: string) => void) => thread.batches(onEnd))
  const records = readStreams(streams, { onProgress, connections })
  return {
    ...records,
    isSteady: async () => {
      if ((await stampFolder(directory, mapPath)).version === before.version) return true
      // Files that were only touched meanwhile are the same all the same.
      return (await digestStreams(streamsOf(await find()))) === records.fingerprint()
    },
    mark: () => undefined,
    close: () => thread?.close(),
  }
}
