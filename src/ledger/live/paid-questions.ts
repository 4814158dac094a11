/**
 * The questions that accounts have paid for under an `Idempotency-Key`, in memory that all threads
 * share: for ten minutes a repeat pays only for what was not paid, and a key can be repeated so
 * often. Entries lie in buckets by account and key. A full bucket forgets the oldest entry of the
 * account that has most of it, and an account has at most half of each, so no account can push out
 * the keys of the others.
 *
 * The paid count only rises, and the answer that raises it pays the difference: of two answers to
 * one question at once, one is paid for. A lost answer is remembered in the same way, under a key
 * of its own.
 */

import { limits } from '../../limits.ts'
import { SharedLocks } from './shared-locks.ts'

export interface SharedPaidQuestions {
  readonly entries: SharedArrayBuffer
  readonly locks: SharedArrayBuffer
}

/** A key of an account. A hash is a list of two numbers of 32 bits. */
interface KeyId {
  readonly slot: number
  readonly key: readonly [number, number]
}

export interface QuestionId extends KeyId {
  readonly question: readonly [number, number]
}

export interface Payment {
  /** The queries that its reservation took as paid: they are, also where the entry was forgotten since. */
  readonly from: number
  readonly to: number
}

/** Why a question is not asked: its key belongs to another, or was repeated too often, and is forgotten so soon. */
export type NotBegun = 'reused' | { readonly forgottenInSeconds: number }

export const keptSeconds = 600

const buckets = 1 << 15
const entriesPerBucket = 16
const cells = {
  account: 0,
  key: 1,
  question: 3,
  untilSeconds: 5,
  paid: 6,
  repeats: 7,
  perEntry: 8,
} as const
const cellsPerBucket = entriesPerBucket * cells.perEntry

/** The cell behind all buckets: the second until which an answer that was lost may be remembered; 0 before the first. */
const lostUntilSecond = buckets * cellsPerBucket

/** 16 MiB, untouched pages of which cost nothing. */
export function createSharedPaidQuestions(): SharedPaidQuestions {
  return {
    entries: new SharedArrayBuffer((lostUntilSecond + 1) * Int32Array.BYTES_PER_ELEMENT),
    locks: new SharedArrayBuffer(buckets * Int32Array.BYTES_PER_ELEMENT),
  }
}

export class PaidQuestions {
  readonly #entries: Int32Array
  readonly #locks: SharedLocks
  readonly #clock: () => number

  /** @param clock milliseconds, the same for all threads, and never going back. */
  constructor({ entries, locks }: SharedPaidQuestions, place: number, clock: () => number) {
    this.#entries = new Int32Array(entries)
    this.#locks = new SharedLocks(locks, place)
    this.#clock = clock
  }

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

  /** @param paid what was paid of it, where it was forgotten since. */
  begin(id: QuestionId, paid = 0): NotBegun | undefined {
    return this.#locked(id, (bucket) => {
      const entries = this.#entries
      const at = this.#find(bucket, id)
      if (at < 0) this.#add(bucket, id, paid)
      else if (!this.#isSame(at, id)) return 'reused'
      else if (this.#isUsedUp(at)) return { forgottenInSeconds: this.#leftSeconds(at) }
      else entries[at + cells.repeats]! += 1
      return undefined
    })
  }

  /** Seconds until a key is forgotten that was repeated as often as it may be; undefined for any other key. */
  usedUpForSeconds(id: KeyId): number | undefined {
    return this.#locked(id, (bucket) => {
      const at = this.#find(bucket, id)
      return at >= 0 && this.#isUsedUp(at) ? this.#leftSeconds(at) : undefined
    })
  }

  /** Returns what was paid of the question before, which is not to be paid again. */
  settle(id: QuestionId, { from, to }: Payment): number {
    return this.#locked(id, (bucket) => {
      const entries = this.#entries
      const found = this.#find(bucket, id)
      if (found >= 0 && !this.#isSame(found, id)) return from
      const at = found >= 0 ? found : this.#add(bucket, id, from)
      // An entry that was forgotten and made anew may have less than what this answer found paid.
      const before = Math.max(entries[at + cells.paid]!, from)
      entries[at + cells.paid] = Math.max(before, to)
      return before
    })
  }

  /** Remembers that an answer to a question was paid and lost: it may be repeated once more. */
  addLost(id: QuestionId, paid: number): void {
    this.#locked(id, (bucket) => {
      const entries = this.#entries
      let at = this.#find(bucket, id)
      if (at < 0) {
        at = this.#add(bucket, id, paid)
        entries[at + cells.repeats] = limits.idempotencyRepeatsMax
      }
      entries[at + cells.paid] = Math.max(entries[at + cells.paid]!, paid)
      entries[at + cells.repeats]! -= 1
    })
    Atomics.store(this.#entries, lostUntilSecond, this.#nowSeconds() + keptSeconds)
  }

  hasLost(): boolean {
    const until = this.#entries[lostUntilSecond]!
    return until > 0 && until > this.#nowSeconds()
  }

  #isUsedUp(at: number): boolean {
    return this.#entries[at + cells.repeats]! >= limits.idempotencyRepeatsMax
  }

  #leftSeconds(at: number): number {
    return this.#entries[at + cells.untilSeconds]! - this.#nowSeconds()
  }

  #nowSeconds(): number {
    return Math.floor(this.#clock() / 1000)
  }

  /** First cell of the entry of a key; below 0 if there is none. */
  #find(bucket: number, { slot, key }: KeyId): number {
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

  /** Writes all cells of an entry, in their order. */
  #add(bucket: number, { slot, key, question }: QuestionId, paid: number): number {
    const at = this.#placeIn(bucket, slot)
    const untilSeconds = this.#nowSeconds() + keptSeconds
    this.#entries.set([slot + 1, ...key, ...question, untilSeconds, paid, 0], at)
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
    const hasShare = own >= entriesPerBucket / 2
    if (!hasShare && free >= 0) return free
    const most = Math.max(...counts.values())
    let oldest = -1
    for (let at = start; at < start + cellsPerBucket; at += cells.perEntry) {
      const account = entries[at + cells.account]!
      if (hasShare ? account !== slot + 1 : counts.get(account) !== most) continue
      const until = entries[at + cells.untilSeconds]!
      if (oldest < 0 || until < entries[oldest + cells.untilSeconds]!) oldest = at
    }
    return oldest
  }

  #locked<T>(id: KeyId, work: (bucket: number) => T): T {
    const bucket = bucketOf(id)
    return this.#locks.locked(bucket, () => work(bucket))
  }
}

function bucketOf({ slot, key }: KeyId): number {
  return (key[0] ^ Math.imul(slot + 1, 0x9e3779b1)) & (buckets - 1)
}
