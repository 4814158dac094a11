/** The schemas of requests about snapshots and removals, and of their answers. */
import * as z from 'zod'
import { limits } from '../limits.ts'
import { listedPage, pageQuery } from './schemas.ts'

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

/** The release of the source of a held-back sync. */
export const releasedSchema = z.object({ released: z.literal(true) })

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

const sdu = z.string().regex(new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`), 'is 1 to 32 digits')

/** Parameters of the list of corrections. */
export const correctionsQuery = z.strictObject({ ...pageQuery, sdu: sdu.optional() })

/** Parameters of the list of removals. */
export const removalsQuery = z.strictObject({ sdu: sdu.optional() })

/** Bodies of changes of the served state. */
export const dataBodies = {
  release: z.strictObject({ source_fingerprint: z.string() }),
  removal: z.strictObject({
    sdu,
    reason: z.string().trim().min(1).max(256),
    force: z.boolean().default(false).describe('also an SDU that no snapshot has'),
  }),
  correction: z.strictObject({
    sdu,
    set: z
      .record(z.string(), z.unknown())
      .describe('fields that take the place of those of the record, as records write them'),
    source: z.string().trim().min(1).max(limits.websiteCharactersMax).describe('where it is from'),
    date: z.iso.date().optional().describe('the day it was made; without it, today'),
    force: z.boolean().default(false).describe('also an SDU that no snapshot has'),
  }),
} as const
