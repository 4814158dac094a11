/**
 * A line of a file → the record that it holds, or why it holds none. Every line becomes one entry.
 */
import { type FieldPath, type Reader, readWith } from '../../reading/readers.ts'
import { type CorrectionRecord, readCorrection } from '../corrections.ts'
import { jsonOfLine } from '../loose-json.ts'
import { readAuthority, readConnection, readTopic } from '../record-readers.ts'
import type { AuthorityRecord, ConnectionRecord, TopicRecord } from '../schema.ts'
import { type FieldComplaint, type SourceEntry, unreadableRecord } from '../source.ts'
import { leaveOut, sparePart } from '../spare-fields.ts'
import type { LineFault } from './lines.ts'

/** Functions for reading a kind of record. */
export interface RecordKind<T> {
  readonly reader: Reader<T>
  /** Returns the part to leave out so that a fault at a path goes; undefined if the record needs that part. */
  readonly sparePart?: (path: FieldPath) => FieldPath | undefined
}

export const authorityKind: RecordKind<AuthorityRecord> = { reader: readAuthority, sparePart }
export const connectionKind: RecordKind<ConnectionRecord> = { reader: readConnection }
export const correctionKind: RecordKind<CorrectionRecord> = { reader: readCorrection }
export const topicKind: RecordKind<TopicRecord> = { reader: readTopic }

/** The entry of a line. A fault in the bytes of the line comes before every other. */
export function entryOf<T>(
  position: string,
  raw: string,
  fault: LineFault | undefined,
  kind: RecordKind<T>,
): SourceEntry<T> {
  const read = fault === undefined ? readLine(raw, kind) : lineFault(fault)
  return { position, raw, ...read }
}

/** The connection on a line, if it holds one. */
export function connectionOf(raw: string): ConnectionRecord | undefined {
  return readLine(raw, connectionKind).value
}

/** Maximum number of faults that are left out of one record. */
const faultsMax = 100

/** A record, or its first fault. Faulty parts that the record does not need are left out. */
function readLine<T>(raw: string, kind: RecordKind<T>) {
  let json: unknown
  try {
    json = jsonOfLine(raw)
  } catch {
    return lineFault('is not JSON')
  }
  try {
    return readRecord(json, kind)
  } catch (error) {
    return { value: undefined, field: 'record', reason: unreadableRecord(error) }
  }
}

function readRecord<T>(json: unknown, kind: RecordKind<T>) {
  const complaints: FieldComplaint[] = []
  // Behind a fault that goes another may be seen.
  while (complaints.length <= faultsMax) {
    const { value, faults } = readWith(kind.reader, json)
    if (faults === undefined) return complaints.length === 0 ? { value } : { value, complaints }
    for (const { path, reason } of faults) {
      const field = path.join('.') || 'record'
      const part = kind.sparePart?.(path)
      if (part === undefined) return { value: undefined, field, reason }
      // Two faults of one part go together.
      if (leaveOut(json, part)) complaints.push({ field, reason, isLeftOut: true })
    }
  }
  return { value: undefined, ...complaints[0]! }
}

function lineFault(reason: string) {
  return { value: undefined, field: 'line', reason }
}
