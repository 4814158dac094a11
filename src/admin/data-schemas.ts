/** The schemas of what operations on snapshots and people answer. */
import * as z from 'zod'
import { limits } from '../limits.ts'
import { listedPage } from './schemas.ts'

/** A snapshot of the directory. */
const storedSnapshotSchema = z.object({
  snapshot_id: z.string(),
  bytes: z.number().int(),
  published: z.string(),
  authorities: z.number().int().nullable().describe('null where it cannot be served'),
  current: z.boolean(),
  pinned: z.boolean(),
})

/** All snapshots of the directory. */
export const storedSnapshotsSchema = z.object({ results: z.array(storedSnapshotSchema) })

/** A snapshot after a change of a pointer. */
export const pointedSchema = z.object({
  snapshot_id: z.string().nullable().describe('null where nothing is pinned'),
  changed: z.boolean().describe('false when it was so before'),
})

/** Reason, time and source of the last sync, if it was held back. */
export const heldBackSchema = z.object({
  held_back: z
    .object({ reason: z.string(), at: z.string(), source_fingerprint: z.string() })
    .nullable(),
  released: z.boolean().describe('whether the next sync of that source may publish it'),
})

const removalSchema = z.object({
  removal_id: z.string(),
  reason: z.string(),
  at: z.string(),
  undone: z.string().nullable(),
})

/** The list of removals; it contains no names. */
export const removalsSchema = z.object({ results: z.array(removalSchema) })

/** A removal that was recorded. */
export const recordedRemovalSchema = z.object({
  removal_id: z.string(),
  known: z.boolean().describe('whether a snapshot or the list had the SDU'),
  elsewhere: z
    .array(z.object({ handle: z.string(), sdu: z.string() }))
    .describe('handles of the person that belong to another SDU now'),
})

/** A removal that was undone. */
export const undoneRemovalSchema = z.object({
  removal_id: z.string(),
  undone: z.boolean().describe('false when it had been undone'),
})

/** A correction that is recorded. */
const correctionSchema = z.object({
  correction_id: z.string(),
  sdu: z.string(),
  set: z.record(z.string(), z.unknown()).describe('fields as records write them'),
  source: z.string().describe('where it is from'),
  date: z.string(),
  at: z.string().describe('when it was recorded'),
  undone: z.string().nullable(),
})

/** A page of the corrections. */
export const correctionsSchema = listedPage(correctionSchema)

/** A correction that was recorded just now. */
export const recordedCorrectionSchema = z.object({
  correction_id: z.string(),
  recorded: z.boolean().describe('false when the same one holds already'),
})

/** A correction that was undone. */
export const undoneCorrectionSchema = z.object({
  correction_id: z.string(),
  undone: z.boolean().describe('false when it had been undone'),
})

/** The SDU of a person. */
export const sdu = z
  .string()
  .regex(new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`), 'is 1 to 32 digits')
