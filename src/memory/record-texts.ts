/**
 * The texts of records while more arrive: the same number for each record, in UTF-8, one behind the
 * other in chunks, so that growing never copies them. Chunks beyond a share of the memory go to a file, which is read
 * a record at a time, or from its beginning to its end once it is in the order in which it is read.
 */
import { assert } from './assert.ts'
import { float64Column, uint32Column } from './columns.ts'

/** A file for bytes that are too much for memory; `UnnamedFile` is one. */
export interface Overflow {
  append(bytes: Uint8Array): void
  read(into: Uint8Array, length: number, position: number): void
  close(): void
}

/** One that is written in another order than that of its bytes. */
interface PlacedOverflow extends Overflow {
  /** Writes at a position, also beyond the end. */
  write(bytes: Uint8Array, position: number): void
}

/** Limit of the bytes that stay in memory, and the place for the others. */
export interface Spilling {
  readonly memoryBytesMax: number
  /** Called only if there is more than that: once, and once more where it is put in order. */
  readonly newOverflow: () => PlacedOverflow
}

/** Size of a chunk; a record is far smaller, as `limits` has it. */
export const chunkBytes = 4 << 20
/** Size of a region, the records that are read at once where the file is in order. */
const regionBytes = 32 << 20
/** Bytes of each region that wait in memory while the file is put in order. */
const waitingBytes = 64 << 10
const encoder = new TextEncoder()
/** No limit: nothing goes to a file. */
const unbounded: Spilling = {
  memoryBytesMax: Number.POSITIVE_INFINITY,
  newOverflow: () => {
    throw new Error('there is no end of memory')
  },
}

export class RecordTexts {
  /** Texts of each record. */
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
  /** The bytes of the file that were read last, from one position to another. */
  #read = { bytes: new Uint8Array(1 << 16), from: 0, to: 0 }
  /** The start of each region, and the end of the last, if the file is in order. */
  #edges: Float64Array | undefined

  constructor(parts: number, spilling: Spilling = unbounded) {
    this.#parts = parts
    this.#spilling = spilling
  }

  /** Adds a record. @throws the errors of the overflow. */
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

  /**
   * Adds a record whose texts are one behind the other in `bytes`, from `from` on.
   * @param ends of texts of several records, each counted from `from`; those of this record begin at `at`.
   */
  pushBytes(bytes: Uint8Array, from: number, ends: Uint32Array, at: number): void {
    const length = ends[at + this.#parts - 1]!
    const isFull = this.#used + length > chunkBytes
    if (isFull || this.#chunks.length === 0) this.#beginChunk()
    this.#starts.push((this.#spilled + this.#chunks.length - 1) * chunkBytes + this.#used)
    for (let part = 0; part < this.#parts; part += 1) this.#ends.push(ends[at + part]!)
    this.#chunks.at(-1)!.set(bytes.subarray(from, from + length), this.#used)
    this.#used += length
  }

  /** The start of each record in all chunks, and the ends of its texts, counted from there; without copying. */
  places(): { readonly starts: Float64Array; readonly ends: Uint32Array } {
    return { starts: this.#starts.view(), ends: this.#ends.view() }
  }

  /** The chunks as they were filled, without what was replaced; those in the file are read from there. */
  *chunks(): Generator<Uint8Array, void, undefined> {
    assert(this.#edges === undefined, 'the file is in another order')
    for (let chunk = 0; chunk < this.#spilled; chunk += 1) {
      const bytes = new Uint8Array(chunkBytes)
      this.#overflow!.read(bytes, chunkBytes, chunk * chunkBytes)
      yield bytes
    }
    yield* this.#chunks
  }

  /** Bytes of a text. */
  lengthOf(record: number, part: number): number {
    assert(record < this.#starts.length && part < this.#parts, `there is no text ${record}.${part}`)
    const at = record * this.#parts + part
    const replaced = this.#replaced.get(at)
    if (replaced !== undefined) return replaced.length
    return this.#pushedLength(at, part)
  }

  /** A text. */
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

  /** Copies a text into `target` and returns its end there. */
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

  /**
   * Puts the records of the file in the order in which they are read next. Where the system's memory has no room for the
   * file, records at random places would cost a wait for the disk each. Takes the file's bytes on the disk twice.
   * @param order each record once.
   * @throws the errors of the overflow; the records cannot be read then.
   */
  arrange(order: Uint32Array): void {
    if (this.#overflow === undefined || this.#spilled === 0) return
    const { regions, edges } = this.#regionsOf(order)
    const arranged = this.#spilling.newOverflow()
    try {
      this.#moveTo(arranged, regions, edges)
    } catch (error) {
      arranged.close()
      throw error
    }
    this.#overflow.close()
    this.#overflow = arranged
    this.#edges = edges
    this.#read = { bytes: new Uint8Array(regionBytes), from: 0, to: 0 }
  }

  /** The region of each record of the file, and the edges of the regions. */
  #regionsOf(order: Uint32Array) {
    const inFile = this.#recordsInFile()
    const regions = new Uint32Array(inFile)
    const edges = [0]
    let end = 0
    for (const record of order) {
      if (record >= inFile) continue
      const length = this.#recordLength(record)
      if (end + length > edges.at(-1)! + regionBytes) edges.push(end)
      end += length
      regions[record] = edges.length - 1
    }
    return { regions, edges: Float64Array.of(...edges, end) }
  }

  /** Reads the file from its beginning to its end, and writes each record into its region. */
  #moveTo(arranged: PlacedOverflow, regions: Uint32Array, edges: Float64Array): void {
    const starts = this.#starts.view()
    const chunk = new Uint8Array(chunkBytes)
    // The bytes of each region that wait, their place in the file, and how many they are.
    const waiting = new Uint8Array((edges.length - 1) * waitingBytes)
    const places = edges.slice(0, -1)
    const used = new Uint32Array(places.length)
    const write = (region: number, bytes: Uint8Array) => {
      arranged.write(bytes, places[region]!)
      places[region] = places[region]! + bytes.length
    }
    const empty = (region: number) => {
      const from = region * waitingBytes
      write(region, waiting.subarray(from, from + used[region]!))
      used[region] = 0
    }
    let end = 0
    for (let record = 0; record < regions.length; record += 1) {
      const [region, start] = [regions[record]!, starts[record]!]
      const within = start % chunkBytes
      if (start >= end) {
        this.#overflow!.read(chunk, chunkBytes, start - within)
        end = start - within + chunkBytes
      }
      const bytes = chunk.subarray(within, within + this.#recordLength(record))
      if (used[region]! + bytes.length > waitingBytes) empty(region)
      starts[record] = places[region]! + used[region]!
      if (bytes.length > waitingBytes) write(region, bytes)
      else {
        waiting.set(bytes, region * waitingBytes + used[region]!)
        used[region] = used[region]! + bytes.length
      }
    }
    for (let region = 0; region < used.length; region += 1) empty(region)
  }

  /** Records of the file: those that were added first. */
  #recordsInFile(): number {
    const starts = this.#starts.view()
    const first = starts.findIndex((start) => start >= this.#spilled * chunkBytes)
    return first < 0 ? starts.length : first
  }

  #recordLength(record: number): number {
    return this.#ends.view()[(record + 1) * this.#parts - 1]!
  }

  /** Gives all memory back, and the file; there are no records any more. */
  clear(): void {
    this.#chunks = []
    this.#starts.clear()
    this.#ends.clear()
    this.#replaced.clear()
    this.#overflow?.close()
    this.#overflow = undefined
    this.#edges = undefined
    this.#read = { bytes: new Uint8Array(0), from: 0, to: 0 }
  }

  /** The bytes that hold a record, and its offset in them. */
  #recordBytes(record: number): { readonly bytes: Uint8Array; readonly start: number } {
    const start = this.#starts.view()[record]!
    const within = start % chunkBytes
    const chunk = (start - within) / chunkBytes - this.#spilled
    if (chunk >= 0) return { bytes: this.#chunks[chunk]!, start: within }
    const end = start + this.#recordLength(record)
    if (start < this.#read.from || end > this.#read.to) this.#readFrom(start, end)
    return { bytes: this.#read.bytes, start: start - this.#read.from }
  }

  /** Reads a record, or the whole region that it stands in. */
  #readFrom(start: number, end: number): void {
    const [from, to] = this.#edges === undefined ? [start, end] : regionAround(start, this.#edges)
    const length = to - from
    const bytes = length > this.#read.bytes.length ? new Uint8Array(length * 2) : this.#read.bytes
    this.#overflow!.read(bytes, length, from)
    this.#read = { bytes, from, to }
  }

  /** The first of the chunks goes to the file when there are as many as there may be. */
  #beginChunk(): void {
    assert(this.#edges === undefined, 'the file is in its last order')
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

/** The edges of the region that a position lies in. */
function regionAround(position: number, edges: Float64Array): readonly [number, number] {
  const next = edges.findIndex((edge) => edge > position)
  const region = (next < 0 ? edges.length : next) - 1
  return [edges[region]!, edges[region + 1] ?? edges[region]!]
}
