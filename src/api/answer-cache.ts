/**
 * The cached answers of one snapshot and one thread, by query string: a repeated query needs no parsing
 * and no finding. The cache is bounded in bytes; the oldest answer makes room. It counts how often each
 * answer is used, so that the next snapshot can begin with the wanted ones. Items lie in one ring of
 * memory: one piece for every answer would live just long enough for the garbage collector to move it to
 * the old generation (measured: `bench/search`).
 */
import type { Way } from '../engine/interpret/found.ts'
import {
  type CopySource,
  copySlackBytes,
  copySourceOf,
  copyText,
  type TextPiece,
} from '../memory/copy-text.ts'

/** The parts of an answer beside its items. */
export interface Written {
  /** The way in which the items were found; '' for an answer without a search. */
  readonly way: Way | ''
  /** JSON of the members behind the items, each behind a comma; '' without members. */
  readonly members: string
}

/** The items of an answer as JSON; they last while the answer is kept. */
export interface CachedAnswer extends Written, TextPiece {
  /** Whether they are a piece of a section, which is there anyway: so every topic has room. */
  readonly isOfSection: boolean
}

interface Entry {
  readonly items: CachedAnswer
  /** Offset at which its items begin, counted on through all rounds of the ring. */
  readonly start: number
  /** Number of hits since it was kept. */
  asked: number
}

/** Share of the bytes for the items; the rest is for the overhead of entries. */
const ringShare = 0.75
/** Overhead of an entry beside its texts, bytes: objects, their headers, and the map's slot. */
const overheadBytes = 400

export class AnswerCache {
  /** Called for each answer that is written, with whether it was kept. */
  onFind: ((isHit: boolean) => void) | undefined
  readonly #overheadMax: number
  readonly #ringBytes: number
  /** Made when the first answer is kept: a snapshot that is replaced before any request takes no memory for it. */
  #ring: CopySource | undefined
  readonly #entries = new Map<string, Entry>()
  /**
   * Iterator in the order of keeping, which goes on from its last place. A new one would pass all entries deleted since
   * the map was last rehashed: 24 µs instead of 1 for an answer that is kept, with 40,000 in the cache (measured).
   */
  #order = this.#entries.entries()
  /** The next entry to look at. */
  #next: readonly [string, Entry] | undefined
  #overhead = 0
  /** Offset at which the next items may begin, counted on through all rounds. */
  #end = 0

  constructor(bytesMax: number) {
    this.#ringBytes = Math.floor(bytesMax * ringShare)
    this.#overheadMax = bytesMax - this.#ringBytes
  }

  /** The items of an answer as JSON, or undefined. */
  get(query: string): CachedAnswer | undefined {
    const entry = this.#entries.get(query)
    if (entry === undefined) return undefined
    entry.asked += 1
    return entry.items
  }

  /** The entries with a hit since they were kept, roughly those with the most hits first. O(entries). */
  askedAgain(): string[] {
    // By powers of two, since to sort thousands would keep requests waiting.
    const byMagnitude: string[][] = Array.from({ length: 32 }, () => [])
    for (const [query, { asked }] of this.#entries) {
      if (asked > 0) byMagnitude[Math.clz32(asked)]!.push(query)
    }
    return byMagnitude.flat()
  }

  /** Counts an answer of `get` that is about to be written. */
  countHit(): void {
    this.onFind?.(true)
  }

  /** Counts an answer that `get` did not have and that will not be kept. */
  countMiss(): void {
    this.onFind?.(false)
  }

  /**
   * Keeps the items of an answer that `get` did not have, and counts the miss; one that alone is too
   * large is not kept. Items that are no piece of a section are copied.
   */
  put(query: string, items: CachedAnswer): void {
    this.countMiss()
    const overhead = overheadOf(query, items)
    const length = items.isOfSection ? 0 : items.end - items.start + copySlackBytes
    if (overhead > this.#overheadMax || length > this.#ringBytes) return
    if (this.#entries.has(query)) return
    const start = this.#makeRoom(length)
    const kept = items.isOfSection ? items : this.#copy(items, start)
    this.#entries.set(query, { items: kept, start, asked: 0 })
    this.#overhead += overhead
    while (this.#overhead > this.#overheadMax) this.#drop(this.#oldest()!)
  }

  /** Drops the answers in the place of the next one; returns the offset of that place. */
  #makeRoom(length: number): number {
    const left = this.#ringBytes - (this.#end % this.#ringBytes)
    const start = length > left ? this.#end + left : this.#end
    this.#end = start + length
    for (let oldest = this.#oldest(); oldest !== undefined; oldest = this.#oldest()) {
      if (oldest[1].start >= this.#end - this.#ringBytes) break
      this.#drop(oldest)
    }
    return start
  }

  #copy({ source, start, end, way, members }: CachedAnswer, position: number): CachedAnswer {
    const at = position % this.#ringBytes
    // Not zeroed: memory that is never written to takes no room.
    this.#ring ??= copySourceOf(Buffer.allocUnsafeSlow(this.#ringBytes + copySlackBytes))
    copyText(source, start, end, this.#ring.data, at)
    return {
      source: this.#ring,
      start: at,
      end: at + end - start,
      way,
      members,
      isOfSection: false,
    }
  }

  /**
   * The answer that was kept first. A hit does not move its answer to the end: that would cost every hit
   * more than finding an answer again costs the few that were pushed out.
   */
  #oldest(): readonly [string, Entry] | undefined {
    this.#next ??= this.#order.next().value
    if (this.#next === undefined) this.#order = this.#entries.entries()
    return this.#next
  }

  #drop([query, { items }]: readonly [string, Entry]): void {
    this.#entries.delete(query)
    this.#next = undefined
    this.#overhead -= overheadOf(query, items)
  }
}

/** Overhead of an entry beside its items, bytes. */
function overheadOf(query: string, { members }: Written): number {
  return overheadBytes + (query.length + members.length) * 2
}
