/**
 * A reading of records that lie as lines of JSON, wherever those are: a stream of lines for each kind
 * of record. Every line that is not blank comes out exactly once, as a record or as a reject, in its
 * order. The fingerprint is the digest of all lines: the same lines have the same wherever they lie.
 */
import { createHash } from 'node:crypto'
import { limits } from '../../limits.ts'
import type { Batches, ConnectionBatch, OnProgress, SourceEntry, SourceReading } from '../source.ts'
import { type SourceFileName, sourceFiles } from '../source-files.ts'
import { readConnections } from './connections.ts'
import { combineDigests } from './files.ts'
import { LineSplitter, type LineStream, type LineTaker } from './lines.ts'
import {
  authorityKind,
  connectionKind,
  connectionOf,
  correctionKind,
  entryOf,
  type RecordKind,
  topicKind,
} from './records.ts'

/** The lines of each kind that there is, by the name of their file. */
export type LineStreams = Readonly<Partial<Record<SourceFileName, LineStream>>>

/** Connections that are read elsewhere; calls `onEnd` with the digest of all their lines. */
type ConnectionBatches = (onEnd: (digest: string) => void) => AsyncIterable<ConnectionBatch>

/** Options of a reading. */
interface LineReadingOptions {
  readonly onProgress?: OnProgress | undefined
  /** Reads the connections elsewhere, if they are not to be read in place. */
  readonly connections?: ConnectionBatches | undefined
}

/** Result of a reading of lines, wherever the lines lie. */
type LineReading = Pick<
  SourceReading,
  'corrections' | 'authorities' | 'topics' | 'connections' | 'connectionsAt' | 'fingerprint'
>

/** Reads streams of lines. Nothing is read before its stream is; then one chunk at a time. */
export function readLines(
  streams: LineStreams,
  { onProgress, connections: elsewhere }: LineReadingOptions = {},
): LineReading {
  const digests = new Map<SourceFileName, string>()
  const keepDigest = (name: SourceFileName) => (digest: string) => {
    digests.set(name, digest)
  }
  const entries = <T>(name: SourceFileName, kind: RecordKind<T>): Batches<T> =>
    readEntries(streams[name], kind, { onProgress, onEnd: keepDigest(name) })
  const connections = streams['connections.ndjson']
  async function* batches(): AsyncGenerator<ConnectionBatch, void, undefined> {
    if (connections === undefined) return
    const onEnd = keepDigest('connections.ndjson')
    const read = elsewhere?.(onEnd) ?? readConnections(connections, connectionOf, onEnd)
    for await (const batch of read) {
      yield batch
      onProgress?.(batch.progress)
    }
  }
  return {
    corrections: entries('corrections.ndjson', correctionKind),
    authorities: entries('authorities.ndjson', authorityKind),
    topics: entries('topics.ndjson', topicKind),
    connections: batches(),
    connectionsAt: (numbers) => readEntries(connections, connectionKind, { only: numbers }),
    fingerprint: () => {
      const count = Object.keys(streams).length
      if (digests.size < count) throw new Error('the source has not been read to its end')
      return combineDigests(digests)
    },
  }
}

/** The fingerprint of streams of lines without reading their records. Costs one pass over them. */
export async function digestLines(streams: LineStreams, onProgress?: OnProgress): Promise<string> {
  const digests = new Map<SourceFileName, string>()
  for (const name of sourceFiles) {
    const stream = streams[name]
    if (stream === undefined) continue
    const hash = createHash('sha256')
    for await (const chunk of stream.chunks(onProgress)) hash.update(chunk)
    digests.set(name, hash.digest('hex'))
  }
  return combineDigests(digests)
}

interface EntryOptions {
  readonly onProgress?: OnProgress | undefined
  /** Called with the digest of all lines; without it no digest is made. */
  readonly onEnd?: (digest: string) => void
  /** Only the lines with these numbers, which ascend. */
  readonly only?: Uint32Array
}

async function* readEntries<T>(
  stream: LineStream | undefined,
  kind: RecordKind<T>,
  { onProgress, onEnd, only }: EntryOptions,
): AsyncGenerator<readonly SourceEntry<T>[], void, undefined> {
  if (stream === undefined) return
  const hash = onEnd && createHash('sha256')
  let batch: SourceEntry<T>[] = []
  const splitter = new LineSplitter(
    limits.lineBytesMax,
    (number, line, fault) => {
      const row = stream.faultIn?.(line)
      const position = stream.positionOf(number, line)
      if (row === undefined) batch.push(entryOf(position, line, fault, kind))
      else
        batch.push({
          position,
          raw: row.text,
          value: undefined,
          field: row.field,
          reason: row.reason,
        })
    },
    only && passOver(only),
  )
  for await (const chunk of stream.chunks(onProgress)) {
    hash?.update(chunk)
    splitter.push(chunk)
    if (batch.length > 0) yield batch
    batch = []
  }
  splitter.end()
  if (batch.length > 0) yield batch
  if (hash !== undefined) onEnd?.(hash.digest('hex'))
}

/** Drops the lines with these numbers. */
function passOver(numbers: Uint32Array): LineTaker {
  let next = 0
  return (number) => {
    if (number !== numbers[next]) return true
    next += 1
    return false
  }
}
