/** A plain record → the entry that a reader makes of it, or why it makes none. */
import { type FieldPath, type Reader, readWith } from '../../reading/readers.ts'
import { type CorrectionRecord, readCorrection } from '../corrections.ts'
import type { PlainRecord } from '../plain-records.ts'
import { readAuthority, readConnection, readTopic } from '../record-readers.ts'
import type { AuthorityRecord, ConnectionRecord, TopicRecord } from '../schema.ts'
import { type FieldComplaint, type SourceEntry, unreadableRecord } from '../source.ts'
import { leaveOut, sparePart } from '../spare-fields.ts'

export interface RecordKind<T> {
  readonly reader: Reader<T>
  /** The part to leave out so that a fault at a path goes; undefined if the record needs it. */
  readonly sparePart?: (path: FieldPath) => FieldPath | undefined
}

export const authorityKind: RecordKind<AuthorityRecord> = { reader: readAuthority, sparePart }
export const connectionKind: RecordKind<ConnectionRecord> = { reader: readConnection }
export const correctionKind: RecordKind<CorrectionRecord> = { reader: readCorrection }
export const topicKind: RecordKind<TopicRecord> = { reader: readTopic }

export function entryOf<T>(
  position: string,
  record: PlainRecord,
  kind: RecordKind<T>,
): SourceEntry<T> {
  return { position, raw: record.text, ...readRecord(record, kind) }
}

export function connectionOf(record: PlainRecord): ConnectionRecord | undefined {
  return readRecord(record, connectionKind).value
}

const faultsMax = 100

function readRecord<T>({ value, fault }: PlainRecord, kind: RecordKind<T>) {
  if (fault !== undefined) return { value: undefined, ...fault }
  try {
    return readValue(value, kind)
  } catch (error) {
    return { value: undefined, field: 'record', reason: unreadableRecord(error) }
  }
}

function readValue<T>(json: unknown, kind: RecordKind<T>) {
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
