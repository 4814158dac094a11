/**
 * The texts of records while more arrive: the same number for each record, in UTF-8, one behind the
 * other in chunks, so that growing never copies them. Chunks beyond a share of the memory go to a file,
 * which is read a record at a time.
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
const unbounded: Spilling = {
  memoryBytesMax: Number.POSITIVE_INFINITY,
  newOverflow: () => {
    throw new Error('there is no end of memory')
  },
}

export class RecordTexts {
  readonly #parts: number
  readonly #spilling: Spilling
  /** All of them but those that went to the file; behind those is the one that is being filled. */
  #chunks: Uint8Array[] = []
  #used = chunkBytes
  #spilled = 0
  #overflow: Overflow | undefined
  /** The start of each record, and the end of each of its texts, counted from that start. */
  readonly #starts = float64Column()
  readonly #ends = uint32Column()
  /** Texts that took the place of others, by the number of the text among all. */
  readonly #replaced = new Map<number, Uint8Array>()
  #read = { record: -1, bytes: new Uint8Array(1 << 16) }

  constructor(parts: number, spilling: Spilling = unbounded) {
    this.#parts = parts
    this.#spilling = spilling
  }

  push(...texts: readonly string[]): void {
    const bytesMax = texts.reduce((sum, text) => sum + text.length * 3, 0)
    const isFull = this.#used + bytesMax > chunkBytes
    if (isFull || this.#chunks.length === 0) this.#beginChunk()
    const chunk = this.#chunks.at(-1)!
    const start = this.#used
    assert(texts.length === this.#parts, `a record has ${this.#parts} texts`)
    this.#starts.push((this.#spilled + this.#chunks.length - 1) * chunkBytes + start)
    for (const text of texts) {
      this.#used += encoder.encodeInto(text, chunk.subarray(this.#used)).written
      this.#ends.push(this.#used - start)
    }
  }

  lengthOf(record: number, part: number): number {
    assert(record < this.#starts.length && part < this.#parts, `there is no text ${record}.${part}`)
    const at = record * this.#parts + part
    const replaced = this.#replaced.get(at)
    if (replaced !== undefined) return replaced.length
    return this.#pushedLength(at, part)
  }

  textOf(record: number, part: number): string {
    const bytes = new Uint8Array(this.lengthOf(record, part))
    this.copyTo(record, part, bytes, 0)
    return Buffer.from(bytes).toString()
  }

  /** Puts a text in the place of another; meant for few. */
  replace(record: number, part: number, text: string): void {
    this.#replaced.set(record * this.#parts + part, encoder.encode(text))
  }

  #pushedLength(at: number, part: number): number {
    const ends = this.#ends.view()
    return part === 0 ? ends[at]! : ends[at]! - ends[at - 1]!
  }

  copyTo(record: number, part: number, target: Uint8Array, offset: number): number {
    const at = record * this.#parts + part
    const replaced = this.#replaced.get(at)
    if (replaced !== undefined) {
      target.set(replaced, offset)
      return offset + replaced.length
    }
    const length = this.#pushedLength(at, part)
    const before = this.#ends.view()[at]! - length
    const { bytes, start } = this.#recordBytes(record)
    target.set(bytes.subarray(start + before, start + before + length), offset)
    return offset + length
  }

  /** Gives all memory back, and the file; there are no records any more. */
  clear(): void {
    this.#chunks = []
    this.#starts.clear()
    this.#ends.clear()
    this.#replaced.clear()
    this.#overflow?.close()
    this.#overflow = undefined
  }

  #recordBytes(record: number): { readonly bytes: Uint8Array; readonly start: number } {
    const start = this.#starts.view()[record]!
    const within = start % chunkBytes
    const chunk = (start - within) / chunkBytes - this.#spilled
    if (chunk >= 0) return { bytes: this.#chunks[chunk]!, start: within }
    if (this.#read.record !== record) {
      const length = this.#ends.view()[(record + 1) * this.#parts - 1]!
      if (length > this.#read.bytes.length) this.#read.bytes = new Uint8Array(length * 2)
      this.#overflow!.read(this.#read.bytes, length, start)
      this.#read.record = record
    }
    return { bytes: this.#read.bytes, start: 0 }
  }

  /** The first of the chunks goes to the file when there are as many as there may be. */
  #beginChunk(): void {
    this.#used = 0
    if ((this.#chunks.length + 1) * chunkBytes <= this.#spilling.memoryBytesMax) {
      this.#chunks.push(new Uint8Array(chunkBytes))
      return
    }
    this.#overflow ??= this.#spilling.newOverflow()
    const first = this.#chunks.shift()
    if (first !== undefined) {
      this.#overflow.append(first)
      this.#spilled += 1
    }
    this.#chunks.push(first ?? new Uint8Array(chunkBytes))
  }
}
