/**
 * A line of a file → the record that it holds, or why it holds none. Every line becomes one entry.
 */
import type * as z from 'zod'
import { type CorrectionRecord, correctionSchema } from '../corrections.ts'
import { plainMessage } from '../plain-messages.ts'
import {
  type AuthorityRecord,
  authoritySchema,
  type ConnectionRecord,
  connectionSchema,
  type TopicRecord,
  topicSchema,
} from '../schema.ts'
import { readAuthority } from '../shortcuts.ts'
import type { FieldComplaint, SourceEntry } from '../source.ts'
import { type FieldPath, isDecoration, leaveOut, sparePart } from '../spare-fields.ts'
import type { LineFault } from './lines.ts'

/** How a kind of record is read: by a shortcut if there is one that can, else as its schema says. */
export interface RecordKind<T> {
  readonly schema: z.ZodType<T>
  readonly shortcut?: (raw: string) => T | undefined
  /** What a record can do without so that a fault at a path goes; undefined where it needs that. */
  readonly sparePart?: (path: FieldPath) => FieldPath | undefined
}

export const authorityKind: RecordKind<AuthorityRecord> = {
  schema: authoritySchema,
  shortcut: readAuthority,
  sparePart,
}
export const connectionKind: RecordKind<ConnectionRecord> = { schema: connectionSchema }
export const correctionKind: RecordKind<CorrectionRecord> = { schema: correctionSchema }
export const topicKind: RecordKind<TopicRecord> = { schema: topicSchema }

/** The entry of a line, which begins with what is wrong with its bytes, if anything is. */
export function entryOf<T>(
  position: string,
  raw: string,
  fault: LineFault | undefined,
  kind: RecordKind<T>,
): SourceEntry<T> {
  const value = fault === undefined ? kind.shortcut?.(raw) : undefined
  if (value !== undefined) return { position, raw, value }
  const read = fault === undefined ? readBySchema(raw, kind) : lineFault(fault)
  return { position, raw, ...read }
}

/** The connection on a line, if it holds one. */
export function readConnection(raw: string): ConnectionRecord | undefined {
  return readBySchema(raw, connectionKind).value
}

/** More than so many faults, and a record is none. */
const faultsMax = 100

/** A record, or the first fault that the schema finds. What the record can do without is left out. */
function readBySchema<T>(raw: string, kind: RecordKind<T>) {
  let json: unknown
  try {
    json = JSON.parse(raw)
  } catch {
    return lineFault('is not JSON')
  }
  const complaints: FieldComplaint[] = []
  // Behind a fault that goes another may be seen.
  while (complaints.length <= faultsMax) {
    const { data: value, error } = kind.schema.safeParse(json, { error: plainMessage })
    if (value !== undefined) return complaints.length === 0 ? { value } : { value, complaints }
    for (const { path, message: reason } of error!.issues) {
      const field = path.join('.') || 'record'
      const part = kind.sparePart?.(path)
      if (part === undefined) return { value: undefined, field, reason }
      // Two faults of one part go together.
      if (leaveOut(json, part)) complaints.push({ field, reason, isDecoration: isDecoration(part) })
    }
  }
  return { value: undefined, ...complaints[0]! }
}

function lineFault(reason: string) {
  return { value: undefined, field: 'line', reason }
}
