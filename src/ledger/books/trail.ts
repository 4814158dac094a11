/**
 * The audit log: one entry for each change that a person or a program made to the books or to what
 * is served, with its actor. Over HTTP the cause is also the request with its `Idempotency-Key`,
 * which is noted in the same transaction, so that the change is made once, however often it is
 * asked for. Every change locks the head of the log first, before accounts, so that changes follow
 * each other; services that sell do not wait for it.
 */
import { isDeepStrictEqual } from 'node:util'
import type { RunStatement } from '../sql/port.ts'
import { isoTime } from './account-records.ts'
import { findAccount } from './account-rows.ts'
import { selectAdminKey } from './admin-key-rows.ts'
import { databaseMs, selectKeyRecord } from './key-rows.ts'
import { accountJson, adminKeyJson, keyJson } from './shown.ts'

/** Plain JSON about a change; never a secret. */
type TrailFacts = Readonly<Record<string, unknown>>

export interface TrailContent {
  readonly atMs: number
  /** An admin key (`adm_…`), a user of the operating system, or the service. */
  readonly actor: string
  /** The address of the client, or the host of the command line. */
  readonly from: string
  readonly action: string
  readonly subject: string
  readonly details: TrailFacts
  readonly before: TrailFacts | null
  readonly after: TrailFacts | null
}

type Change = Omit<TrailContent, 'atMs' | 'actor' | 'from'>

interface TrailEntry extends TrailContent {
  /** From 1, without gaps. */
  readonly number: number
}

interface KeyedRequest {
  /** Id of one `Idempotency-Key` of one admin key. */
  readonly id: string
  /** A digest of what is asked. */
  readonly question: string
  /** The ids of what the change made or changed. @param result what the change returned. */
  readonly idsOf: (result: unknown) => MadeIds
}

/** Ids by the names that they have in answers: `{ key_id: 'key_…' }`. */
export type MadeIds = Readonly<Record<string, string>>

/** The author of a change, as the log names it. */
export interface Cause {
  readonly name: string
  readonly from: string
  readonly request?: KeyedRequest
}

export interface MadeChange {
  readonly question: string
  readonly made: MadeIds
}

/** The change was made before under the same `Idempotency-Key`; nothing was changed now. */
export class MadeBefore extends Error {
  readonly change: MadeChange

  constructor(change: MadeChange) {
    super('made before')
    this.change = change
  }
}

export interface TrailPage {
  readonly limit: number
  /** Entries with smaller numbers; all of them where it is absent. */
  readonly before?: number | undefined
  readonly subject?: string | undefined
}

/** A change of the books. What it changes is of the kind that stands before the dot of the action. */
export interface Act<T> {
  readonly action: `${'account' | 'key' | 'admin-key'}.${string}`
  /** The id of what is changed; or it is in what the change returned, where that has made something. */
  readonly id: string | ((result: T) => string | undefined)
  readonly details?: TrailFacts
}

/** @throws MadeBefore where the request of the cause was carried out; any error of `work`. */
export async function recordedIn<T>(
  query: RunStatement,
  cause: Cause,
  { action, id, details = {} }: Act<T>,
  work: () => Promise<T>,
): Promise<T> {
  const begun = await begin(query, cause)
  const [kind = ''] = action.split('.')
  const isKnown = typeof id === 'string'
  const before = isKnown ? await stateOf(query, kind, id) : null
  const result = await work()
  const subject = isKnown ? id : (id(result) ?? '')
  const after = await stateOf(query, kind, subject)
  if (!isDeepStrictEqual(before, after)) {
    await append(query, begun, cause, { action, subject, details, before, after })
  }
  await insertMade(query, cause, result)
  return result
}

export async function insertNote(query: RunStatement, cause: Cause, what: Change): Promise<void> {
  await append(query, await begin(query, cause), cause, what)
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

export function entryJson(entry: TrailEntry) {
  const { number, atMs, actor, from, action, subject, details, before, after } = entry
  return { number, time: isoTime(atMs), actor, from, action, subject, details, before, after }
}

/** Locks the log; from then on no other change is made. @throws MadeBefore. */
async function begin(query: RunStatement, { request }: Cause) {
  const [head] = await query<{ n: number }>('select n from audit_head where id = 1 for update')
  const [made] = await query<{ question: string; made: string }>(
    'select question, made from admin_request where id = $1',
    [request?.id ?? null],
  )
  if (made !== undefined) throw new MadeBefore({ ...made, made: JSON.parse(made.made) })
  return { head: head!.n, nowMs: await databaseMs(query) }
}

async function append(
  query: RunStatement,
  { head, nowMs }: { readonly head: number; readonly nowMs: number },
  { name, from }: Cause,
  { action, subject, details, before, after }: Change,
): Promise<void> {
  const facts = JSON.stringify({ details, before, after })
  await query(
    `insert into audit_entry (n, at_ms, actor, origin, action, subject, facts)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [head + 1, nowMs, name, from, action, subject, facts],
  )
  await query('update audit_head set n = $1 where id = 1', [head + 1])
}

async function stateOf(query: RunStatement, kind: string, id: string): Promise<TrailFacts | null> {
  // The change itself refuses a text that cannot be a name or an id.
  if (!/^[\w.-]{1,64}$/.test(id)) return null
  if (kind === 'account') {
    const account = await findAccount(query, id)
    return account === undefined ? null : accountJson(account)
  }
  if (kind === 'key') {
    const key = await selectKeyRecord(query, id)
    return key === undefined ? null : keyJson(key)
  }
  const key = await selectAdminKey(query, id)
  return key === undefined ? null : adminKeyJson(key)
}
