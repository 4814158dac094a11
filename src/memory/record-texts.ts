/**
 * One text for each record while more arrive, in UTF-8, one behind the other in chunks, so that growing never copies
 * them. Chunks beyond a share of the memory go to a file, which is read a record at a time.
 */
import { assert } from './assert.ts'
import { float64Column, uint32Column } from './columns.ts'

/** A file for bytes that are too much for memory; `UnnamedFile` is one. */
export interface Overflow {
  append(bytes: Uint8Array): void
  read(into: Uint8Array, length: number, position: number): void
  close(): void
}

export interface Spilling {
  readonly memoryBytesMax: number
  /** Called once, and only if there is more than that. */
  readonly newOverflow: () => Overflow
}

/** Size of a chunk; a record is far smaller, as `limits` has it. */
const chunkBytes = 4 << 20
const encoder = new TextEncoder()

export class RecordTexts {
  readonly #spilling: Spilling | undefined
  /** All of them but those that went to the file; behind those is the one that is being filled. */
  #chunks: Uint8Array[] = []
  #used = Number.POSITIVE_INFINITY
  #spilled = 0
  #overflow: Overflow | undefined
  readonly #starts = float64Column()
  readonly #lengths = uint32Column()
  /** Records that took the place of others, by the numbers of those. */
  readonly #replaced = new Map<number, number>()
  #read = new Uint8Array(1 << 16)

  constructor(spilling?: Spilling) {
    this.#spilling = spilling
  }

  push(text: string): void {
    if (this.#used + text.length * 3 > chunkBytes) this.#beginChunk()
    const { written } = encoder.encodeInto(text, this.#chunks.at(-1)!.subarray(this.#used))
    this.#starts.push((this.#spilled + this.#chunks.length - 1) * chunkBytes + this.#used)
    this.#lengths.push(written)
    this.#used += written
  }

  /** Puts a text in the place of another; meant for few. */
  replace(record: number, text: string): void {
    this.#replaced.set(record, this.#starts.length)
    this.push(text)
  }

  /** The text of a record; good until the next call. */
  bytesOf(record: number): Uint8Array {
    assert(record < this.#starts.length, `there is no record ${record}`)
    const place = this.#replaced.get(record) ?? record
    const [start, length] = [this.#starts.at(place), this.#lengths.at(place)]
    const within = start % chunkBytes
    const chunk = (start - within) / chunkBytes - this.#spilled
    if (chunk >= 0) return this.#chunks[chunk]!.subarray(within, within + length)
    if (length > this.#read.length) this.#read = new Uint8Array(length * 2)
    this.#overflow!.read(this.#read, length, start)
    return this.#read.subarray(0, length)
  }

  /** Gives all memory back, and the file; there are no records any more. */
  clear(): void {
    this.#chunks = []
    this.#starts.clear()
    this.#lengths.clear()
    this.#replaced.clear()
    this.#overflow?.close()
    this.#overflow = undefined
  }

  /** The first of the chunks goes to the file when there are as many as there may be. */
  #beginChunk(): void {
    this.#used = 0
    const spilling = this.#spilling
    const isRoom =
      spilling === undefined || (this.#chunks.length + 1) * chunkBytes <= spilling.memoryBytesMax
    if (isRoom) {
      this.#chunks.push(new Uint8Array(chunkBytes))
      return
    }
    this.#overflow ??= spilling.newOverflow()
    const first = this.#chunks.shift()
    if (first !== undefined) {
      this.#overflow.append(first)
      this.#spilled += 1
    }
    this.#chunks.push(first ?? new Uint8Array(chunkBytes))
  }
}
