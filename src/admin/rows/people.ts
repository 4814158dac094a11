/**
 * The operations on what is held of people. Their files lie beside the snapshots, so the audit log has a change before
 * it is made, and a second entry if it failed. The log contains no names.
 */
import * as z from 'zod'
import type { Books } from '../../ledger/books/books.ts'
import { limits } from '../../limits.ts'
import { Refusal } from '../../problems.ts'
import { readRemovals } from '../../snapshot/store/removals.ts'
import { withDirectoryLock } from '../../sync/directory-lock.ts'
import { recordRemoval, removeEarlier, undoRemoval } from '../../sync/removals/forgetting.ts'
import { settleKey } from '../../sync/removals/key-place.ts'
import {
  recordCorrection,
  recordedCorrections,
  undoCorrection,
} from '../../sync/removals/recorded-corrections.ts'
import {
  type AdminContext,
  listOf,
  local,
  pagedListOf,
  pageOf,
  pageQuery,
  served,
} from '../operation.ts'

const sdu = z.string().regex(new RegExp(`^\\d{1,${limits.sduDigitsMax}}$`), 'is 1 to 32 digits')
const force = z.boolean().default(false).describe('also an SDU that no snapshot has')

export const peopleOperations = {
  listRemovals: served({
    path: '/removals',
    scope: 'read',
    summary: 'List the removals of people',
    text: 'Ids, reasons and times; the list names nobody. With `sdu`, only the removal of that SDU.',
    input: z.strictObject({ sdu: sdu.optional() }),
    result: listOf({
      removal_id: z.string(),
      reason: z.string(),
      at: z.string(),
      undone: z.string().nullable(),
    }),
    ledger: 'unused',
    run: async ({ snapshots }, { sdu }) => {
      const removals = readRemovals(snapshots)
      const id = sdu === undefined || removals.length === 0 ? undefined : removals.idOf(sdu)
      const entries = removals.entries.filter((entry) => id === undefined || entry.id === id)
      return { results: entries.map(({ id, ...rest }) => ({ removal_id: id, ...rest })) }
    },
  }),
  addRemoval: served({
    path: '/removals',
    scope: 'data',
    summary: 'Record the removal of a person',
    text: 'Earlier snapshots that hold the person are removed at once; the next sync publishes one without them.',
    input: z.strictObject({ sdu, reason: z.string().trim().min(1).max(256), force }),
    result: z.object({
      removal_id: z.string(),
      known: z.boolean().describe('whether a snapshot or the list had the SDU'),
      elsewhere: z
        .array(z.object({ handle: z.string(), sdu: z.string() }))
        .describe('handles of the person that belong to another SDU now'),
    }),
    run: (context, { sdu, reason, force }) => {
      const { snapshots, removalKey, clock } = context
      // A list that is begun with this removal has no key yet, and so no id.
      const list = readRemovals(snapshots)
      const isFirst = list.length === 0 || list.key.secret === undefined
      const subject = isFirst ? 'the first removal' : list.idOf(sdu)
      const states = { before: { removed: !isFirst && list.has(sdu) }, after: { removed: true } }
      const what = { action: 'removal.add', subject, details: { reason }, ...states }
      return changed(context, what, async () => {
        const order = { snapshots, removalKey, sdu, reason, force, clock }
        const { known, elsewhere } = await recordRemoval(order)
        await removeEarlier(snapshots)
        return { removal_id: readRemovals(snapshots).idOf(sdu), known, elsewhere: [...elsewhere] }
      })
    },
  }),
  undoRemoval: served({
    path: '/removals/{removal_id}/undo',
    scope: 'data',
    summary: 'End a removal',
    text: 'The next sync takes the person again where the source has them.',
    input: z.strictObject({ removal_id: z.string() }),
    result: z.object({
      removal_id: z.string(),
      undone: z.boolean().describe('false when it had been undone'),
    }),
    run: (context, { removal_id }) => {
      const { snapshots, clock } = context
      const states = { before: { removed: true }, after: { removed: false } }
      const what = { action: 'removal.undo', subject: removal_id.slice(0, 64), ...states }
      return changed(context, what, async () => ({
        removal_id,
        undone: await undoRemoval(snapshots, removal_id, clock),
      }))
    },
  }),
  listCorrections: served({
    path: '/corrections',
    scope: 'read',
    summary: 'List the corrections that are recorded',
    text: 'Oldest first, page by page, of all or of one `sdu`; those of the source are not among them.',
    input: z.strictObject({ ...pageQuery, sdu: sdu.optional() }),
    result: pagedListOf({
      correction_id: z.string(),
      sdu: z.string(),
      set: z.record(z.string(), z.unknown()).describe('fields as records write them'),
      source: z.string().describe('where it is from'),
      date: z.string(),
      at: z.string().describe('when it was recorded'),
      undone: z.string().nullable(),
    }),
    ledger: 'unused',
    run: async ({ snapshots }, input) => {
      const { sdu } = input
      const all = recordedCorrections(snapshots)
      const chosen = all.filter((each) => sdu === undefined || each.sdu === sdu)
      const shown = ({ id, ...rest }: (typeof all)[number]) => ({ correction_id: id, ...rest })
      return pageOf(chosen, input, ({ id }) => id, shown)
    },
  }),
  addCorrection: served({
    path: '/corrections',
    scope: 'data',
    summary: 'Record a correction of a record',
    text: 'From the next sync on, its fields take the place of those of the record, and win over corrections of the source.',
    input: z.strictObject({
      sdu,
      set: z
        .record(z.string(), z.unknown())
        .describe('fields that take the place of those of the record, as records write them'),
      source: z
        .string()
        .trim()
        .min(1)
        .max(limits.websiteCharactersMax)
        .describe('where it is from'),
      date: z.iso.date().optional().describe('the day it was made; without it, today'),
      force,
    }),
    result: z.object({
      correction_id: z.string(),
      recorded: z.boolean().describe('false when the same one holds already'),
    }),
    run: (context, input) => {
      const { snapshots, clock } = context
      const { date = new Date(clock()).toISOString().slice(0, 10), ...rest } = input
      const fields = Object.keys(input.set).sort()
      const what = {
        ...{ action: 'correction.add', subject: 'a correction', details: { fields, date } },
        ...{ before: { recorded: false }, after: { recorded: true } },
      }
      return changed(context, what, async () => {
        const { id, recorded } = await recordCorrection(snapshots, { ...rest, date }, clock)
        return { correction_id: id, recorded }
      })
    },
  }),
  undoCorrection: served({
    path: '/corrections/{correction_id}/undo',
    scope: 'data',
    summary: 'End a correction',
    text: 'The next sync takes what the source says.',
    input: z.strictObject({ correction_id: z.string() }),
    result: z.object({
      correction_id: z.string(),
      undone: z.boolean().describe('false when it had been undone'),
    }),
    run: (context, { correction_id }) => {
      const { snapshots, clock } = context
      const states = { before: { recorded: true }, after: { recorded: false } }
      const what = { action: 'correction.undo', subject: correction_id.slice(0, 64), ...states }
      return changed(context, what, async () => ({
        correction_id,
        undone: undoCorrection(snapshots, correction_id, clock),
      }))
    },
  }),
  settleRemovalKey: local({
    summary: 'Show where the key of the list of removals lies',
    text: 'With --removal-key, it is moved there.',
    input: z.strictObject({}),
    result: z.object({
      key_file: z.string().nullable(),
      found: z.boolean().describe('false: put it back from a backup'),
      done: z.string().nullable(),
    }),
    ledger: 'unused',
    run: async ({ snapshots, removalKey }) => {
      const work = async () => settleKey(snapshots, removalKey)
      const done = await withDirectoryLock(snapshots, work)
      const { length, key } = readRemovals(snapshots)
      if (length > 0) {
        return { key_file: key.file ?? null, found: key.secret !== undefined, done: done ?? null }
      }
      throw new Refusal('snapshot-missing', `${snapshots}: nobody was removed here`)
    },
  }),
  showPerson: local({
    summary: 'Show all that is held of a person',
    text: 'Record, evidence, history, changes, corrections and removals.',
    input: z.strictObject({ sdu }),
    result: z.object({ sdu: z.string(), snapshot_id: z.string() }),
    ledger: 'unused',
    // Few starts need the engine.
    run: async ({ snapshots }, { sdu }) =>
      (await import('../held-person.ts')).heldOf(snapshots, sdu),
  }),
}

/** @throws Refusal `held-back` on a mirror, whose records no sync would honour. */
async function changed<T>(
  { books, snapshots, follow }: AdminContext,
  what: Parameters<Books['noted']>[0],
  work: () => Promise<T>,
): Promise<T> {
  if (follow === '') return books.noted(what, () => withDirectoryLock(snapshots, work))
  const reason = `this service mirrors ${follow}`
  throw new Refusal('held-back', `${reason}: record it in the directory of the sync that publishes`)
}
