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

/** An answer that is kept. */
type Entry = { -readonly [N in keyof CachedAnswer]: CachedAnswer[N] } & {
  query: string
  /** Offset at which its items begin, counted on through all rounds of the ring. */
  place: number
  /** Number of hits since it was kept. */
  asked: number
  /** The answer that was kept after it. */
  next: Entry | undefined
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
   * The entries in the order of keeping. A hit does not move its answer to the end: that would cost every hit more than
   * finding an answer again costs the few that were pushed out.
   */
  #oldest: Entry | undefined
  #newest: Entry | undefined
  /** The entry that was dropped last: nothing of its answer is wanted. */
  #dropped: Entry | undefined
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
    return entry
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
    const place = this.#makeRoom(length)
    this.#append(this.#entryOf(query, items, place))
    this.#overhead += overhead
    while (this.#overhead > this.#overheadMax) this.#dropOldest()
  }

  /** An entry, in the memory of one that was dropped: where each answer takes the place of another there is no garbage. */
  #entryOf(query: string, items: CachedAnswer, place: number): Entry {
    const { way, members, isOfSection } = items
    const source = isOfSection ? items.source : this.#copy(items, place)
    const start = isOfSection ? items.start : place % this.#ringBytes
    const end = start + items.end - items.start
    const entry = this.#dropped
    this.#dropped = undefined
    if (entry === undefined) {
      const next = undefined
      return { query, source, start, end, way, members, isOfSection, place, asked: 0, next }
    }
    entry.query = query
    entry.source = source
    entry.start = start
    entry.end = end
    entry.way = way
    entry.members = members
    entry.isOfSection = isOfSection
    entry.place = place
    entry.asked = 0
    entry.next = undefined
    return entry
  }

  #append(entry: Entry): void {
    this.#entries.set(entry.query, entry)
    if (this.#newest === undefined) this.#oldest = entry
    else this.#newest.next = entry
    this.#newest = entry
  }

  /** Drops the answers in the place of the next one; returns the offset of that place. */
  #makeRoom(length: number): number {
    const left = this.#ringBytes - (this.#end % this.#ringBytes)
    const place = length > left ? this.#end + left : this.#end
    this.#end = place + length
    while (this.#oldest !== undefined && this.#oldest.place < this.#end - this.#ringBytes) {
      this.#dropOldest()
    }
    return place
  }

  /** Copies the items of an answer to a place of the ring, which it returns. */
  #copy({ source, start, end }: CachedAnswer, place: number): CopySource {
    // Not zeroed: memory that is never written to takes no room.
    this.#ring ??= copySourceOf(Buffer.allocUnsafeSlow(this.#ringBytes + copySlackBytes))
    copyText(source, start, end, this.#ring.data, place % this.#ringBytes)
    return this.#ring
  }

  #dropOldest(): void {
    const oldest = this.#oldest!
    this.#entries.delete(oldest.query)
    this.#oldest = oldest.next
    if (oldest.next === undefined) this.#newest = undefined
    this.#overhead -= overheadOf(oldest.query, oldest)
    this.#dropped = oldest
  }
}

/** Overhead of an entry beside its items, bytes. */
function overheadOf(query: string, { members }: Written): number {
  return overheadBytes + (query.length + members.length) * 2
}
