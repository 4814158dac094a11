/**
 * Columns of numbers in files without a name, read a window at a time into bounded buffers. A file is written whole
 * before it is read.
 */

/** A file of bytes; `UnnamedFile` is one. */
export interface ByteFile {
  write(bytes: Uint8Array, position: number): void
  read(into: Uint8Array, length: number, position: number): void
  close(): void
}

type Numbers = Uint8Array | Uint32Array | Float32Array | Float64Array
type Makers = Readonly<Record<string, (length: number) => Numbers>>

/** An array for each column. */
type ArraysOf<M extends Makers> = { readonly [K in keyof M]: ReturnType<M[K]> }

/** Elements that a window holds at least: behind the last window, and elsewhere. */
const nextElements = 65_536
const otherElements = 64

/** Elements of each column from number `first` on. A column is read when it is first looked at. */
type WindowOf<M extends Makers> = ArraysOf<M> & { readonly first: number }

export class FileColumns<M extends Makers> {
  /** Elements of each column. */
  length = 0
  readonly #makers: M
  readonly #files: ReadonlyMap<keyof M, ByteFile>
  readonly #window: WindowOf<M>
  /** The arrays of the window, with room for more than it holds. */
  #arrays: ArraysOf<M>
  /** The columns that are in the arrays. */
  readonly #isRead = new Set<keyof M>()
  #first = 0
  #room = 0
  #held = 0

  /** @param makers of an array for each column, by its name. */
  constructor(makers: M, newFile: () => ByteFile) {
    this.#makers = makers
    this.#files = new Map(Object.keys(makers).map((name) => [name, newFile()]))
    this.#arrays = this.arrays(0)
    const columns = Object.keys(makers).map((name) => [name, { get: () => this.#column(name) }])
    this.#window = Object.defineProperties({} as WindowOf<M>, {
      ...Object.fromEntries(columns),
      first: { get: () => this.#first },
    })
  }

  /** New arrays of zeros, one for each column. */
  arrays(length: number): ArraysOf<M> {
    const made = Object.entries(this.#makers).map(([name, make]) => [name, make(length)])
    return Object.fromEntries(made) as ArraysOf<M>
  }

  /** Writes elements `start` to `end` of arrays at a place of the columns: behind the last, if none is given. */
  write(arrays: ArraysOf<M>, start: number, end: number, at = this.length): void {
    for (const [name, file] of this.#files) {
      const array = arrays[name]
      file.write(bytesOf(array, start, end - start), at * array.BYTES_PER_ELEMENT)
    }
    this.length = Math.max(this.length, at + end - start)
  }

  /** Reads elements from a place on into arrays. */
  read(into: ArraysOf<M>, length: number, at: number): void {
    for (const name of this.#files.keys()) this.#readColumn(name, into, length, at)
  }

  /** The elements from `start` to `end`, and perhaps others; valid until the next call. */
  window(start: number, end: number): WindowOf<M> {
    const last = this.#first + this.#held
    if (end <= start || (start >= this.#first && end <= last)) return this.#window
    const isNext = start >= this.#first && start <= last
    const wanted = Math.max(end - start, isNext ? nextElements : otherElements)
    const length = Math.min(wanted, this.length - start)
    if (length > this.#room) {
      this.#room = length
      this.#arrays = this.arrays(length)
    }
    this.#isRead.clear()
    this.#held = length
    this.#first = start
    return this.#window
  }

  #column<K extends keyof M>(name: K): ArraysOf<M>[K] {
    if (!this.#isRead.has(name)) {
      this.#readColumn(name, this.#arrays, this.#held, this.#first)
      this.#isRead.add(name)
    }
    return this.#arrays[name]
  }

  #readColumn(name: keyof M, into: ArraysOf<M>, length: number, at: number): void {
    const array = into[name]
    const bytes = bytesOf(array, 0, length)
    this.#files.get(name)!.read(bytes, bytes.length, at * array.BYTES_PER_ELEMENT)
  }

  close(): void {
    for (const file of this.#files.values()) file.close()
  }
}

function bytesOf(array: Numbers, start: number, length: number): Uint8Array {
  const { buffer, byteOffset, BYTES_PER_ELEMENT: size } = array
  return new Uint8Array(buffer, byteOffset + start * size, length * size)
}
