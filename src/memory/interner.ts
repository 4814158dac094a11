/** Distinct texts numbered from 0, in flat memory in the shape of a snapshot's section. */
import { assert } from './assert.ts'
import { grownLength } from './columns.ts'
import {
  fillSlots,
  findBytes,
  findHashed,
  hashBytes,
  placeSlot,
  Scratch,
  slotCount,
  type Texts,
  type TextTable,
  textAt,
} from './text-table.ts'

export class Interner {
  length = 0
  #text = new Uint8Array(1 << 16)
  #starts = new Uint32Array(1025)
  #slots = new Uint32Array(slotCount(1024))
  readonly #scratch = new Scratch()

  intern(text: string): number {
    const length = this.#scratch.write(text)
    return this.internBytes(this.#scratch.bytes, 0, length)
  }

  /** The number of the text `bytes[start, end)` in UTF-8. */
  internBytes(bytes: Uint8Array, start: number, end: number): number {
    const hash = hashBytes(bytes, start, end)
    const found = findHashed(this.#table(), bytes, start, end, hash)
    return found >= 0 ? found : this.#append(bytes, start, end, hash)
  }

  find(text: string): number {
    const bytes = this.#scratch.write(text)
    return findBytes(this.#table(), this.#scratch.bytes, 0, bytes)
  }

  /** The number of the text `bytes[start, end)` in UTF-8, or -1. */
  findBytes(bytes: Uint8Array, start: number, end: number): number {
    return findBytes(this.#table(), bytes, start, end)
  }

  textAt(entry: number): string {
    return textAt(this.#table(), entry)
  }

  /** The texts so far, with a table of just their size. */
  table(): TextTable {
    assert(this.length < this.#starts.length, 'an interner was released and is handed over')
    const texts = this.textsFrom(0)
    return { ...texts, slots: fillSlots(texts) }
  }

  /** Gives all memory back; only how many texts there were is still known. */
  release(): void {
    this.#text = new Uint8Array(0)
    this.#starts = new Uint32Array(0)
    this.#slots = new Uint32Array(0)
  }

  /** The texts from a number on, numbered from 0. */
  textsFrom(first: number): Texts {
    assert(first <= this.length, 'texts are wanted from behind the last on')
    const start = this.#starts[first]!
    const starts = this.#starts.slice(first, this.length + 1).map((each) => each - start)
    return { text: this.#text.slice(start, this.#starts[this.length]), starts }
  }

  #table(): TextTable {
    assert(this.#slots.length > 0, 'an interner was released and is asked all the same')
    return { text: this.#text, starts: this.#starts, slots: this.#slots }
  }

  #append(bytes: Uint8Array, from: number, to: number, hash: number): number {
    const start = this.#starts[this.length]!
    const end = start + to - from
    if (end > this.#text.length) this.#text = grown(this.#text, end)
    if (this.length + 1 === this.#starts.length) this.#growTable()
    copyBytes(bytes, from, to, this.#text, start)
    placeSlot(this.#slots, this.length, hash, this.#starts.length - 1)
    this.length += 1
    this.#starts[this.length] = end
    return this.length - 1
  }

  #growTable(): void {
    const starts = new Uint32Array(this.length * 2 + 1)
    starts.set(this.#starts)
    this.#slots = fillSlots({ text: this.#text, starts: this.#starts }, this.length * 2)
    this.#starts = starts
  }
}

function grown(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, grownLength(bytes.length, 1)))
  larger.set(bytes)
  return larger
}

/** Most texts are words: a view of so few bytes takes longer than to copy them. */
const copiedSinglyMax = 48

function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): void {
  if (end - start > copiedSinglyMax) to.set(from.subarray(start, end), at)
  else for (let index = start; index < end; index += 1) to[at + index - start] = from[index]!
}
