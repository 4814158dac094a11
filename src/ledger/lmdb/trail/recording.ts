/**
 * Writes changes to the audit log of a ledger on a disk: the entry and the note of the request stand in
 * the transaction of the change. A call that changes nothing leaves no entry.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Act, TrailSubject } from '../../acts.ts'
import { shownAdminKey } from '../../admin-keys.ts'
import type { TrailPage } from '../../administration.ts'
import { accountJson, adminKeyJson, keyJson } from '../../shown.ts'
import { type Cause, MadeBefore } from '../../trail/cause.ts'
import type { TrailContent, TrailEntry, TrailFacts } from '../../trail/entries.ts'
import type { Environment } from '../environment.ts'
import { listedKey } from '../keys.ts'
import type { Tables } from '../tables.ts'

/**
 * Makes a change and writes what it was.
 * @throws MadeBefore where the request of the cause was carried out; any error of `work`, which undoes everything.
 */
export function recorded<T>(
  environment: Environment,
  cause: Cause,
  { action, details, subject }: Act<T>,
  work: () => T,
): T {
  return environment.transact((tables) => {
    refuseIfMade(tables, cause)
    const atMs = environment.clock()
    const before = stateOf(tables, subject(undefined), atMs)
    const result = work()
    const changed = subject(result)
    const after = stateOf(tables, changed, atMs)
    if (!isDeepStrictEqual(before, after)) {
      const what = { action, subject: changed?.id ?? '', details, before, after }
      append(tables, { atMs, actor: cause.name, from: cause.from, ...what })
    }
    putMade(tables, cause, result)
    return result
  })
}

/** Writes an entry of a change that is not one of the books. */
export function noteEntry(
  environment: Environment,
  cause: Cause,
  what: Omit<TrailContent, 'atMs' | 'actor' | 'from'>,
): void {
  environment.transact((tables) => {
    refuseIfMade(tables, cause)
    const atMs = environment.clock()
    append(tables, { atMs, actor: cause.name, from: cause.from, ...what })
  })
}

/** Notes that the request of a cause was carried out. */
export function noteMadeOf(environment: Environment, cause: Cause, result: unknown): void {
  if (cause.request === undefined) return
  environment.transact((tables) => putMade(tables, cause, result))
}

/** Entries, the newest first. */
export function entriesOf(tables: Tables, { limit, before, subject }: TrailPage): TrailEntry[] {
  const found: TrailEntry[] = []
  const start = before === undefined ? Number.MAX_SAFE_INTEGER : before - 1
  for (const { value } of tables.trail.getRange({ start, end: 0, reverse: true })) {
    if (found.length === limit) break
    if (subject === undefined || value.subject === subject) found.push(value)
  }
  return found
}

function refuseIfMade(tables: Tables, { request }: Cause): void {
  const change = request && tables.made.get(request.id)
  if (change !== undefined) throw new MadeBefore(change)
}

function append(tables: Tables, content: TrailContent): void {
  const number = (tables.heads.get('trail') ?? 0) + 1
  tables.trail.putSync(number, { ...content, number })
  tables.heads.putSync('trail', number)
}

function putMade(tables: Tables, { request }: Cause, result: unknown): void {
  if (request === undefined) return
  const { id, question, idsOf } = request
  tables.made.putSync(id, { question, made: idsOf(result) })
}

/** State of a subject as the log records it; null if there is no such subject. */
function stateOf(
  tables: Tables,
  subject: TrailSubject | undefined,
  nowMs: number,
): TrailFacts | null {
  // The change itself refuses a text that cannot be a name or an id.
  if (subject === undefined || !/^[\w.-]{1,64}$/.test(subject.id)) return null
  const { kind, id } = subject
  if (kind === 'account') {
    const account = tables.accounts.get(tables.names.get(id) ?? 0)
    return account === undefined ? null : accountJson(account)
  }
  if (kind === 'key') {
    const key = tables.keys.get(id)
    return key === undefined ? null : keyJson(listedKey(tables, key, nowMs))
  }
  const key = tables.adminKeys.get(id)
  return key === undefined ? null : adminKeyJson(shownAdminKey(key))
}
