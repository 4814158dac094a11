/**
 * Shared memory that changes hands: what one owner leaves, the next takes, without a garbage collector in between. Memory
 * that nobody has written to takes no room, so what was taken before is always taken first.
 */

/** Bytes of shared memory that are asked of the system at once, unless more are expected. */
const pieceBytes = 1 << 28
/** Every piece begins at a multiple of this: a line of the processor's cache. */
const alignment = 64
/** Bytes that are wiped between two rests. */
const wipedAtOnce = 1 << 20

/** A part of shared memory. */
interface Span {
  readonly memory: SharedArrayBuffer
  readonly start: number
  readonly end: number
}

/** Memory for owners that have names. */
export class SharedPool {
  /** By the order in which the memory came, then by their start; no two touch each other. */
  #free: Span[] = []
  readonly #taken = new Map<string, Span[]>()
  #pieceBytes = pieceBytes
  /** Ends of what was ever taken of each: memory behind them takes no room. */
  readonly #written = new Map<SharedArrayBuffer, number>()

  /** Asks the system for so many bytes at once from now on: parts of them lie beside each other, and fit where others were. */
  expect(bytes: number): void {
    this.#pieceBytes = Math.max(pieceBytes, bytes)
  }

  /** The first memory that is long enough, for `owner` until it is released. It holds whatever was there. */
  take(owner: string, bytes: number): Uint8Array {
    const length = Math.max(1, Math.ceil(bytes / alignment)) * alignment
    let index = this.#free.findIndex(({ start, end }) => end - start >= length)
    if (index < 0) {
      const memory = new SharedArrayBuffer(Math.max(length, this.#pieceBytes))
      this.#written.set(memory, 0)
      index = this.#free.push({ memory, start: 0, end: memory.byteLength }) - 1
    }
    const { memory, start, end } = this.#free[index]!
    const left = start + length < end ? [{ memory, start: start + length, end }] : []
    this.#free.splice(index, 1, ...left)
    const own = { memory, start, end: start + length }
    this.#taken.set(owner, [...(this.#taken.get(owner) ?? []), own])
    this.#written.set(memory, Math.max(this.#written.get(memory)!, own.end))
    // Behind its end nothing would ever be overwritten.
    new Uint8Array(memory, start + bytes, length - bytes).fill(0)
    return new Uint8Array(memory, start, bytes)
  }

  /** Takes the memory of an owner back; no thread may read it any more. An owner that has none is no error. */
  release(owner: string): void {
    const order = [...this.#written.keys()]
    const spans = [...this.#free, ...(this.#taken.get(owner) ?? [])]
    this.#taken.delete(owner)
    spans.sort((a, b) => order.indexOf(a.memory) - order.indexOf(b.memory) || a.start - b.start)
    this.#free = []
    for (const span of spans) {
      const last = this.#free.at(-1)
      const isNext = last?.memory === span.memory && last.end === span.start
      if (isNext) this.#free[this.#free.length - 1] = { ...last, end: span.end }
      else this.#free.push(span)
    }
  }

  /** Overwrites the memory that no owner has with zeros. */
  wipe(rest: () => void = () => {}): void {
    for (const { memory, start, end } of this.#free) {
      const last = Math.min(end, this.#written.get(memory)!)
      for (let from = start; from < last; from += wipedAtOnce) {
        new Uint8Array(memory, from, Math.min(wipedAtOnce, last - from)).fill(0)
        rest()
      }
    }
  }
}
