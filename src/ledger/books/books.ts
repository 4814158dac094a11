/**
 * The ledger itself, for changes. Each is written to the audit log in its own transaction, with its
 * cause.
 */
import { usdNumber } from '../../money.ts'
import type { RunStatement, Sql } from '../sql/port.ts'
import {
  creditOnce,
  insertAccount,
  selectAccount,
  selectAccounts,
  setSuspended,
} from './account-rows.ts'
import { selectStatement } from './account-views.ts'
import type {
  AdminKeyOrder,
  Audit,
  Credited,
  IssuedKey,
  KeyChange,
  KeyOrder,
  OnceNote,
  OrderOfNote,
  Redeemed,
  TrailPage,
  UsageRange,
} from './administration.ts'
import { selectKeyUsage } from './charge-rows.ts'
import { type Adjustment, adjustmentOrder, type Referenced, topUpOrder } from './checked-orders.ts'
import { selectEvents } from './event-rows.ts'
import type { EventRange } from './events.ts'
import {
  countKeys,
  databaseMs,
  insertKey,
  renew,
  revoke,
  rotate,
  selectKeys,
  selectListedKey,
  updateKey,
} from './key-rows.ts'
import { insertNoteOnce, redeemOnce } from './once-rows.ts'
import { selectNodes } from './session-rows.ts'
import {
  insertAdminKey,
  revokeAdmin,
  selectAdminKeys,
  selectGoodAdminKey,
  shownAdminKey,
} from './trail/admin-key-rows.ts'
import {
  type Act,
  insertMade,
  insertNote,
  recordedIn,
  selectEntries,
  type TrailSubject,
} from './trail/recording-rows.ts'
import type { Cause, TrailContent, TrailFacts } from './trail.ts'

type Prove = (query: RunStatement) => Promise<Audit>

/** A change is durable when its promise resolves; one that is refused has changed nothing. */
export class Books {
  readonly #sql: Sql
  readonly #clock: () => number
  readonly #cause: Cause
  readonly #prove: Prove

  /** @param clock of this machine, by which orders say when keys end; milliseconds since the epoch. */
  constructor(sql: Sql, clock: () => number, cause: Cause, prove: Prove) {
    this.#prove = prove
    this.#sql = sql
    this.#clock = clock
    this.#cause = cause
  }

  get place(): string {
    return this.#sql.place
  }

  by = (cause: Cause): Books => new Books(this.#sql, this.#clock, cause, this.#prove)
  /** @param openingMicroUsd what it starts with; 50 USD where it is absent. */
  createAccount = (name: string, openingMicroUsd?: number) =>
    this.#change(
      act('account', 'create', name, {
        ...(openingMicroUsd !== undefined && { opening_usd: usdNumber(openingMicroUsd) }),
      }),
      (query) => insertAccount(query, name, openingMicroUsd),
    )
  /** Every account, oldest first. */
  accounts = () => this.#read((query) => selectAccounts(query))
  accountNamed = (name: string) => this.#read((query) => selectAccount(query, name))
  topUp = async (name: string, amountMicroUsd: number, reference: string) => {
    const order = topUpOrder(amountMicroUsd, reference)
    return this.#credit(name, order, {
      ...{ amount_usd: usdNumber(amountMicroUsd), reference: order.reference },
    })
  }
  adjust = async (name: string, adjustment: Adjustment) => {
    const { amountMicroUsd, reference, reason } = adjustment
    const details = { amount_usd: usdNumber(amountMicroUsd), reference, reason }
    return this.#credit(name, adjustmentOrder(adjustment), details)
  }
  /** False when it was suspended before. */
  suspend = (name: string) =>
    this.#change(act('account', 'suspend', name), (query) => setSuspended(query, name, true))
  /** False when it was not suspended. */
  resume = (name: string) =>
    this.#change(act('account', 'resume', name), (query) => setSuspended(query, name, false))
  statementOf = (name: string) => this.#read((query) => selectStatement(query, name))
  usageOf = (name: string, range: UsageRange) =>
    this.#read(async (query) =>
      selectKeyUsage(query, (await selectAccount(query, name)).number, range),
    )
  issueKey = (order: KeyOrder) =>
    this.#change(ofIssued('key', { account: order.account }, idOf), (query) =>
      this.#insertKey(query, order),
    )
  setKey = (id: string, change: KeyChange) =>
    this.#change(act('key', 'set', id), async (query) => {
      const { expiresAtMs } = change
      if (expiresAtMs === undefined) return updateKey(query, id, change)
      const databaseMs = await this.#databaseTime(query, expiresAtMs)
      return updateKey(query, id, { ...change, expiresAtMs: databaseMs })
    })
  /** Every key that was ever issued, oldest first. */
  listKeys = () => this.#read(selectKeys)
  /** A key without what it spent; undefined where there is none. */
  keyWith = (id: string) =>
    this.#read(async (query) => selectListedKey(query, id, await databaseMs(query)))
  /** The number of keys that were issued to an account since a time, with labels that begin with a prefix. */
  countKeys = (account: string, labelPrefix: string, sinceMs: number) =>
    this.#read((query) => countKeys(query, account, labelPrefix, sinceMs))
  /** False when it had been revoked. */
  revokeKey = (id: string) => this.#change(act('key', 'revoke', id), (query) => revoke(query, id))
  rotateKey = (id: string, overlapMs: number) =>
    this.#change(act('key', 'rotate', id, { overlap_seconds: overlapMs / 1_000 }), (query) =>
      rotate(query, id, overlapMs),
    )
  /** Undefined, with nothing changed, for a key that is gone or has another last secret. */
  renewKey = (id: string, hash: string, expiresAtMs: number) =>
    this.#change(act('key', 'renew', id), async (query) =>
      renew(query, id, hash, (await this.#databaseTime(query, expiresAtMs))!),
    )
  /** Keeps a note; forgets those that are too old to be used. */
  keepNote = (note: OnceNote) => this.#sql.transaction((query) => insertNoteOnce(query, note))
  /** Issues the key in the same transaction. @throws Refusal: then the note is not used up. */
  redeemNote = (id: string, orderOf: OrderOfNote): Promise<Redeemed> =>
    this.#change(ofIssued('key', {}, idOfRedeemed), (query) =>
      redeemOnce(query, id, orderOf, (order) => this.#insertKey(query, order)),
    )
  /** The nodes that sell from a database now, those that sell longest first; none of a file. */
  nodes = () => this.#read(selectNodes)
  audit = () => this.#sql.snapshot(this.#prove, true)
  trail = (page: TrailPage) => this.#read((query) => selectEntries(query, page))
  /** Events, the oldest first. */
  events = (range: EventRange) => this.#read((query) => selectEvents(query, range))
  issueAdminKey = (order: AdminKeyOrder) =>
    this.#change(ofIssued('admin-key', {}, idOf), async (query) => {
      const expiresAtMs = await this.#databaseTime(query, order.expiresAtMs)
      return insertAdminKey(query, { ...order, expiresAtMs })
    })
  /** Every admin key that was ever issued, oldest first. */
  listAdminKeys = async () => (await this.#read(selectAdminKeys)).map(shownAdminKey)
  revokeAdminKey = (id: string) =>
    this.#change(act('admin-key', 'revoke', id), (query) => revokeAdmin(query, id))
  /** The admin key with a hash; undefined where there is none that is good now. */
  adminKeyWith = (hash: string) => this.#read((query) => selectGoodAdminKey(query, hash))
  /** Writes an entry of a change that is not one of the books. */
  note = (what: Pick<TrailContent, 'action' | 'subject' | 'details' | 'before' | 'after'>) =>
    this.#sql.transaction((query) => insertNote(query, this.#cause, what))
  noteMade = (result: unknown) =>
    this.#sql.transaction((query) => insertMade(query, this.#cause, result))
  close = () => this.#sql.close()

  async #insertKey(query: RunStatement, order: KeyOrder): Promise<IssuedKey> {
    const expiresAtMs = await this.#databaseTime(query, order.expiresAtMs)
    return insertKey(query, { ...order, expiresAtMs })
  }

  /** A time of this machine's clock as one of the database's, by which keys expire; null stays null. */
  async #databaseTime(query: RunStatement, timeMs: number | null): Promise<number | null> {
    return timeMs && (await databaseMs(query)) + timeMs - this.#clock()
  }

  #read<T>(look: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#sql.snapshot(look)
  }

  #change<T>(act: Act<T>, change: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#sql.transaction((query) =>
      recordedIn(query, this.#cause, act, () => change(query)),
    )
  }

  #credit(name: string, order: Referenced, details: TrailFacts): Promise<Credited> {
    const what = order.kind === 'adjustment' ? 'adjust' : order.kind
    return creditOnce(this.#sql, name, order, (work) =>
      this.#change(act('account', what, name, details), work),
    )
  }
}

function act<T>(
  kind: TrailSubject['kind'],
  what: string,
  id: string,
  details: TrailFacts = {},
): Act<T> {
  return { action: `${kind}.${what}`, details, subject: () => ({ kind, id }) }
}

/** The issue of a key, which gets its id with it. @param idIn what the change returned; undefined for no key. */
function ofIssued<T>(
  kind: TrailSubject['kind'],
  details: TrailFacts,
  idIn: (result: T) => string | undefined,
): Act<T> {
  const subject = (result?: T) => {
    const id = result && idIn(result)
    return id === undefined ? undefined : { kind, id }
  }
  return { action: `${kind}.issue`, details, subject }
}

function idOf({ record }: { readonly record: { readonly id: string } }): string {
  return record.id
}

function idOfRedeemed(redeemed: Redeemed): string | undefined {
  return redeemed.state === 'issued' ? redeemed.issued.record.id : undefined
}
