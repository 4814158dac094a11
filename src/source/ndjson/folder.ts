/**
 * A source that is a folder of NDJSON files. Every line that is not blank comes out exactly once, as a
 * record or as a reject, in the order of its file. The fingerprint is the digest of the files.
 */
import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import type {
  Batches,
  ConnectionBatch,
  Entry,
  OnProgress,
  Reading,
  ReadOptions,
  Source,
} from '../source.ts'
import { ConnectionThread } from './connection-thread.ts'
import { readConnections } from './connections.ts'
import {
  combineDigests,
  digestFolder,
  findFiles,
  readChunks,
  type SourceFile,
  type SourceFileName,
  stampFolder,
} from './files.ts'
import { LineSplitter, type LineTaker } from './lines.ts'
import {
  authorityKind,
  connectionKind,
  correctionKind,
  entryOf,
  type RecordKind,
  readConnection,
  topicKind,
} from './records.ts'

/** The source in a folder. Each file may be missing but for the authorities, and may be gzipped. */
export function openFolder(directory: string): Source {
  return {
    fingerprint: (onProgress) => digestFolder(directory, onProgress),
    read: (options) => readFolder(directory, options),
    stamp: () => stampFolder(directory),
  }
}

/** Nothing is read before its stream is; then one chunk at a time. */
async function readFolder(
  directory: string,
  { onProgress, onThreads = false }: ReadOptions = {},
): Promise<Reading> {
  const files = await findFiles(directory)
  const digests = new Map<SourceFileName, string>()
  const fileNamed = (name: SourceFileName) => files.find((each) => each.name === name)
  const keepDigest = (name: SourceFileName) => (digest: string) => {
    digests.set(name, digest)
  }
  const stream = <T>(name: SourceFileName, kind: RecordKind<T>): Batches<T> =>
    readFile(fileNamed(name), kind, { onProgress, onEnd: keepDigest(name) })
  const connections = fileNamed('connections.ndjson')
  const thread = onThreads && connections ? new ConnectionThread(connections) : undefined
  async function* batches(): AsyncGenerator<ConnectionBatch, void, undefined> {
    if (connections === undefined) return
    const onEnd = keepDigest(connections.name)
    const read = thread?.batches(onEnd) ?? readConnections(connections, readConnection, onEnd)
    for await (const batch of read) {
      yield batch
      onProgress?.(batch.progress)
    }
  }
  return {
    corrections: stream('corrections.ndjson', correctionKind),
    authorities: stream('authorities.ndjson', authorityKind),
    topics: stream('topics.ndjson', topicKind),
    connections: batches(),
    connectionsAt: (numbers) => readFile(connections, connectionKind, { only: numbers }),
    fingerprint: () => {
      if (digests.size < files.length) throw new Error('the source has not been read to its end')
      return combineDigests(digests)
    },
    close: () => thread?.close(),
  }
}

interface FileOptions {
  readonly onProgress?: OnProgress | undefined
  /** Called with the digest of the file; where nobody wants it, none is made. */
  readonly onEnd?: (digest: string) => void
  /** Only the lines with these numbers, which ascend. */
  readonly only?: Uint32Array
}

async function* readFile<T>(
  file: SourceFile | undefined,
  kind: RecordKind<T>,
  { onProgress, onEnd, only }: FileOptions,
): AsyncGenerator<readonly Entry<T>[], void, undefined> {
  if (file === undefined) return
  const hash = onEnd && createHash('sha256')
  let batch: Entry<T>[] = []
  const splitter = new LineSplitter(
    limits.lineBytesMax,
    (number, text, fault) => batch.push(entryOf(`${file.name}:${number}`, text, fault, kind)),
    only && passOver(only),
  )
  for await (const chunk of readChunks(file, onProgress)) {
    hash?.update(chunk)
    splitter.push(chunk)
    if (batch.length > 0) yield batch
    batch = []
  }
  splitter.end()
  if (batch.length > 0) yield batch
  if (hash !== undefined) onEnd?.(hash.digest('hex'))
}

/** Takes all lines but those with these numbers, and so nobody else sees them. */
function passOver(numbers: Uint32Array): LineTaker {
  let next = 0
  return (number) => {
    if (number !== numbers[next]) return true
    next += 1
    return false
  }
}
