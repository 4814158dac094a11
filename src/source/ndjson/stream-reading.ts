/**
 * Streams of records, read: every record comes out once, taken or rejected, in its order. The
 * fingerprint is the digest of all as lines, wherever they lie.
 */
import { createHash } from 'node:crypto'
import type { Reader } from '../../reading/readers.ts'
import { readCorrection } from '../corrections.ts'
import type { PlainRecord, RecordStream, StreamOptions } from '../plain-records.ts'
import { readAuthority, readConnection, readTopic } from '../record-readers.ts'
import type { OnProgress, SourceEntry } from '../source.ts'
import { type SourceFileName, sourceFiles } from '../source-files.ts'
import { type ConnectionBatches, readConnections } from './connections.ts'
import { combineDigests } from './files.ts'
import { entryOf } from './records.ts'

export type RecordStreams = Readonly<Partial<Record<SourceFileName, RecordStream>>>

/** Nothing is read before its stream is; then one piece at a time. */
export function readStreams(
  streams: RecordStreams,
  onProgress: OnProgress | undefined,
  elsewhere?: ConnectionBatches,
) {
  const digests = new Map<SourceFileName, string>()
  async function* entries<T>(name: SourceFileName, reader: Reader<T>) {
    const stream = streams[name]
    if (stream === undefined) return
    const hash = createHash('sha256')
    yield* readEntries(stream, reader, { onProgress, hash })
    digests.set(name, hash.digest('hex'))
  }
  const connections = streams['connections.ndjson']
  async function* batches() {
    if (connections === undefined) return
    digests.set('connections.ndjson', yield* elsewhere ?? readConnections(connections))
  }
  return {
    corrections: entries('corrections.ndjson', readCorrection),
    authorities: entries('authorities.ndjson', readAuthority),
    topics: entries('topics.ndjson', readTopic),
    connections: batches(),
    connectionsAt: (numbers: Uint32Array) =>
      readEntries(connections!, readConnection, { isWanted: among(numbers) }),
    fingerprint: (): string => {
      const count = Object.keys(streams).length
      if (digests.size < count) throw new Error('the source has not been read to its end')
      return combineDigests(digests)
    },
  }
}

export async function digestStreams(
  streams: RecordStreams,
  onProgress?: OnProgress,
): Promise<string> {
  const digests = new Map<SourceFileName, string>()
  for (const name of sourceFiles) {
    const stream = streams[name]
    if (stream === undefined) continue
    const hash = createHash('sha256')
    for await (const _ of stream.read({ hash, onProgress }));
    digests.set(name, hash.digest('hex'))
  }
  return combineDigests(digests)
}

async function* readEntries<T>(
  stream: RecordStream,
  reader: Reader<T>,
  options: StreamOptions,
): AsyncGenerator<readonly SourceEntry<T>[], void, undefined> {
  let batch: SourceEntry<T>[] = []
  const visit = (record: PlainRecord) =>
    batch.push(entryOf(stream.positionOf(record), record, reader))
  for await (const _ of stream.read({ visit, ...options })) {
    if (batch.length > 0) yield batch
    batch = []
  }
}

/** Wants the records with these numbers, which ascend; asked for each number in turn. */
function among(numbers: Uint32Array): (number: number) => boolean {
  let next = 0
  return (number) => {
    if (number !== numbers[next]) return false
    next += 1
    return true
  }
}
