/**
 * The questions that accounts have paid for under an `Idempotency-Key`, in memory that all threads share: for
 * ten minutes a repeat pays only for what was not paid. Entries lie in buckets by the hash of account and
 * key. A bucket that is full forgets the oldest entry of the account that has most of it, and an account has
 * at most half of each, so nobody can push the keys of others out.
 *
 * A bucket is read and changed under its lock, for about a microsecond. What is paid only rises, and who
 * raises it pays the difference: of two answers to one question at once, one is paid for.
 */

/** The memory itself: a plain value to hand to a worker thread. */
export interface SharedPaidQuestions {
  readonly entries: SharedArrayBuffer
  readonly locks: SharedArrayBuffer
}

/** A key of an account, and what was asked under it. Each hash is a list of two numbers of 32 bits. */
export interface QuestionId {
  /** The account, by its slot. */
  readonly slot: number
  readonly key: readonly [number, number]
  readonly question: readonly [number, number]
}

/** How long a key is remembered after its question was asked first. */
export const keptSeconds = 600

const buckets = 1 << 15
const entriesPerBucket = 16
/** Of an entry: the account, both hashes, when it ends and what is paid. */
const cells = { account: 0, key: 1, question: 3, untilSeconds: 5, paid: 6, perEntry: 8 } as const
const cellsPerBucket = entriesPerBucket * cells.perEntry

/** How many keys are kept, of all accounts and of one. */
export const keysMax: number = buckets * entriesPerBucket
export const keysPerAccountMax: number = keysMax / 2

/** Another thread has a lock for a microsecond, unless it was stopped: then it is waited for. */
const spins = 200
const waitMs = 1

/** 16 MiB, untouched pages of which cost nothing. */
export function createSharedPaidQuestions(): SharedPaidQuestions {
  return {
    entries: new SharedArrayBuffer(buckets * cellsPerBucket * Int32Array.BYTES_PER_ELEMENT),
    locks: new SharedArrayBuffer(buckets * Int32Array.BYTES_PER_ELEMENT),
  }
}

/** One thread's view. */
export class PaidQuestions {
  readonly #entries: Int32Array
  readonly #locks: Int32Array
  readonly #owner: number
  readonly #clock: () => number

  /**
   * @param place of the thread, from 0; no two that run at a time have the same.
   * @param clock milliseconds, the same for all threads, and never going back.
   */
  constructor({ entries, locks }: SharedPaidQuestions, place: number, clock: () => number) {
    this.#entries = new Int32Array(entries)
    this.#locks = new Int32Array(locks)
    this.#owner = place + 1
    this.#clock = clock
  }

  /** Opens the locks of a thread that died in this place. */
  releaseLeftOver(): void {
    for (let bucket = 0; bucket < buckets; bucket += 1) {
      Atomics.compareExchange(this.#locks, bucket, this.#owner, 0)
    }
  }

  /** How many queries of a question are paid; undefined where its key belongs to another question. */
  paidOf(id: QuestionId): number | undefined {
    return this.#locked(id, (bucket) => {
      const at = this.#find(bucket, id)
      if (at < 0) return 0
      return this.#isSame(at, id) ? this.#entries[at + cells.paid]! : undefined
    })
  }

  /** Remembers that a question is being asked. Returns false where its key belongs to another by now. */
  begin(id: QuestionId): boolean {
    return this.#locked(id, (bucket) => {
      const at = this.#find(bucket, id)
      if (at >= 0) return this.#isSame(at, id)
      this.#add(bucket, id, 0, this.#nowSeconds() + keptSeconds)
      return true
    })
  }

  /**
   * So many queries of a question were answered: raises what is paid to that. Returns what was paid before,
   * which is not to be paid again.
   * @param leftSeconds how long the key is remembered where it was forgotten, or not known here.
   */
  settle(id: QuestionId, queries: number, leftSeconds = keptSeconds): number {
    return this.#locked(id, (bucket) => {
      const at = this.#find(bucket, id)
      if (at < 0) {
        this.#add(bucket, id, queries, this.#nowSeconds() + leftSeconds)
        return 0
      }
      if (!this.#isSame(at, id)) return 0
      const before = this.#entries[at + cells.paid]!
      if (queries > before) this.#entries[at + cells.paid] = queries
      return before
    })
  }

  #nowSeconds(): number {
    return Math.floor(this.#clock() / 1000)
  }

  /** Where the entry of a key begins; below 0 where there is none. */
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

  #add(bucket: number, { slot, key, question }: QuestionId, paid: number, until: number): void {
    const entries = this.#entries
    const at = this.#placeIn(bucket, slot)
    entries[at + cells.account] = slot + 1
    entries[at + cells.key] = key[0]
    entries[at + cells.key + 1] = key[1]
    entries[at + cells.question] = question[0]
    entries[at + cells.question + 1] = question[1]
    entries[at + cells.untilSeconds] = until
    entries[at + cells.paid] = paid
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
    const bucket = (id.key[0] ^ Math.imul(id.slot + 1, 0x9e3779b1)) & (buckets - 1)
    const locks = this.#locks
    let tries = 0
    while (Atomics.compareExchange(locks, bucket, 0, this.#owner) !== 0) {
      tries += 1
      const holder = Atomics.load(locks, bucket)
      if (tries % spins === 0 && holder !== 0) Atomics.wait(locks, bucket, holder, waitMs)
    }
    try {
      return work(bucket)
    } finally {
      Atomics.store(locks, bucket, 0)
    }
  }
}
