/** A plain record → the entry that a reader makes of it, or why it makes none. */
import { type Fault, type Reader, readWith } from '../../reading/readers.ts'
import type { PlainRecord } from '../plain-records.ts'
import { readConnection } from '../record-readers.ts'
import type { ConnectionRecord } from '../schema.ts'
import { type SourceEntry, unreadableRecord } from '../source.ts'

export function entryOf<T>(
  position: string,
  record: PlainRecord,
  reader: Reader<T>,
): SourceEntry<T> {
  return { position, raw: record.text, ...readRecord(record, reader) }
}

export function connectionOf(record: PlainRecord): ConnectionRecord | undefined {
  return readRecord(record, readConnection).value
}

const complaintsMax = 100

function readRecord<T>({ value, fault }: PlainRecord, reader: Reader<T>) {
  if (fault !== undefined) return { value: undefined, ...fault }
  try {
    return readValue(value, reader)
  } catch (error) {
    return { value: undefined, field: 'record', reason: unreadableRecord(error) }
  }
}

function readValue<T>(json: unknown, reader: Reader<T>) {
  const { value, faults, complaints } = readWith(reader, json, true)
  const wrong = faults?.[0] ?? (complaints.length > complaintsMax ? complaints[0] : undefined)
  if (wrong !== undefined) return { value: undefined, ...placed(wrong) }
  if (complaints.length === 0) return { value: value as T }
  const leftOut = complaints.map((each) => ({ ...placed(each), isLeftOut: true as const }))
  return { value: value as T, complaints: leftOut }
}

function placed({ path, reason }: Fault) {
  return { field: path.join('.') || 'record', reason }
}
