/**
 * The ledger itself, for changes. Each is written to the audit log in its own transaction, with its
 * cause.
 */
import { usdNumber } from '../../money.ts'
import { Refusal } from '../../problems.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import type { Movement } from './account-records.ts'
import {
  type Credited,
  creditOnce,
  insertAccount,
  selectAccount,
  selectAccounts,
  setSuspended,
} from './account-rows.ts'
import { selectStatement } from './account-views.ts'
import {
  type AdminKeyOrder,
  insertAdminKey,
  revokeAdmin,
  selectAdminKeys,
  selectGoodAdminKey,
} from './admin-key-rows.ts'
import { type SalesRange, selectSales } from './charge-rows.ts'
import { type Adjustment, adjustmentOrder, topUpOrder } from './checks.ts'
import { type EventRange, selectEvents } from './events.ts'
import {
  countKeys,
  insertKey,
  type KeyChange,
  type KeyOrder,
  renew,
  revoke,
  rotate,
  selectKeyRecord,
  selectKeys,
  updateKey,
} from './key-rows.ts'
import {
  insertNoteOnce,
  type OnceNote,
  type OrderOfNote,
  type Redeemed,
  redeemOnce,
} from './once-rows.ts'
import { type Audit, prove } from './proof.ts'
import { selectNodes } from './session-rows.ts'
import {
  type Act,
  type Cause,
  insertMade,
  insertNote,
  recordedIn,
  selectEntries,
  type TrailContent,
  type TrailPage,
} from './trail.ts'

type Noted = Pick<TrailContent, 'action' | 'subject' | 'before' | 'after'> &
  Partial<Pick<TrailContent, 'details'>>

/** A change is durable when its promise resolves; one that is refused has changed nothing. */
export class Books {
  readonly #sql: Sql
  readonly #cause: Cause

  constructor(sql: Sql, cause: Cause) {
    this.#sql = sql
    this.#cause = cause
  }

  get place(): string {
    return this.#sql.place
  }

  by = (cause: Cause): Books => new Books(this.#sql, cause)
  /** @param openingMicroUsd what it starts with; 50 USD where it is absent. */
  createAccount = (name: string, openingMicroUsd?: number) =>
    this.#change(
      {
        ...{ action: 'account.create', id: name },
        details: openingMicroUsd === undefined ? {} : { opening_usd: usdNumber(openingMicroUsd) },
      },
      (query) => insertAccount(query, name, openingMicroUsd),
    )
  /** Every account, oldest first. */
  accounts = () => this.#read(selectAccounts)
  accountNamed = (name: string) => this.#read((query) => selectAccount(query, name))
  topUp = async (name: string, amountMicroUsd: number, reference: string) =>
    this.#credit('account.top-up', name, topUpOrder(amountMicroUsd, reference))
  adjust = async (name: string, adjustment: Adjustment) =>
    this.#credit('account.adjust', name, adjustmentOrder(adjustment))
  /** False when it was suspended before. */
  suspend = (name: string) =>
    this.#change({ action: 'account.suspend', id: name }, (query) =>
      setSuspended(query, name, true),
    )
  /** False when it was not suspended. */
  resume = (name: string) =>
    this.#change({ action: 'account.resume', id: name }, (query) =>
      setSuspended(query, name, false),
    )
  statementOf = (name: string) => this.#read((query) => selectStatement(query, name))
  usageOf = (name: string, range: SalesRange) =>
    this.#read(async (query) =>
      selectSales(query, (await selectAccount(query, name)).number, range),
    )
  issueKey = (order: KeyOrder) =>
    this.#change({ action: 'key.issue', id: idOf, details: { account: order.account } }, (query) =>
      insertKey(query, order),
    )
  setKey = (id: string, change: KeyChange) =>
    this.#change({ action: 'key.set', id }, (query) => updateKey(query, id, change))
  /** Every key that was ever issued, oldest first. */
  listKeys = () => this.#read(selectKeys)
  /** A key without what it spent; undefined where there is none. */
  keyWith = (id: string) => this.#read((query) => selectKeyRecord(query, id))
  /** The number of keys that were issued to an account since a time, with labels that begin with a prefix. */
  countKeys = (account: string, labelPrefix: string, sinceMs: number) =>
    this.#read((query) => countKeys(query, account, labelPrefix, sinceMs))
  /** False when it had been revoked. */
  revokeKey = (id: string) =>
    this.#change({ action: 'key.revoke', id }, (query) => revoke(query, id))
  rotateKey = (id: string, overlapMs: number) =>
    this.#change(
      { action: 'key.rotate', id, details: { overlap_seconds: overlapMs / 1_000 } },
      (query) => rotate(query, id, overlapMs),
    )
  /** Undefined, with nothing changed, for a key that is gone or has another last secret. */
  renewKey = (id: string, hash: string, lifeMs: number) =>
    this.#change({ action: 'key.renew', id }, (query) => renew(query, id, hash, lifeMs))
  /** Keeps a note; forgets those that are too old to be used. */
  keepNote = (note: OnceNote) => this.#sql.transaction((query) => insertNoteOnce(query, note))
  /** Issues the key in the same transaction. @throws Refusal: then the note is not used up. */
  redeemNote = (id: string, orderOf: OrderOfNote): Promise<Redeemed> =>
    this.#change({ action: 'key.issue', id: idOfRedeemed }, (query) =>
      redeemOnce(query, id, orderOf, (order) => insertKey(query, order)),
    )
  /** The nodes that sell from a database now, those that sell longest first; none of a file. */
  nodes = () => this.#read(selectNodes)
  audit = () =>
    this.#sql.snapshot(async (query): Promise<Audit> => {
      const damages = (await this.#sql.damagesIn?.(query)) ?? []
      const found = await prove(query)
      return { ...found, contradictions: [...damages, ...found.contradictions] }
    }, true)
  trail = (page: TrailPage) => this.#read((query) => selectEntries(query, page))
  /** Events, the oldest first. */
  events = (range: EventRange) => this.#read((query) => selectEvents(query, range))
  issueAdminKey = (order: AdminKeyOrder) =>
    this.#change({ action: 'admin-key.issue', id: idOf }, (query) => insertAdminKey(query, order))
  /** Every admin key that was ever issued, oldest first. */
  listAdminKeys = () => this.#read(selectAdminKeys)
  revokeAdminKey = (id: string) =>
    this.#change({ action: 'admin-key.revoke', id }, (query) => revokeAdmin(query, id))
  /** The admin key with a hash; undefined where there is none that is good now. */
  adminKeyWith = (hash: string) => this.#read((query) => selectGoodAdminKey(query, hash))
  /**
   * A change that is not one of the books: the audit log has the entry before it is made, and a
   * second one where it failed. Its request is noted as carried out behind it.
   */
  noted = async <T>({ details = {}, ...what }: Noted, work: () => Promise<T>): Promise<T> => {
    await this.#note({ ...what, details })
    const result = await work().catch(async (error: unknown) => {
      const { action, before } = what
      const reason = error instanceof Refusal ? error.message : 'a bug'
      await this.#note({ ...what, action: `${action}.failed`, after: before, details: { reason } })
      throw error
    })
    await this.#sql.transaction((query) => insertMade(query, this.#cause, result))
    return result
  }
  close = () => this.#sql.close()

  #read<T>(look: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#sql.snapshot(look)
  }

  #change<T>(act: Act<T>, change: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#sql.transaction((query) =>
      recordedIn(query, this.#cause, act, () => change(query)),
    )
  }

  #note(what: Required<Noted>): Promise<void> {
    return this.#sql.transaction((query) => insertNote(query, this.#cause, what))
  }

  #credit(action: Act<unknown>['action'], id: string, order: Movement): Promise<Credited> {
    const { amountMicroUsd, reference, reason } = order
    const amount = { amount_usd: usdNumber(amountMicroUsd), reference }
    const details = { ...amount, ...(reason !== null && { reason }) }
    return creditOnce(this.#sql, id, order, (work) => this.#change({ action, id, details }, work))
  }
}

function idOf({ record }: { readonly record: { readonly id: string } }): string {
  return record.id
}

function idOfRedeemed(redeemed: Redeemed): string | undefined {
  return redeemed.state === 'issued' ? redeemed.issued.record.id : undefined
}
