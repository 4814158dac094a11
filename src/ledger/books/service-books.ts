/**
 * What a service asks of its ledger beside its sales: what the first service of a ledger makes,
 * once (the account `default` with its key, and the secret that all services share), accounts as
 * their owners see them, and events.
 */
import type { RunStatement, Sql } from '../sql/port.ts'
import { insertAccount, noteChange } from './account-rows.ts'
import { type OwnerView, type OwnKey, selectOwnerView } from './account-views.ts'
import { keepEvents, type NewEvent, noteEvent } from './events.ts'
import { insertKey, type KeyOrder } from './key-rows.ts'

const firstKeyOrder: KeyOrder = { account: 'default' }

const keepEventsMs = 60_000

/** The books of an open ledger. All of its methods throw Refusal `ledger-refused`. */
export class ServiceBooks {
  readonly #sql: Sql
  readonly #showMsMax: number
  readonly #start: <T>(work: () => Promise<T>) => Promise<T>
  #eventsKeptAtMs = Number.NEGATIVE_INFINITY

  /**
   * @param showMsMax time for which the key of a first account may wait to be shown, ms: another service that made it may be showing it.
   * @param start does work of a start: again, while the database cannot be reached.
   */
  constructor(
    sql: Sql,
    showMsMax = 0,
    start: <T>(work: () => Promise<T>) => Promise<T> = (work) => work(),
  ) {
    this.#sql = sql
    this.#showMsMax = showMsMax
    this.#start = start
  }

  /**
   * When there is no account at all; its key anew while that was never shown. Services that start
   * together wait here for each other.
   * @returns the text of the key, which is nowhere else; undefined when there was an account.
   */
  createFirstAccount(openingMicroUsd?: number): Promise<string | undefined> {
    return this.#begin(async (query) => {
      // As every change of keys does: so one that reads a key and writes it has the last of it.
      await query('select n from audit_head where id = 1 for update')
      const [need] = await query<{ empty: boolean | number; unshown: string | null }>(
        `select not exists (select 1 from account) as empty,
          (select min(id) from api_key where unshown and revoked_ms is null
           and created_ms <= now_ms() - ${this.#showMsMax}) as unshown`,
      )
      if (!need!.empty && need!.unshown === null) return undefined
      if (need!.empty) await insertAccount(query, firstKeyOrder.account, openingMicroUsd)
      else {
        await query(
          `update api_key set revoked_ms = now_ms(), unshown = false, changed = $1
           where unshown and revoked_ms is null`,
          [await noteChange(query)],
        )
      }
      const { text, record } = await insertKey(query, firstKeyOrder)
      await query('update api_key set unshown = true where id = $1', [record.id])
      return text
    })
  }

  firstKeyShown = async (): Promise<void> => {
    await this.#begin((query) => query('update api_key set unshown = false where unshown'))
  }

  /**
   * The key of the cursors of pages: 32 random bytes, the same for every service of this ledger
   * ever after.
   */
  cursorKey(): Promise<Uint8Array> {
    return this.#begin(async (query) => {
      const [row] = await query<{ key: string }>('select cursor_key as key from ledger_identity')
      return Buffer.from(row!.key, 'hex')
    })
  }

  readOwner = (key: OwnKey): Promise<OwnerView | undefined> =>
    this.#sql.snapshot((query) => selectOwnerView(query, key))

  note = (event: NewEvent, isAgain: boolean): Promise<void> => noteEvent(this.#sql, event, isAgain)

  /** Writes the events that time causes, and forgets old ones, once in a while. @param nowMs from any origin. */
  async keepEvents(nowMs: number): Promise<void> {
    if (nowMs - this.#eventsKeptAtMs < keepEventsMs) return
    this.#eventsKeptAtMs = nowMs
    await keepEvents(this.#sql)
  }

  #begin<T>(work: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#start(() => this.#sql.transaction(work))
  }
}
