/**
 * The body of an answer, assembled from ready-made JSON in one buffer that is used again for the
 * next. What `view` answers is valid until the next `begin`.
 */

const digitZero = 48
const microsecondsMax = 9_999_999

export class Body {
  #bytes = Buffer.allocUnsafe(64 << 10)
  #length = 0

  begin(): void {
    this.#length = 0
  }

  /** The bytes written since `begin`. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Bytes written since `begin`. */
  get length(): number {
    return this.#length
  }

  /** A copy of what was written from an offset on. */
  copyFrom(start: number): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#bytes, start, this.#length)
  }

  text(text: string): void {
    this.#reserve(text.length * 3)
    this.#length += this.#bytes.write(text, this.#length)
  }

  /** Copies a part of a section. */
  slice(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start)
    this.#bytes.set(source.subarray(start, end), this.#length)
    this.#length += end - start
  }

  /** A whole number, not negative. */
  integer(value: number): void {
    this.text(String(value))
  }

  /** Leaves room for a duration and answers where it goes. */
  reserveDuration(): number {
    const at = this.#length
    this.text('0.000000')
    return at
  }

  /** Fills in a duration: seconds with six decimals, 9.999999 at most. */
  writeDuration(at: number, seconds: number): void {
    let rest = Math.min(microsecondsMax, Math.max(0, Math.round(seconds * 1e6)))
    for (let digit = at + 7; digit >= at; digit -= 1) {
      if (digit === at + 1) continue
      this.#bytes[digit] = digitZero + (rest % 10)
      rest = Math.floor(rest / 10)
    }
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + bytes))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}
