/**
 * Growing columns: facts of a million records while more arrive, in flat memory that the garbage collector
 * does not walk. Append only; a view is valid until the next append.
 */

import { assert } from './assert.ts'

export class NumberColumn<T extends Uint8Array | Uint32Array | Float64Array> {
  length = 0
  #values: T
  readonly #make: (length: number) => T

  constructor(make: (length: number) => T) {
    this.#make = make
    this.#values = make(1024)
  }

  push(value: number): void {
    if (this.length === this.#values.length) this.#grow(this.length + 1)
    this.#values[this.length] = value
    this.length += 1
  }

  append(values: ArrayLike<number>): void {
    const length = this.length + values.length
    if (length > this.#values.length) this.#grow(length)
    this.#values.set(values, this.length)
    this.length = length
  }

  at(index: number): number {
    return this.#values[index]!
  }

  clear(): void {
    this.length = 0
    this.#values = this.#make(1024)
  }

  /** The elements so far, without copying. */
  view(): T {
    return this.#values.subarray(0, this.length) as T
  }

  #grow(needed: number): void {
    const { length, BYTES_PER_ELEMENT } = this.#values
    const larger = this.#make(Math.max(needed, grownLength(length, BYTES_PER_ELEMENT)))
    larger.set(this.#values)
    this.#values = larger
  }
}

/** Elements of memory that is to grow: twice as many as before, or enough for the system to map it. */
export function grownLength(length: number, bytesPerElement: number): number {
  const bytes = length * bytesPerElement
  return bytes < growsAloneBytes ? length * 2 : Math.max(length * 2, mappedBytes / bytesPerElement)
}

/**
 * C libraries map memory from a size on that glibc raises up to 32 MiB: pages of it that were not written take none, and it is
 * given back as a whole. Memory below that lies among other memory, and leaves holes there.
 */
const mappedBytes = 33 << 20
const growsAloneBytes = 1 << 20

export function uint8Column(): NumberColumn<Uint8Array> {
  return new NumberColumn((length) => new Uint8Array(length))
}

export function uint32Column(): NumberColumn<Uint32Array> {
  return new NumberColumn((length) => new Uint32Array(length))
}

export function float64Column(): NumberColumn<Float64Array> {
  return new NumberColumn((length) => new Float64Array(length))
}

/** List i is `values[starts[i]]` to `values[starts[i + 1]]`, exclusive. */
export interface ListView {
  readonly starts: Uint32Array
  readonly values: Uint32Array
}

/** Lists of numbers while they are being filled. */
export class Lists {
  readonly starts = uint32Column()
  readonly values = uint32Column()

  constructor() {
    this.starts.push(0)
  }

  view(): ListView {
    const [starts, values] = [this.starts.view(), this.values.view()]
    assert(starts.at(-1) === values.length, 'lists are handed over before the last has ended')
    return { starts, values }
  }

  end(): void {
    this.starts.push(this.values.length)
  }

  clear(): void {
    this.starts.clear()
    this.values.clear()
    this.starts.push(0)
  }
}

/** The same numbers in memory that threads share. */
export function sharedCopy(values: ArrayLike<number>): Uint32Array {
  const bytes = values.length * Uint32Array.BYTES_PER_ELEMENT
  const copy = new Uint32Array(new SharedArrayBuffer(bytes))
  copy.set(values)
  return copy
}
