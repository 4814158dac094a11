/**
 * Notes that are good once. A note is used up in the transaction that issues its key; services that
 * try at the same time wait for each other.
 */
import type { RunStatement } from '../sql/port.ts'
import type { IssuedKey, KeyOrder } from './key-rows.ts'

export interface OnceNote {
  readonly id: string
  readonly content: string
  /** The owner, of whom so many notes are kept at most. */
  readonly whose: string
}

/** `used` with the key of that use, `spent` where none was wanted, `unknown` for no such note. */
export type Redeemed =
  | { readonly state: 'issued'; readonly issued: IssuedKey }
  | { readonly state: 'used'; readonly key: string | null }
  | { readonly state: 'spent' }
  | { readonly state: 'unknown' }

export type OrderOfNote = (content: string, ageMs: number) => KeyOrder | undefined

/** Duration for which a note is kept, so that its second use is noticed; ms. */
const notesKeptMs = 600_000
/** Maximum number of notes: of one owner, and of all. */
const notesOfOneMax = 50
const notesMax = 10_000

const removedMax = 1_000

/** Returns whether it was kept, a note with its id exists, or there are too many. */
export async function insertNoteOnce(
  query: RunStatement,
  { id, content, whose }: OnceNote,
): Promise<'kept' | 'known' | 'full'> {
  await query(
    `delete from once_note where id in (select id from once_note
       where made_ms <= now_ms() - $1 limit $2 for update skip locked)`,
    [notesKeptMs, removedMax],
  )
  const [counted] = await query<{ known: number; own: number; notes: number }>(
    `select (select count(*) from once_note where id = $1) as known,
       (select count(*) from once_note where whose = $2) as own, (select count(*) from once_note) as notes`,
    [id, whose],
  )
  const { known, own, notes } = counted!
  if (known > 0) return 'known'
  if (notes >= notesMax || own >= notesOfOneMax) return 'full'
  const kept = await query(
    `insert into once_note (id, content, whose, made_ms) values ($1, $2, $3, now_ms())
     on conflict (id) do nothing returning id`,
    [id, content, whose],
  )
  return kept.length === 1 ? 'kept' : 'known'
}

export async function redeemOnce(
  query: RunStatement,
  id: string,
  orderOf: OrderOfNote,
  issue: (order: KeyOrder) => Promise<IssuedKey>,
): Promise<Redeemed> {
  const [note] = await query<NoteRow>(
    `select content, key, used_ms, now_ms() - made_ms as age
     from once_note where id = $1 for update`,
    [id],
  )
  if (note === undefined || note.age >= notesKeptMs) return { state: 'unknown' }
  if (note.used_ms !== null) return { state: 'used', key: note.key }
  const order = orderOf(note.content, note.age)
  const issued = order && (await issue(order))
  await query('update once_note set used_ms = now_ms(), key = $2 where id = $1', [
    id,
    issued?.record.id ?? null,
  ])
  return issued === undefined ? { state: 'spent' } : { state: 'issued', issued }
}

interface NoteRow {
  readonly content: string
  readonly key: string | null
  readonly used_ms: number | null
  readonly age: number
}
