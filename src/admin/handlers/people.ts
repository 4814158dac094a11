/**
 * The handlers of the operations on removals and corrections of people. Their files lie beside the snapshots, so the
 * audit log has the change before it is made, and a second entry if it failed. The log contains no names.
 */
import { noted } from '../../ledger/noted.ts'
import { Refusal } from '../../problems.ts'
import { readRemovals } from '../../snapshot/store/removals.ts'
import { withDirectoryLock } from '../../sync/directory-lock.ts'
import { recordRemoval, removeEarlier, undoRemoval } from '../../sync/removals/forgetting.ts'
import {
  recordCorrection,
  recordedCorrections,
  undoCorrection,
} from '../../sync/removals/recorded-corrections.ts'
import { type AdminContext, handler, pageAmong } from '../handler.ts'

/** The handlers by the names of the operations. */
export const peopleHandlers = {
  listRemovals: handler(
    'listRemovals',
    async ({ snapshots, query: { sdu } }) => {
      const removals = readRemovals(snapshots)
      const id = sdu === undefined || removals.length === 0 ? undefined : removals.idOf(sdu)
      return removals.entries.filter((entry) => id === undefined || entry.id === id)
    },
    (entries) => ({ results: entries.map(({ id, ...rest }) => ({ removal_id: id, ...rest })) }),
  ),
  addRemoval: handler(
    'addRemoval',
    (call) => {
      refuseOnMirror(call)
      const { books, snapshots, removalKey, clock, body } = call
      const { sdu, reason, force } = body
      // A list that is begun with this removal has no key yet, and so no id.
      const list = readRemovals(snapshots)
      const isFirst = list.length === 0 || list.key.secret === undefined
      const subject = isFirst ? 'the first removal' : list.idOf(sdu)
      const states = { before: { removed: !isFirst && list.has(sdu) }, after: { removed: true } }
      const what = { action: 'removal.add', subject, details: { reason }, ...states }
      return noted(books, what, () =>
        withDirectoryLock(snapshots, async () => {
          const order = { snapshots, removalKey, sdu, reason, force, clock }
          const { known, elsewhere } = await recordRemoval(order)
          await removeEarlier(snapshots)
          return { id: readRemovals(snapshots).idOf(sdu), known, elsewhere }
        }),
      )
    },
    ({ id, known, elsewhere }) => ({ removal_id: id, known, elsewhere: [...elsewhere] }),
  ),
  undoRemoval: handler(
    'undoRemoval',
    (call) => {
      refuseOnMirror(call)
      const { books, snapshots, clock, params } = call
      const { removal_id: id } = params
      const states = { before: { removed: true }, after: { removed: false } }
      const what = { action: 'removal.undo', subject: id.slice(0, 64), ...states }
      return noted(books, what, async () => {
        const undone = await withDirectoryLock(snapshots, () => undoRemoval(snapshots, id, clock))
        return { id, undone }
      })
    },
    ({ id, undone }) => ({ removal_id: id, undone }),
  ),
  listCorrections: handler(
    'listCorrections',
    async ({ snapshots, query }) => {
      const { sdu } = query
      const all = recordedCorrections(snapshots)
      const chosen = all.filter((each) => sdu === undefined || each.sdu === sdu)
      return pageAmong(chosen, query, ({ id }) => id)
    },
    ({ items, next }) => ({
      results: items.map(({ id, ...rest }) => ({ correction_id: id, ...rest })),
      next_cursor: next,
    }),
  ),
  addCorrection: handler(
    'addCorrection',
    (call) => {
      refuseOnMirror(call)
      const { books, snapshots, clock, body } = call
      const { date = new Date(clock()).toISOString().slice(0, 10), ...rest } = body
      const fields = Object.keys(body.set).sort()
      const what = {
        ...{ action: 'correction.add', subject: 'a correction', details: { fields, date } },
        ...{ before: { recorded: false }, after: { recorded: true } },
      }
      return noted(books, what, () =>
        withDirectoryLock(snapshots, () => recordCorrection(snapshots, { ...rest, date }, clock)),
      )
    },
    ({ id, recorded }) => ({ correction_id: id, recorded }),
  ),
  undoCorrection: handler(
    'undoCorrection',
    (call) => {
      refuseOnMirror(call)
      const { books, snapshots, clock, params } = call
      const { correction_id: id } = params
      const states = { before: { recorded: true }, after: { recorded: false } }
      const what = { action: 'correction.undo', subject: id.slice(0, 64), ...states }
      return noted(books, what, async () => {
        const work = async () => undoCorrection(snapshots, id, clock)
        return { id, undone: await withDirectoryLock(snapshots, work) }
      })
    },
    ({ id, undone }) => ({ correction_id: id, undone }),
  ),
}

/**
 * Refuses a change on a mirror, whose records no sync would honour.
 * @throws Refusal `held-back`.
 */
function refuseOnMirror({ follow }: Pick<AdminContext, 'follow'>): void {
  if (follow === '') return
  const reason = `this service mirrors ${follow}`
  throw new Refusal('held-back', `${reason}: record it in the directory of the sync that publishes`)
}
