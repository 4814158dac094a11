/**
 * Growing columns: what is known of a million records while more arrive, in flat memory that the
 * garbage collector does not have to walk. Appending only; a view is valid until the next append.
 */
import { Refusal } from '../problems.ts'

/** A growing typed array. */
export class NumberColumn<T extends Uint8Array | Uint32Array | Float64Array> {
  length = 0
  #values: T
  readonly #make: (length: number) => T

  constructor(make: (length: number) => T) {
    this.#make = make
    this.#values = make(1024)
  }

  push(value: number): void {
    if (this.length === this.#values.length) {
      const larger = this.#make(this.length * 2)
      larger.set(this.#values)
      this.#values = larger
    }
    this.#values[this.length] = value
    this.length += 1
  }

  /** The elements pushed so far, without copying. */
  view(): T {
    return this.#values.subarray(0, this.length) as T
  }
}

/** A growing column of bytes. */
export function uint8Column(): NumberColumn<Uint8Array> {
  return new NumberColumn((length) => new Uint8Array(length))
}

/** A growing column of 32-bit numbers. */
export function uint32Column(): NumberColumn<Uint32Array> {
  return new NumberColumn((length) => new Uint32Array(length))
}

/** A growing column of doubles. */
export function float64Column(): NumberColumn<Float64Array> {
  return new NumberColumn((length) => new Float64Array(length))
}

const chunkBytes = 4 << 20
const encoder = new TextEncoder()

/**
 * A growing column of texts, kept as UTF-8 in chunks, so that growing never copies them. A text is
 * a part of one record, whose limits keep it far below a chunk.
 */
export class TextColumn {
  readonly #chunks: Uint8Array[] = []
  readonly #starts = float64Column()
  readonly #lengths = uint32Column()
  #used = chunkBytes

  push(text: string): void {
    if (this.#used + text.length * 3 > chunkBytes) {
      this.#chunks.push(new Uint8Array(chunkBytes))
      this.#used = 0
    }
    const chunk = this.#chunks.at(-1)!
    const { written } = encoder.encodeInto(text, chunk.subarray(this.#used))
    this.#starts.push((this.#chunks.length - 1) * chunkBytes + this.#used)
    this.#lengths.push(written)
    this.#used += written
  }

  /** The bytes of a text. */
  lengthOf(entry: number): number {
    return this.#lengths.view()[entry]!
  }

  /** Copies a text into `target` and returns where it ends there. */
  copyTo(entry: number, target: Uint8Array, offset: number): number {
    const start = this.#starts.view()[entry]!
    const length = this.#lengths.view()[entry]!
    const within = start % chunkBytes
    const chunk = this.#chunks[(start - within) / chunkBytes]!
    target.set(chunk.subarray(within, within + length), offset)
    return offset + length
  }
}

/**
 * Bytes for a section that is about to be filled.
 * @throws Refusal `build-limit` when it would be longer than a section can be.
 */
export function sectionBytes(name: string, length: number, lengthMax: number): Uint8Array {
  if (length > lengthMax) {
    throw new Refusal('build-limit', `section ${name} would take ${length} bytes of ${lengthMax}`)
  }
  return new Uint8Array(length)
}

/** Lists of numbers while they are being filled: list i ends where list i + 1 starts. */
export class Lists {
  readonly starts = uint32Column()
  readonly values = uint32Column()

  constructor() {
    this.starts.push(0)
  }

  /** The lists so far, without copying. */
  view(): { starts: Uint32Array; values: Uint32Array } {
    return { starts: this.starts.view(), values: this.values.view() }
  }

  /** Ends the list that was being filled. */
  end(): void {
    this.starts.push(this.values.length)
  }
}
