/**
 * A source folder, read: lines of records in batches, and the digest of what was read. Every line
 * that is not blank comes out exactly once, as a record or as a reject, in the order of the file.
 */
import { createHash, type Hash } from 'node:crypto'
import type { z } from 'zod'
import { limits } from '../settings.ts'
import {
  combineDigests,
  findFiles,
  type OnProgress,
  readChunks,
  type SourceFile,
  type SourceFileName,
} from './files.ts'
import { type LineFault, LineSplitter, type LineTaker } from './lines.ts'
import { readPlainConnection } from './plain-connection.ts'
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
 * may share the memory of their whole chunk: keep a line, or an end of a connection, as a copy.
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
  readonly connections: Batches<ConnectionRecord>
  readonly topics: Batches<TopicRecord>
  /**
   * The digest of the folder, as `combineDigests` defines it, in hexadecimal.
   * @throws Error while a file has not been read to its end.
   */
  readonly digest: () => string
}

/** How a kind of record is read: by a shortcut if there is one that can, else as its schema says. */
interface RecordKind<T> {
  readonly schema: z.ZodType<T>
  readonly shortcut?: (raw: string) => T | undefined
  /** Reads `bytes[start, end)`, which is not made a text if this can. */
  readonly byteShortcut?: (bytes: Uint8Array, start: number, end: number) => T | undefined
}

/**
 * Opens a source folder. Nothing is read before its streams are; then one chunk at a time.
 * @throws Refusal `source-unreadable`, now or while reading, naming the file.
 */
export async function readSource(
  directory: string,
  options: { readonly onProgress?: OnProgress } = {},
): Promise<Source> {
  const files = await findFiles(directory)
  const digests = new Map<SourceFileName, string>()
  const stream = <T>(name: SourceFileName, kind: RecordKind<T>): Batches<T> => {
    const file = files.find((each) => each.name === name)
    return readFile(file, kind, options.onProgress, (hash) => digests.set(name, hash.digest('hex')))
  }
  return {
    authorities: stream('authorities.ndjson', { schema: authoritySchema, shortcut: readAuthority }),
    connections: stream('connections.ndjson', {
      schema: connectionSchema,
      byteShortcut: readPlainConnection,
    }),
    topics: stream('topics.ndjson', { schema: topicSchema }),
    digest: () => {
      if (digests.size < files.length) throw new Error('the source has not been read to its end')
      return combineDigests(digests)
    },
  }
}

async function* readFile<T>(
  file: SourceFile | undefined,
  kind: RecordKind<T>,
  onProgress: OnProgress | undefined,
  onEnd: (hash: Hash) => void,
): AsyncGenerator<readonly Line<T>[], void, undefined> {
  if (file === undefined) return
  const hash = createHash('sha256')
  let batch: Line<T>[] = []
  const { byteShortcut } = kind
  const take: LineTaker = (number, bytes, start, end) => {
    const value = byteShortcut?.(bytes, start, end)
    if (value !== undefined) batch.push(new ByteLine(file.name, number, bytes, start, end, value))
    return value !== undefined
  }
  const splitter = new LineSplitter(
    limits.lineBytesMax,
    (number, text, fault) => batch.push(readLine(file.name, number, text, fault, kind)),
    byteShortcut && take,
  )
  for await (const chunk of readChunks(file, onProgress)) {
    hash.update(chunk)
    splitter.push(chunk)
    if (batch.length > 0) yield batch
    batch = []
  }
  splitter.end()
  if (batch.length > 0) yield batch
  onEnd(hash)
}

/** A line that holds a record and is a text only if somebody asks for it. */
class ByteLine<T> implements RecordLine<T> {
  readonly file: SourceFileName
  readonly line: number
  readonly value: T
  readonly #bytes: Buffer
  readonly #start: number
  readonly #end: number

  constructor(
    file: SourceFileName,
    line: number,
    bytes: Buffer,
    start: number,
    end: number,
    value: T,
  ) {
    this.file = file
    this.line = line
    this.value = value
    this.#bytes = bytes
    this.#start = start
    this.#end = end
  }

  get raw(): string {
    return this.#bytes.toString('latin1', this.#start, this.#end).trimEnd()
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
