/**
 * What a service asks of its ledger beside its sales: the first account, the secret that its cursors are written with,
 * accounts as their owners see them, and events.
 */
import { randomBytes } from 'node:crypto'
import type { RunStatement, Sql } from '../sql/port.ts'
import { readOwnerView } from './account-views.ts'
import { noteEvent } from './event-rows.ts'
import type { NewEvent } from './events.ts'
import { cursorKey, insertFirstAccount, markShown } from './first-rows.ts'
import type { OwnerView, OwnKey } from './port.ts'

/** How a service works on its books. */
interface ServiceBooksOptions {
  /** Time for which the key of a first account may wait to be shown, ms: another service that made it may be showing it. */
  readonly showMsMax: number
  /** Does work of a start: again, while the database cannot be reached. */
  readonly start: <T>(work: () => Promise<T>) => Promise<T>
}

/** The books of an open ledger. All of its methods throw Refusal `ledger-refused`. */
export class ServiceBooks {
  readonly #sql: Sql
  readonly #options: ServiceBooksOptions

  constructor(sql: Sql, options: ServiceBooksOptions) {
    this.#sql = sql
    this.#options = options
  }

  /**
   * Makes the account `default` with a key when there is no account at all; its key anew while that was never shown.
   * @param openingMicroUsd what the account starts with; 50 USD where it is absent.
   * @returns the text of the key, which is nowhere else; undefined when there was an account.
   */
  async createFirstAccount(openingMicroUsd?: number): Promise<string | undefined> {
    const order = { openingMicroUsd, showMsMax: this.#options.showMsMax }
    const key = await this.#begin((query) => insertFirstAccount(query, randomBytes, order))
    if (key !== undefined) await this.#sql.tell?.()
    return key
  }

  /** Says that the key of the first account was shown. */
  firstKeyShown = (): Promise<void> => this.#begin(markShown)

  /**
   * The secret key that cursors of pages are written with: 32 random bytes, made with the ledger's first service, and
   * the same for every service of this ledger ever after.
   */
  cursorKey = (): Promise<Uint8Array> => this.#begin(cursorKey)

  /** An account as a holder of one of its keys sees it; undefined for a key that the ledger does not have. */
  readOwner = (key: OwnKey): Promise<OwnerView | undefined> => readOwnerView(this.#sql, key)

  /**
   * Writes an event that several services may see, once.
   * @param isAgain whether it can be a repetition of an older one: then only the newest of its kind is compared.
   */
  note = (event: NewEvent, isAgain: boolean): Promise<void> => noteEvent(this.#sql, event, isAgain)

  #begin<T>(work: (query: RunStatement) => Promise<T>): Promise<T> {
    return this.#options.start(() => this.#sql.transaction(work))
  }
}
