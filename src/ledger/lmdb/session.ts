/**
 * A service's session with a ledger on the disk of its machine. A lock keeps other services out;
 * commands of other processes may change the ledger meanwhile.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Refusal } from '../../problems.ts'
import type { Lock } from '../../process/lock.ts'
import { Regularly } from '../../process/timing/regularly.ts'
import { isSuspended } from '../account-records.ts'
import { isStorageError } from '../disk/lmdb-file.ts'
import {
  adviceToOperator,
  fileName,
  forgetHeld,
  LostLedger,
  lockDirectory,
  noteHeld,
} from '../held-file.ts'
import { goodKeysOf } from '../keys/key-changes.ts'
import { periodName } from '../keys/spending-periods.ts'
import {
  type Changes,
  type ChargeBatch,
  cursorKeyBytes,
  type Funds,
  type GoodKey,
  type LedgerSession,
  type OwnerView,
  type OwnKey,
} from '../port.ts'
import { accounts } from './accounts.ts'
import { type Caps, fundsOfCaps } from './by-key/spending.ts'
import { allKeys } from './by-key/stored-keys.ts'
import { chargeBatch } from './charges.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { createFirstAccount, markFirstKeyShown } from './first-account.ts'
import { fundsOf } from './journal.ts'
import type { Tables, WrittenBatch } from './tables.ts'
import { ownerViewOf } from './views/owner-view.ts'

/**
 * Opens the ledger of a directory, made if there is none, under its lock.
 * @throws Refusal `already-running` when another service has it, `ledger-refused` or
 * `ledger-corrupt` when it cannot be opened.
 */
export async function openSession(directory: string, clock: () => number): Promise<LmdbSession> {
  const lock = await lockDirectory(directory)
  try {
    const environment = openEnvironment({ directory, clock, create: true })
    noteFile(environment)
    const upkeep = new Regularly(deadReadersMs, () => environment.forgetDeadReaders()).unref()
    return new LmdbSession(environment, lock, upkeep)
  } catch (error) {
    lock.release()
    throw error
  }
}

/** @throws Refusal `ledger-refused` when the disk refuses. */
function noteFile({ directory, file }: Environment): void {
  try {
    noteHeld(directory, file)
  } catch (error) {
    if (!isStorageError(error)) throw error
    throw new Refusal('ledger-refused', `${directory} could not be written: ${error.message}`)
  }
}

/**
 * Interval at which the readers of dead processes are forgotten, ms. Each time costs microseconds; until then
 * the file of a busy ledger grows by some megabytes a second.
 */
const deadReadersMs = 1_000

/** The session of an open ledger; see `openSession`. */
export class LmdbSession implements LedgerSession {
  readonly #environment: Environment
  readonly #lock: Lock
  readonly #id = randomUUID()
  readonly #upkeep: Regularly | undefined
  /** Good keys, by their hashes. */
  #keys: ReadonlyMap<string, GoodKey> = new Map()
  #sought = new Set<string>()
  /** Caps of good keys. */
  #caps: Caps = new Map()
  /** Time at which keys were read last. */
  #keysReadAtMs = Number.NEGATIVE_INFINITY
  /** The batch that stands in the ledger as the last one; only this service writes any. */
  #written: WrittenBatch | undefined
  /** The number of a batch of this session that may have been written; 0 for none. */
  #sent = 0
  #hasLooked = false
  /** Whether the file in the place of the ledger is not the one that is held. */
  #isLost = false

  /** @param upkeep regular work that ends with the session. */
  constructor(environment: Environment, lock: Lock, upkeep?: Regularly) {
    this.#environment = environment
    this.#lock = lock
    this.#upkeep = upkeep
  }

  async createFirstAccount(openingMicroUsd?: number): Promise<string | undefined> {
    return createFirstAccount(this.#environment, openingMicroUsd)
  }

  async firstKeyShown(): Promise<void> {
    markFirstKeyShown(this.#environment)
  }

  async cursorKey(): Promise<Uint8Array> {
    const environment = this.#environment
    const known = environment.read((tables) => tables.secrets.get('cursors'))
    if (known !== undefined) return Buffer.from(known, 'hex')
    const made = environment.random(cursorKeyBytes)
    environment.transact((tables) =>
      tables.secrets.putSync('cursors', Buffer.from(made).toString('hex')),
    )
    return made
  }

  seek(keyHash: string): void {
    this.#sought.add(keyHash)
  }

  /** The cursor holds the counters of changes, first of accounts, then of keys, and the day. */
  async readChanges(since: string | undefined): Promise<Changes> {
    this.#refuseUnlessHeld()
    this.#refuseUnlessInPlace()
    const [accountsSeen, keysSeen, daySeen] = since?.split(' ') ?? []
    return this.#environment.read((tables) => {
      const nowMs = this.nowMs()
      const accountChanges = String(tables.changes.get('accounts') ?? 0)
      const keyChanges = String(tables.changes.get('keys') ?? 0)
      const day = periodName('day', nowMs)
      const areKeysNew = keyChanges !== keysSeen || this.#isClockBack()
      if (areKeysNew) {
        this.#keys = new Map(this.#goodKeys(tables).map((key) => [key.hash, key]))
      }
      const areCapsNew = areKeysNew || day !== daySeen
      const sought = [...this.#sought]
      this.#sought.clear()
      return {
        cursor: `${accountChanges} ${keyChanges} ${day}`,
        funds: [
          ...(accountChanges === accountsSeen ? [] : accounts(tables).map(fundsOf)),
          ...(areCapsNew ? fundsOfCaps(tables, this.#caps.keys(), this.#caps, nowMs) : []),
        ],
        changedKeys: areKeysNew ? 'all' : [],
        keys: sought.flatMap((hash) => this.#keys.get(hash) ?? []),
        badKeys: sought.filter((hash) => !this.#keys.has(hash)),
      }
    })
  }

  async readOwner(key: OwnKey): Promise<OwnerView | undefined> {
    return ownerViewOf(this.#environment, key)
  }

  readonly nowMs = (): number => this.#environment.clock()

  async commit(batch: ChargeBatch): Promise<readonly Funds[]> {
    this.#refuseUnlessHeld()
    this.#refuseUnlessInPlace()
    this.#sent = batch.number
    const funds = chargeBatch(this.#environment, { session: this.#id, ...batch }, this.#caps)
    // A batch written to a file that has gone meanwhile is sent again to the file that comes back.
    this.#refuseUnlessInPlace()
    return funds
  }

  async close(): Promise<void> {
    this.#upkeep?.stop()
    try {
      await this.#environment.close()
      forgetHeld(this.#environment.directory)
    } finally {
      this.#lock.release()
    }
  }

  /** Final: the present holder may have sold the same money. */
  #refuseUnlessHeld(): void {
    if (this.#lock.isHeld()) return
    const { directory } = this.#environment
    const reason = `another process took the lock of ${directory} while this one stood still`
    throw new Refusal('already-running', `${reason}; stop this service`)
  }

  /** A clock that was ahead and is put right makes keys good again that it had taken for expired. */
  #isClockBack(): boolean {
    return this.nowMs() < this.#keysReadAtMs
  }

  /** @throws Refusal `ledger-refused` while another file is in the place of the ledger, or none. */
  #refuseUnlessInPlace(): void {
    try {
      this.#environment.refuseIfMoved()
      this.#refuseUnlessOwn()
    } catch (error) {
      if (!(error instanceof LostLedger)) throw error
      this.#noteLost(error.message)
      throw new Refusal(error.code, `${error.message}; ${adviceToOperator}`)
    }
    if (this.#isLost) noteFile(this.#environment)
    this.#isLost = false
  }

  /** The same file may have the content of another: a copy over it, or a backup. */
  #refuseUnlessOwn(): void {
    const last = this.#environment.read((tables) => tables.batches.get('last'))
    const isSent = last?.session === this.#id && last.number === this.#sent
    if (isSent || !this.#hasLooked) this.#written = last
    this.#hasLooked = true
    if (last?.session === this.#written?.session && last?.number === this.#written?.number) return
    const path = join(this.#environment.directory, fileName)
    throw new LostLedger(`${path} was written over`)
  }

  /** For commands, which refuse such a file then; where it cannot be written they compare files. */
  #noteLost(reason: string): void {
    if (this.#isLost) return
    const { directory, file } = this.#environment
    try {
      noteHeld(directory, { ...file, lost: reason })
      this.#isLost = true
    } catch (error) {
      if (!isStorageError(error)) throw error
    }
  }

  #goodKeys(tables: Tables): GoodKey[] {
    const nowMs = this.nowMs()
    this.#keysReadAtMs = nowMs
    const suspended = new Set(
      accounts(tables)
        .filter(isSuspended)
        .map(({ number }) => number),
    )
    const keys = goodKeysOf(allKeys(tables), (number) => suspended.has(number), nowMs)
    this.#caps = new Map(
      keys.flatMap(({ id, terms }) => (terms?.cap ? [[id, terms.cap] as const] : [])),
    )
    return keys
  }
}
