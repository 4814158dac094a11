/**
 * A source folder, read: lines of records in batches, and the digest of what was read. Every line
 * that is not blank comes out exactly once, as a record or as a reject, in the order of the file.
 */
import { createHash } from 'node:crypto'
import type { z } from 'zod'
import { limits } from '../limits.ts'
import { ConnectionThread } from './connection-worker.ts'
import { type ConnectionBatch, readConnections } from './connections.ts'
import {
  combineDigests,
  findFiles,
  type OnProgress,
  readChunks,
  type SourceFile,
  type SourceFileName,
} from './files.ts'
import { type LineFault, LineSplitter, type LineTaker } from './lines.ts'
import type { Reject } from './rejects.ts'
import {
  type AuthorityRecord,
  authoritySchema,
  type ConnectionRecord,
  connectionSchema,
  type TopicRecord,
  topicSchema,
} from './schema.ts'
import { readAuthority } from './shortcuts.ts'

/**
 * A line that holds a record; with `raw`, whoever rejects the record later can report it. Texts
 * may share the memory of their whole chunk: keep a line as a copy.
 */
export interface RecordLine<T> {
  readonly file: SourceFileName
  /** Counted from 1, blank lines included. */
  readonly line: number
  readonly raw: string
  readonly value: T
}

/** A line that holds none. */
export interface RejectedLine extends Reject {
  readonly value: undefined
}

/** A line of a source file; `value === undefined` tells a reject. */
export type Line<T> = RecordLine<T> | RejectedLine

/** The lines of one chunk of a file, in order; batches keep the cost of awaiting off the line. */
export type Batches<T> = AsyncIterable<readonly Line<T>[]>

/** A source folder; each of its three streams can be read once, in any order. */
export interface Source {
  readonly authorities: Batches<AuthorityRecord>
  /** Empty when there is no such file, like `topics`. */
  readonly connections: AsyncIterable<ConnectionBatch>
  readonly topics: Batches<TopicRecord>
  /** Reads the connections once more, and shows the lines with these numbers, which ascend. */
  readonly connectionLines: (numbers: Uint32Array) => Batches<ConnectionRecord>
  /**
   * The digest of the folder, as `combineDigests` defines it, in hexadecimal.
   * @throws Error while a file has not been read to its end.
   */
  readonly digest: () => string
  /** To be called when nothing more is wanted of it. */
  readonly close: () => void
}

/** How a source is read. */
export interface SourceOptions {
  readonly onProgress?: OnProgress
  /** Whether connections are read on a thread of their own, from now on. */
  readonly connectionThread?: boolean
}

/** How a kind of record is read: by a shortcut if there is one that can, else as its schema says. */
interface RecordKind<T> {
  readonly schema: z.ZodType<T>
  readonly shortcut?: (raw: string) => T | undefined
}

const authorityKind: RecordKind<AuthorityRecord> = {
  schema: authoritySchema,
  shortcut: readAuthority,
}
const connectionKind: RecordKind<ConnectionRecord> = { schema: connectionSchema }
const topicKind: RecordKind<TopicRecord> = { schema: topicSchema }

/** The connection on a line, if it holds one. */
export function readConnection(raw: string): ConnectionRecord | undefined {
  return readBySchema(raw, connectionSchema).value
}

/**
 * Opens a source folder. Nothing is read before its streams are; then one chunk at a time.
 * @throws Refusal `source-unreadable`, now or while reading, naming the file.
 */
export async function readSource(
  directory: string,
  { onProgress, connectionThread = false }: SourceOptions = {},
): Promise<Source> {
  const files = await findFiles(directory)
  const digests = new Map<SourceFileName, string>()
  const fileNamed = (name: SourceFileName) => files.find((each) => each.name === name)
  const keepDigest = (name: SourceFileName) => (digest: string) => {
    digests.set(name, digest)
  }
  const stream = <T>(name: SourceFileName, kind: RecordKind<T>): Batches<T> =>
    readFile(fileNamed(name), kind, { onProgress, onEnd: keepDigest(name) })
  const connections = fileNamed('connections.ndjson')
  const thread =
    connectionThread && connections !== undefined ? new ConnectionThread(connections) : undefined
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
    authorities: stream('authorities.ndjson', authorityKind),
    connections: batches(),
    topics: stream('topics.ndjson', topicKind),
    connectionLines: (numbers) => readFile(connections, connectionKind, { only: numbers }),
    digest: () => {
      if (digests.size < files.length) throw new Error('the source has not been read to its end')
      return combineDigests(digests)
    },
    close: () => thread?.close(),
  }
}

interface ReadOptions {
  readonly onProgress?: OnProgress | undefined
  /** Told the digest of the file; where nobody wants it, none is made. */
  readonly onEnd?: (digest: string) => void
  /** Only the lines with these numbers, which ascend. */
  readonly only?: Uint32Array
}

async function* readFile<T>(
  file: SourceFile | undefined,
  kind: RecordKind<T>,
  { onProgress, onEnd, only }: ReadOptions,
): AsyncGenerator<readonly Line<T>[], void, undefined> {
  if (file === undefined) return
  const hash = onEnd && createHash('sha256')
  let batch: Line<T>[] = []
  const splitter = new LineSplitter(
    limits.lineBytesMax,
    (number, text, fault) => batch.push(readLine(file.name, number, text, fault, kind)),
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

function readLine<T>(
  file: SourceFileName,
  line: number,
  raw: string,
  fault: LineFault | undefined,
  kind: RecordKind<T>,
): Line<T> {
  const value = fault === undefined ? kind.shortcut?.(raw) : undefined
  if (value !== undefined) return { file, line, raw, value }
  const read = fault === undefined ? readBySchema(raw, kind.schema) : lineFault(fault)
  return { file, line, raw, ...read }
}

/** A record, or the first fault that the schema finds. */
function readBySchema<T>(raw: string, schema: z.ZodType<T>) {
  let json: unknown
  try {
    json = JSON.parse(raw)
  } catch {
    return lineFault('is not JSON')
  }
  const { data, error } = schema.safeParse(json)
  if (data !== undefined) return { value: data }
  const { path, message } = error!.issues[0]!
  return { value: undefined, field: path.join('.') || 'record', reason: message }
}

function lineFault(reason: string) {
  return { value: undefined, field: 'line', reason }
}
