/**
 * The audit log. Every change locks its head first, before accounts, so that changes follow each
 * other; services that sell do not wait for it.
 */
import { isDeepStrictEqual } from 'node:util'
import type { RunStatement } from '../../sql/port.ts'
import { selectAccounts } from '../account-rows.ts'
import type { TrailPage } from '../administration.ts'
import { databaseMs, selectListedKey } from '../key-rows.ts'
import { accountJson, adminKeyJson, keyJson } from '../shown.ts'
import type { TrailContent, TrailEntry, TrailFacts } from '../trail.ts'
import { type Cause, MadeBefore } from '../trail.ts'
import { selectAdminKey } from './admin-key-rows.ts'

export interface TrailSubject {
  readonly kind: 'account' | 'key' | 'admin-key'
  readonly id: string
}

export interface Act<T> {
  readonly action: string
  readonly details: TrailFacts
  /** Undefined before it is made. @param result what the change returned; undefined before that. */
  readonly subject: (result: T | undefined) => TrailSubject | undefined
}

/** @throws MadeBefore where the request of the cause was carried out; any error of `work`. */
export async function recordedIn<T>(
  query: RunStatement,
  cause: Cause,
  { action, details, subject }: Act<T>,
  work: () => Promise<T>,
): Promise<T> {
  const { head, nowMs } = await begin(query, cause)
  const before = await stateOf(query, subject(undefined), nowMs)
  const result = await work()
  const changed = subject(result)
  const after = await stateOf(query, changed, nowMs)
  if (!isDeepStrictEqual(before, after)) {
    const what = { action, subject: changed?.id ?? '', details, before, after }
    await append(query, head, { atMs: nowMs, actor: cause.name, from: cause.from, ...what })
  }
  await insertMade(query, cause, result)
  return result
}

export async function insertNote(
  query: RunStatement,
  cause: Cause,
  what: Omit<TrailContent, 'atMs' | 'actor' | 'from'>,
): Promise<void> {
  const { head, nowMs } = await begin(query, cause)
  await append(query, head, { atMs: nowMs, actor: cause.name, from: cause.from, ...what })
}

export async function insertMade(
  query: RunStatement,
  { request }: Cause,
  result: unknown,
): Promise<void> {
  if (request === undefined) return
  const { id, question, idsOf } = request
  // A change that is not one of the books may be made again after a crash, before it was noted.
  await query(
    `insert into admin_request (id, question, made) values ($1, $2, $3)
     on conflict (id) do update set made = $3`,
    [id, question, JSON.stringify(idsOf(result))],
  )
}

export async function selectEntries(
  query: RunStatement,
  { limit, before, subject }: TrailPage,
): Promise<TrailEntry[]> {
  const rows = await query<Omit<TrailEntry, 'details' | 'before' | 'after'> & { facts: string }>(
    `select n as number, at_ms as "atMs", actor, origin as "from", action, subject, facts
     from audit_entry where (cast($1 as bigint) is null or n < $1)
       and (cast($2 as text) is null or subject = $2)
     order by n desc limit $3`,
    [before ?? null, subject ?? null, limit],
  )
  return rows.map(({ facts, ...entry }) => ({ ...entry, ...JSON.parse(facts) }))
}

/** Locks the log; from then on no other change is made. */
async function begin(query: RunStatement, { request }: Cause) {
  const [head] = await query<{ n: number }>('select n from audit_head where id = 1 for update')
  if (request !== undefined) await refuseIfMade(query, request.id)
  return { head: head!.n, nowMs: await databaseMs(query) }
}

async function refuseIfMade(query: RunStatement, id: string): Promise<void> {
  const [row] = await query<{ question: string; made: string }>(
    'select question, made from admin_request where id = $1',
    [id],
  )
  if (row !== undefined) throw new MadeBefore({ ...row, made: JSON.parse(row.made) })
}

async function append(query: RunStatement, head: number, content: TrailContent): Promise<void> {
  const { atMs, actor, from, action, subject, details, before, after } = content
  const facts = JSON.stringify({ details, before, after })
  await query(
    `insert into audit_entry (n, at_ms, actor, origin, action, subject, facts)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [head + 1, atMs, actor, from, action, subject, facts],
  )
  await query('update audit_head set n = $1 where id = 1', [head + 1])
}

async function stateOf(
  query: RunStatement,
  subject: TrailSubject | undefined,
  nowMs: number,
): Promise<TrailFacts | null> {
  // The change itself refuses a text that cannot be a name or an id.
  if (subject === undefined || !/^[\w.-]{1,64}$/.test(subject.id)) return null
  const { kind, id } = subject
  if (kind === 'account') {
    const [account] = await selectAccounts(query, id)
    return account === undefined ? null : accountJson(account)
  }
  if (kind === 'key') {
    const key = await selectListedKey(query, id, nowMs)
    return key === undefined ? null : keyJson(key)
  }
  const key = await selectAdminKey(query, id)
  return key === undefined ? null : adminKeyJson(key)
}
