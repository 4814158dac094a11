/**
 * The cached answers of one snapshot and one thread, by query string: a repeated query needs no parsing and no finding.
 * Bounded in bytes; the oldest of its kind makes room. Items lie in one ring of memory: one piece for every answer would
 * live just long enough for the garbage collector to move it to the old generation (measured: `bench/search`). Answers
 * that are pieces of a section take nothing of the ring, and neither the ring nor answers in it push them out.
 */
import type { Way } from '../engine/interpret/found.ts'
import {
  type CopySource,
  copySlackBytes,
  copySourceOf,
  copyText,
  type TextPiece,
} from '../memory/copy-text.ts'

export interface Written {
  /** '' for an answer without a search. */
  readonly way: Way | ''
  /** JSON of the members behind the items, each behind a comma; '' without members. */
  readonly members: string
}

export interface CachedAnswer extends Written, TextPiece {
  /** Whether they are a piece of a section, which is there anyway: so every topic has room. */
  readonly isOfSection: boolean
  /** Number of items with fields of a profile, and the most that such an answer may have. */
  readonly profiles: number
  readonly profilesMax: number
}

export interface KeptAnswer extends CachedAnswer {
  /** Number of hits since it was kept. */
  asked: number
  /** Offset at which its items begin, counted on through all rounds of the ring; 0 for a piece of a section. */
  readonly place: number
}

/**
 * Shares of the bytes: the items, the overhead of the entries whose items they are (of 4 kB each, with their
 * members), and that of pieces of sections: 14,000 of them, one for each topic of the largest snapshots of the benches.
 */
const shares = { ring: 0.625, copied: 0.125, pieces: 0.25 } as const
/**
 * Overhead of an entry beside its texts, bytes: the object, the headers of its texts, and the map's slot. At most 195
 * were measured (growth of the heap by 4,000 to 16,000 entries).
 */
const overheadBytes = 220

/** Answers in the order of keeping, which is that of a map, bounded by their overhead. */
class Kept {
  // A hit does not move its answer to the end: that costs more than finding the few that were pushed out again.
  readonly entries = new Map<string, KeptAnswer>()
  readonly #overheadMax: number
  #overhead = 0
  /** Goes on from one that was dropped: a new iterator passes over the places of all that were, which takes 4 µs. */
  #order = this.entries.entries()
  #oldest: readonly [query: string, entry: KeptAnswer] | undefined

  constructor(overheadMax: number) {
    this.#overheadMax = overheadMax
  }

  /** There must be one. */
  get oldest(): readonly [query: string, entry: KeptAnswer] {
    this.#oldest ??= this.#order.next().value!
    return this.#oldest
  }

  /** Adds an answer, and drops the oldest beyond the bound. */
  append(query: string, entry: KeptAnswer): void {
    this.entries.set(query, entry)
    this.#overhead += overheadOf(query, entry)
    while (this.#overhead > this.#overheadMax) this.dropOldest()
  }

  /** Whether an answer is too large even alone. */
  isTooLarge(query: string, items: CachedAnswer): boolean {
    return overheadOf(query, items) > this.#overheadMax
  }

  dropOldest(): void {
    const [query, entry] = this.oldest
    this.entries.delete(query)
    this.#overhead -= overheadOf(query, entry)
    this.#oldest = undefined
  }
}

export class AnswerCache {
  /** Called for each answer that is written, with whether it was kept. */
  onFind: ((isHit: boolean) => void) | undefined
  readonly #ringBytes: number
  readonly #copied: Kept
  readonly #pieces: Kept
  /** Made when the first answer is kept: a snapshot that is replaced before any request takes no memory for it. */
  #ring: CopySource | undefined
  /** Offset at which the next items may begin, counted on through all rounds. */
  #end = 0

  constructor(bytesMax: number) {
    this.#ringBytes = Math.floor(bytesMax * shares.ring)
    this.#copied = new Kept(bytesMax * shares.copied)
    this.#pieces = new Kept(bytesMax * shares.pieces)
  }

  get(query: string): KeptAnswer | undefined {
    return this.#pieces.entries.get(query) ?? this.#copied.entries.get(query)
  }

  /** The entries with a hit since they were kept, roughly those with the most hits first. O(entries). */
  askedAgain(): string[] {
    // By powers of two, since to sort thousands would keep requests waiting.
    const byMagnitude: string[][] = Array.from({ length: 32 }, () => [])
    for (const { entries } of [this.#pieces, this.#copied]) {
      for (const [query, { asked }] of entries) {
        if (asked > 0) byMagnitude[Math.clz32(asked)]!.push(query)
      }
    }
    return byMagnitude.flat()
  }

  countHit(answer: KeptAnswer): void {
    answer.asked += 1
    this.onFind?.(true)
  }

  /** Counts an answer that `get` did not have and that will not be kept. */
  countMiss(): void {
    this.onFind?.(false)
  }

  /** Counts a miss and keeps the items, unless they alone are too large. */
  put(query: string, items: CachedAnswer): void {
    this.countMiss()
    const kept = items.isOfSection ? this.#pieces : this.#copied
    const length = items.isOfSection ? 0 : items.end - items.start + copySlackBytes
    if (kept.isTooLarge(query, items) || length > this.#ringBytes) return
    if (this.get(query) !== undefined) return
    const place = items.isOfSection ? 0 : this.#makeRoom(length)
    const source = items.isOfSection ? items.source : this.#copy(items, place)
    const start = items.isOfSection ? items.start : place % this.#ringBytes
    const end = start + items.end - items.start
    kept.append(query, { ...items, source, start, end, place, asked: 0 })
  }

  /** Drops the answers in the place of the next one; returns the offset of that place. */
  #makeRoom(length: number): number {
    const left = this.#ringBytes - (this.#end % this.#ringBytes)
    const place = length > left ? this.#end + left : this.#end
    this.#end = place + length
    const gone = this.#end - this.#ringBytes
    while (this.#copied.entries.size > 0 && this.#copied.oldest[1].place < gone) {
      this.#copied.dropOldest()
    }
    return place
  }

  #copy({ source, start, end }: CachedAnswer, place: number): CopySource {
    // Not zeroed: memory that is never written to takes no room.
    this.#ring ??= copySourceOf(Buffer.allocUnsafeSlow(this.#ringBytes + copySlackBytes))
    copyText(source, start, end, this.#ring.data, place % this.#ringBytes)
    return this.#ring
  }
}

function overheadOf(query: string, { members }: Written): number {
  return overheadBytes + (query.length + members.length) * 2
}
