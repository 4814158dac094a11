/**
 * A line of a file → the record that it holds, or why it holds none. Every line becomes one entry.
 */
import type { z } from 'zod'
import { type CorrectionRecord, correctionSchema } from '../corrections.ts'
import {
  type AuthorityRecord,
  authoritySchema,
  type ConnectionRecord,
  connectionSchema,
  type TopicRecord,
  topicSchema,
} from '../schema.ts'
import { readAuthority } from '../shortcuts.ts'
import type { SourceEntry } from '../source.ts'
import type { LineFault } from './lines.ts'

/** How a kind of record is read: by a shortcut if there is one that can, else as its schema says. */
export interface RecordKind<T> {
  readonly schema: z.ZodType<T>
  readonly shortcut?: (raw: string) => T | undefined
}

export const authorityKind: RecordKind<AuthorityRecord> = {
  schema: authoritySchema,
  shortcut: readAuthority,
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
  const read = fault === undefined ? readBySchema(raw, kind.schema) : lineFault(fault)
  return { position, raw, ...read }
}

/** The connection on a line, if it holds one. */
export function readConnection(raw: string): ConnectionRecord | undefined {
  return readBySchema(raw, connectionSchema).value
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
