/**
 * The questions that accounts have paid for under an `Idempotency-Key`, in memory that all threads share: for
 * ten minutes a repeat pays only for what was not paid. Entries lie in buckets by the hash of account and
 * key. A bucket that is full forgets the oldest entry of the account that has most of it, and an account has
 * at most half of each, so no account can push out the keys of the others.
 *
 * A bucket is read and changed under its lock, for about a microsecond. The paid count only rises, and the answer
 * that raises it pays the difference: of two answers to one question at once, one is paid for. An entry also says
 * how much of it the ledger knows; the main thread takes the rest from it, for the batch with its charge.
 */

import { SharedLocks } from '../shared-locks.ts'

/** The memory itself: a plain value to hand to a worker thread. */
export interface SharedPaidQuestions {
  readonly entries: SharedArrayBuffer
  readonly locks: SharedArrayBuffer
  /** A bit for each bucket: whether it may hold something that the ledger does not know. */
  readonly news: SharedArrayBuffer
}

/** A key of an account, and what was asked under it. Each hash is a list of two numbers of 32 bits. */
export interface QuestionId {
  /** The account, by its slot. */
  readonly slot: number
  readonly key: readonly [number, number]
  readonly question: readonly [number, number]
}

/** The queries of its question that an answer pays for, and their price. */
export interface Payment {
  /** The queries that its reservation took as paid: they are, also where the entry was forgotten since. */
  readonly from: number
  /** The queries that are paid with it. */
  readonly to: number
  /** Price of each query. */
  readonly priceMicroUsd: number
}

/** A payment that the ledger does not know yet. */
export interface UnwrittenPayment extends QuestionId, Payment {
  /** Time at which its key is forgotten, by the clock of the threads. */
  readonly untilSeconds: number
}

/** The paid queries of a question, as the ledger knows them. */
interface WrittenPayment {
  readonly queries: number
  /** Time for which its key is still remembered. */
  readonly leftSeconds: number
}

/** Duration for which a key is remembered after its question was asked first. */
export const keptSeconds = 600

const buckets = 1 << 15
const bucketsPerWord = 32
const entriesPerBucket = 16
/** Cells of an entry: account, both hashes, end, paid queries, those of them that the ledger knows, and their price. */
const cells = {
  account: 0,
  key: 1,
  question: 3,
  untilSeconds: 5,
  paid: 6,
  written: 7,
  priceMicroUsd: 8,
  perEntry: 9,
} as const
const cellsPerBucket = entriesPerBucket * cells.perEntry

/** Maximum number of keys that are kept, of all accounts and of one. */
const keysMax: number = buckets * entriesPerBucket
export const keysPerAccountMax: number = keysMax / 2

/** 18 MiB, untouched pages of which cost nothing. */
export function createSharedPaidQuestions(): SharedPaidQuestions {
  return {
    entries: new SharedArrayBuffer(buckets * cellsPerBucket * Int32Array.BYTES_PER_ELEMENT),
    locks: new SharedArrayBuffer(buckets * Int32Array.BYTES_PER_ELEMENT),
    news: new SharedArrayBuffer((buckets / bucketsPerWord) * Int32Array.BYTES_PER_ELEMENT),
  }
}

/** One thread's view. */
export class PaidQuestions {
  readonly #entries: Int32Array
  readonly #locks: SharedLocks
  readonly #news: Int32Array
  readonly #clock: () => number

  /**
   * @param place of the thread, from 0; no two that run at a time have the same.
   * @param clock milliseconds, the same for all threads, and never going back.
   */
  constructor({ entries, locks, news }: SharedPaidQuestions, place: number, clock: () => number) {
    this.#entries = new Int32Array(entries)
    this.#locks = new SharedLocks(locks, place)
    this.#news = new Int32Array(news)
    this.#clock = clock
  }

  /** Opens the locks of a thread that died in this place. */
  releaseLeftOver(): void {
    this.#locks.releaseLeftOver()
  }

  /** Number of paid queries of a question; undefined if its key belongs to another question. */
  paidOf(id: QuestionId): number | undefined {
    return this.#locked(id, (bucket) => {
      const at = this.#find(bucket, id)
      if (at < 0) return 0
      return this.#isSame(at, id) ? this.#entries[at + cells.paid]! : undefined
    })
  }

  /**
   * Remembers that a question is being asked. Returns false where its key belongs to another by now.
   * @param paid what was paid of it, where it was forgotten since.
   */
  begin(id: QuestionId, paid = 0): boolean {
    return this.#locked(id, (bucket) => {
      const at = this.#find(bucket, id)
      if (at >= 0) return this.#isSame(at, id)
      this.#add(bucket, id, paid, keptSeconds)
      return true
    })
  }

  /**
   * An answer was written: raises what is paid of its question. Returns what was paid before, which is not to
   * be paid again.
   */
  settle(id: QuestionId, { from, to, priceMicroUsd }: Payment): number {
    return this.#locked(id, (bucket) => {
      const entries = this.#entries
      const found = this.#find(bucket, id)
      if (found >= 0 && !this.#isSame(found, id)) return from
      const at = found >= 0 ? found : this.#add(bucket, id, from, keptSeconds)
      const paid = entries[at + cells.paid]!
      const before = Math.max(paid, from)
      if (to > before) {
        // An entry that was forgotten and made anew may have less than what this answer found paid.
        entries[at + cells.written]! += before - paid
        entries[at + cells.paid] = to
        entries[at + cells.priceMicroUsd] = priceMicroUsd
        this.#tell(bucket)
      }
      return before
    })
  }

  /**
   * Takes over what the ledger knows of a question. Returns false where that must wait: a thread has the
   * bucket, or the ledger is to learn first what was paid here. Does not wait, so that the main thread can
   * replace a thread that died with a lock.
   */
  learn(id: QuestionId, { queries, leftSeconds }: WrittenPayment): boolean {
    const bucket = bucketOf(id)
    if (!this.#locks.tryLock(bucket)) return false
    try {
      const entries = this.#entries
      const at = this.#find(bucket, id)
      if (at < 0) this.#add(bucket, id, queries, leftSeconds)
      else if (this.#isSame(at, id)) {
        if (entries[at + cells.paid]! > entries[at + cells.written]!) return false
        if (queries <= entries[at + cells.paid]!) return true
        entries[at + cells.paid] = queries
        entries[at + cells.written] = queries
      }
      return true
    } finally {
      this.#locks.unlock(bucket)
    }
  }

  /** Takes what was paid and the ledger does not know, each part once. Does not wait: see `learn`. */
  takeUnwritten(): UnwrittenPayment[] {
    const taken: UnwrittenPayment[] = []
    for (let word = 0; word < this.#news.length; word += 1) {
      if (this.#news[word] === 0) continue
      const bits = Atomics.exchange(this.#news, word, 0)
      for (let bit = 0; bit < bucketsPerWord; bit += 1) {
        if ((bits & (1 << bit)) !== 0) this.#takeFrom(word * bucketsPerWord + bit, taken)
      }
    }
    return taken
  }

  #takeFrom(bucket: number, taken: UnwrittenPayment[]): void {
    if (!this.#locks.tryLock(bucket)) {
      this.#tell(bucket)
      return
    }
    const entries = this.#entries
    const start = bucket * cellsPerBucket
    for (let at = start; at < start + cellsPerBucket; at += cells.perEntry) {
      const [to, from] = [entries[at + cells.paid]!, entries[at + cells.written]!]
      if (to <= from) continue
      taken.push({
        slot: entries[at + cells.account]! - 1,
        key: [entries[at + cells.key]!, entries[at + cells.key + 1]!],
        question: [entries[at + cells.question]!, entries[at + cells.question + 1]!],
        from,
        to,
        priceMicroUsd: entries[at + cells.priceMicroUsd]!,
        untilSeconds: entries[at + cells.untilSeconds]!,
      })
      entries[at + cells.written] = to
    }
    this.#locks.unlock(bucket)
  }

  #tell(bucket: number): void {
    const word = Math.floor(bucket / bucketsPerWord)
    Atomics.or(this.#news, word, 1 << (bucket % bucketsPerWord))
  }

  #nowSeconds(): number {
    return Math.floor(this.#clock() / 1000)
  }

  /** First cell of the entry of a key; below 0 if there is none. */
  #find(bucket: number, { slot, key }: QuestionId): number {
    const entries = this.#entries
    const nowSeconds = this.#nowSeconds()
    const start = bucket * cellsPerBucket
    for (let at = start; at < start + cellsPerBucket; at += cells.perEntry) {
      if (entries[at + cells.account] !== slot + 1) continue
      if (entries[at + cells.key] !== key[0] || entries[at + cells.key + 1] !== key[1]) continue
      if (entries[at + cells.untilSeconds]! > nowSeconds) return at
    }
    return -1
  }

  #isSame(at: number, { question }: QuestionId): boolean {
    const entries = this.#entries
    return (
      entries[at + cells.question] === question[0] &&
      entries[at + cells.question + 1] === question[1]
    )
  }

  /** Returns where the entry begins, of which the ledger knows all that is paid. */
  #add(
    bucket: number,
    { slot, key, question }: QuestionId,
    paid: number,
    leftSeconds: number,
  ): number {
    const entries = this.#entries
    const at = this.#placeIn(bucket, slot)
    entries[at + cells.account] = slot + 1
    entries[at + cells.key] = key[0]
    entries[at + cells.key + 1] = key[1]
    entries[at + cells.question] = question[0]
    entries[at + cells.question + 1] = question[1]
    entries[at + cells.untilSeconds] = this.#nowSeconds() + leftSeconds
    entries[at + cells.paid] = paid
    entries[at + cells.written] = paid
    return at
  }

  /** A place that is free or over; else the oldest of the account that has most, which may be this one. */
  #placeIn(bucket: number, slot: number): number {
    const entries = this.#entries
    const nowSeconds = this.#nowSeconds()
    const start = bucket * cellsPerBucket
    const counts = new Map<number, number>()
    let free = -1
    for (let at = start; at < start + cellsPerBucket; at += cells.perEntry) {
      const account = entries[at + cells.account]!
      if (account === 0 || entries[at + cells.untilSeconds]! <= nowSeconds) free = at
      else counts.set(account, (counts.get(account) ?? 0) + 1)
    }
    const own = counts.get(slot + 1) ?? 0
    if (own < entriesPerBucket / 2 && free >= 0) return free
    const most = own >= entriesPerBucket / 2 ? own : Math.max(...counts.values())
    let oldest = -1
    for (let at = start; at < start + cellsPerBucket; at += cells.perEntry) {
      const account = entries[at + cells.account]!
      if (own >= entriesPerBucket / 2 ? account !== slot + 1 : counts.get(account) !== most)
        continue
      if (
        oldest >= 0 &&
        entries[at + cells.untilSeconds]! >= entries[oldest + cells.untilSeconds]!
      ) {
        continue
      }
      oldest = at
    }
    return oldest
  }

  #locked<T>(id: QuestionId, work: (bucket: number) => T): T {
    const bucket = bucketOf(id)
    return this.#locks.locked(bucket, () => work(bucket))
  }
}

function bucketOf({ slot, key }: QuestionId): number {
  return (key[0] ^ Math.imul(slot + 1, 0x9e3779b1)) & (buckets - 1)
}
