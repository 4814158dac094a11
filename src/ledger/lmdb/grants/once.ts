/**
 * Notes that are good once, on a disk. A note is used up in the transaction that issues its key, and is kept for ten
 * minutes, so that a second use is noticed after a restart, too.
 */
import type { OrderOfNote, Redeemed } from '../../administration.ts'
import {
  type NoteKeeping,
  notesKeptMs,
  notesMax,
  notesOfOneMax,
  type OnceNote,
} from '../../grants.ts'
import type { Environment } from '../environment.ts'
import { issueKey } from '../keys.ts'
import type { OnceRecord, Tables } from '../tables.ts'

/** Keeps a note. O(notes), of which there are `notesMax` at most. */
export function keepNote(environment: Environment, { id, content, whose }: OnceNote): NoteKeeping {
  return environment.transact((tables) => {
    const nowMs = environment.clock()
    forget(tables, nowMs)
    if (tables.once.get(id) !== undefined) return 'known'
    const notes = [...tables.once.getRange()]
    const own = notes.filter(({ value }) => value.whose === whose)
    if (notes.length >= notesMax || own.length >= notesOfOneMax) return 'full'
    tables.once.putSync(id, { content, whose, madeAtMs: nowMs })
    return 'kept'
  })
}

/** Uses a note up and issues its key. @throws Refusal as `issueKey`. */
export function redeemNote(environment: Environment, id: string, orderOf: OrderOfNote): Redeemed {
  return environment.transact((tables) => {
    const note = tables.once.get(id)
    const ageMs = environment.clock() - (note?.madeAtMs ?? 0)
    if (note === undefined || ageMs >= notesKeptMs) return { state: 'unknown' }
    if (note.key !== undefined) return { state: 'used', key: note.key }
    const order = orderOf(note.content, ageMs)
    const issued = order && issueKey(environment, order)
    tables.once.putSync(id, { ...note, key: issued?.record.id ?? null })
    return issued === undefined ? { state: 'spent' } : { state: 'issued', issued }
  })
}

function forget(tables: Tables, nowMs: number): void {
  const isOver = ({ value }: { readonly value: OnceRecord }) =>
    nowMs - value.madeAtMs >= notesKeptMs
  const over = [...tables.once.getRange()].filter(isOver)
  for (const { key } of over) tables.once.removeSync(key)
}
