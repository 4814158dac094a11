/**
 * The one place that spends the balances of a ledger: it turns recorded sales into charges, one
 * durable batch a window, and follows what other processes change; nothing of this overlaps. A
 * crash loses the sales since the last commit, in the customer's favour. A commit that fails, or
 * takes longer than a few windows, loses nothing and stops the sale until it succeeds.
 */
import type { Prices } from '../../operations.ts'
import { Refusal, thrownMessage } from '../../problems.ts'
import type { Changes, ChargeBatch, GoodKey, LedgerSession } from '../books/port.ts'
import { Balances, createSharedBalances, type SharedBalances } from './balances.ts'
import type { KeyEntry, KeyNews } from './keyring.ts'
import { Slots } from './slots.ts'

interface CommitsOptions {
  readonly threads: number
  readonly prices: Prices
  /** Whole milliseconds from any origin, never going back; threads that sell must have the same. */
  readonly clock: () => number
  readonly onKeys: (news: KeyNews) => void
  readonly report: (line: string) => void
  /** Is called with one line when accounts do not add up any more, which is a bug. */
  readonly onImbalance: (line: string) => void
}

interface Task {
  readonly failed: string
  readonly recovered: string
}

const recordingCharges: Task = {
  failed: 'charges cannot be recorded, so nothing is sold',
  recovered: 'charges are recorded again',
}

const followingChanges: Task = {
  failed: 'changes of the ledger cannot be followed, so nothing is sold',
  recovered: 'changes of the ledger are followed again',
}

const followIntervalMs = 200

/** A thread may be stopped within a reservation, and for a moment no sum has what it took. */
const imbalanceMs = 1_000

/**
 * Delay of commits after which nothing is sold: so many windows, but no less than a busy disk may
 * take for one (with 500 ms, a test under load was refused). A crash loses no more than the sales
 * of that time.
 */
const windowsBehindMax = 5
const behindMsMin = 2_000

export class Commits {
  readonly shared: SharedBalances
  readonly balances: Balances
  readonly slots: Slots
  readonly #session: LedgerSession
  readonly #options: CommitsOptions
  readonly #timers: NodeJS.Timeout[] = []
  /** Tasks that are failing at the moment, with their reasons; the sale stops while there are any. */
  readonly #failing = new Map<Task, string>()
  #turn: Promise<unknown> = Promise.resolve()
  #batchNumber = 0
  /** Everything that was sold until then is in a batch. */
  #reviewedAtMs = 0
  #behindMsMax = Number.POSITIVE_INFINITY
  #unwritten: ChargeBatch | undefined
  /** The keys that threads were handed, by their hashes, until they change: as many as there are lines of sales. */
  readonly #keys = new Map<string, KeyEntry>()
  #isFollowDue = false
  #imbalancedSinceMs: ReadonlyMap<string, number> = new Map()
  #isBalanced = true

  private constructor(session: LedgerSession, options: CommitsOptions) {
    this.shared = createSharedBalances(options.threads)
    this.balances = new Balances(this.shared)
    this.slots = new Slots(this.balances, options.prices)
    this.#session = session
    this.#options = options
    session.bind?.(this.slots, () => void this.follow())
  }

  /** Reads the whole ledger. If that is refused, the session is still open. */
  static async open(session: LedgerSession, options: CommitsOptions): Promise<Commits> {
    const commits = new Commits(session, options)
    await commits.#readChanges()
    return commits
  }

  /** Why nothing is sold, as the ledger said last; undefined while it says nothing. */
  get failure(): string | undefined {
    const [reason] = this.#failing.values()
    return reason
  }

  get isBalanced(): boolean {
    return this.#isBalanced
  }

  /** Commits every window and follows the ledger until `close`; threads may sell from now on. */
  start(windowMs: number): void {
    this.#behindMsMax = Math.max(windowsBehindMax * windowMs, behindMsMin)
    this.balances.setSellUntil(this.#options.clock() + this.#behindMsMax)
    this.#timers.push(every(windowMs, () => this.commit()))
    this.#timers.push(every(followIntervalMs, () => this.follow()))
  }

  /** A batch that failed is sent again, as it was, first. Returns whether all is written. */
  commit(): Promise<boolean> {
    return this.#inTurn(recordingCharges, () => this.#commit())
  }

  follow(): Promise<boolean> {
    return this.#inTurn(followingChanges, () => this.#readChanges())
  }

  get keys(): KeyNews {
    return { changed: [], keys: [...this.#keys.values()], bad: [] }
  }

  seek(keyHash: string): void {
    const known = this.#keys.get(keyHash)
    if (known !== undefined && this.#session.nowMs() < known.expiresAtMs) {
      this.#options.onKeys({ changed: [], keys: [known], bad: [] })
      return
    }
    this.#session.seek(keyHash)
    // Those that are sought while this waits for its turn are found with it.
    if (this.#isFollowDue) return
    this.#isFollowDue = true
    void this.follow()
  }

  /** @throws Refusal `ledger-refused` when the last charges could not be written; they are lost. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    // The first commit may only repeat a batch that had failed; the second writes what came after.
    const isWritten = (await this.commit()) && (await this.commit())
    await this.#session.close().catch((error: unknown) => {
      // What kept the charges from being written keeps the ledger from being closed, too.
      if (isWritten) throw error
    })
    if (!isWritten) {
      throw new Refusal('ledger-refused', 'the last charges could not be written and are lost')
    }
  }

  #inTurn(task: Task, work: () => Promise<void>): Promise<boolean> {
    const turn = this.#turn.then(() => this.#attempt(task, work))
    this.#turn = turn
    return turn
  }

  async #attempt(task: Task, work: () => Promise<void>): Promise<boolean> {
    try {
      await work()
      if (this.#failing.delete(task)) this.#options.report(task.recovered)
    } catch (error) {
      const reason = thrownMessage(error)
      if (!this.#failing.has(task)) this.#options.report(`${task.failed}: ${reason}`)
      this.#failing.set(task, reason)
    }
    this.balances.setUnavailable(this.#failing.size > 0)
    return !this.#failing.has(task)
  }

  async #commit(): Promise<void> {
    if (this.#unwritten === undefined) {
      this.#reviewedAtMs = this.#options.clock()
      this.#unwritten = this.#nextBatch()
    }
    if (this.#unwritten !== undefined) {
      const funds = await this.#session.commit(this.#unwritten)
      this.slots.settle(this.#unwritten.charges, funds)
      this.#unwritten = undefined
    }
    // Leases may end before commits are behind.
    const heldUntilMs = this.#session.heldUntilMs?.() ?? Number.POSITIVE_INFINITY
    this.balances.setSellUntil(Math.min(this.#reviewedAtMs + this.#behindMsMax, heldUntilMs))
  }

  #nextBatch(): ChargeBatch | undefined {
    const { charges, imbalances } = this.slots.review()
    this.#watch(imbalances)
    if (charges.length === 0) return undefined
    this.#batchNumber += 1
    return { number: this.#batchNumber, charges }
  }

  #watch(imbalances: ReadonlyMap<string, string>): void {
    const nowMs = this.#options.clock()
    const since = [...imbalances.keys()].map((whose) => {
      return [whose, this.#imbalancedSinceMs.get(whose) ?? nowMs] as const
    })
    this.#imbalancedSinceMs = new Map(since)
    const lasting = since.filter(([, sinceMs]) => nowMs - sinceMs >= imbalanceMs)
    const [whose] = lasting[0] ?? []
    if (whose !== undefined && this.#isBalanced) {
      const others = lasting.length > 1 ? `, and ${lasting.length - 1} others` : ''
      const held = `${imbalances.get(whose)}, which the ledger has`
      this.#options.onImbalance(`${whose} does not add up: ${held}${others}`)
    }
    this.#isBalanced = whose === undefined
  }

  /** Credits before keys, so that a key never comes before the money of its account. */
  async #readChanges(): Promise<void> {
    this.#isFollowDue = false
    const changes = await this.#session.readChanges()
    for (const each of changes.funds) this.slots.grant(each)
    this.balances.setLedgerClock(this.#session.nowMs() - this.#options.clock())
    this.#publish(changes)
  }

  /** A key of no account, which only damage makes, is not good, and neither is one for which there is no room. */
  #publish({ changedKeys, keys: good, badKeys }: Changes): void {
    const changed = this.#forget(changedKeys)
    const keys = good.flatMap((key) => this.#entryOf(key) ?? [])
    const placed = new Set(keys.map(({ hash }) => hash))
    const leftOut = good.filter(({ hash }) => !placed.has(hash)).map(({ hash }) => hash)
    if (leftOut.length > 0) {
      this.#options.report(`${leftOut.length} keys are not good: there is no room for them`)
    }
    for (const entry of keys) this.#keys.set(entry.hash, entry)
    const bad = [...badKeys, ...leftOut]
    for (const hash of bad) this.#keys.delete(hash)
    if (changed.length + keys.length + bad.length > 0) this.#options.onKeys({ changed, keys, bad })
  }

  #forget(changed: Changes['changedKeys']): string[] {
    if (changed.length === 0) return []
    const ids = new Set(changed === 'all' ? [] : changed)
    const isChanged = ({ keyId }: KeyEntry) => changed === 'all' || ids.has(keyId)
    const hashes = [...this.#keys.values()].filter(isChanged).map(({ hash }) => hash)
    for (const hash of hashes) this.#keys.delete(hash)
    return hashes
  }

  #entryOf({ id: keyId, hash, accountNumber, expiresAtMs, terms }: GoodKey): KeyEntry | undefined {
    const accountSlot = this.slots.slotOf(accountNumber)
    const sold = this.slots.placeOf(accountNumber, keyId, terms?.cap !== undefined)
    if (accountSlot === undefined || sold === undefined) return undefined
    const entry = { hash, accountSlot, keyId, expiresAtMs, ...sold }
    if (terms === undefined) return entry
    const place = this.slots.termsPlaceOf(keyId)
    return place === undefined ? undefined : { ...entry, terms: { ...terms, place } }
  }
}

function every(intervalMs: number, work: () => Promise<unknown>): NodeJS.Timeout {
  let isBusy = false
  return setInterval(async () => {
    if (isBusy) return
    isBusy = true
    await work()
    isBusy = false
  }, intervalMs)
}
