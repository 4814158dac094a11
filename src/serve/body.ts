/**
 * The body of an answer, assembled from ready-made JSON in one buffer that is used again for the
 * next. What `view` answers is valid until the next `begin`.
 */

const digitZero = 48
const closeBracket = 93
const closeBrace = 125
const microsecondsMax = 9_999_999

/** The ASCII codes of the hexadecimal digits. */
export const hexDigits = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

export class Body {
  #bytes = Buffer.allocUnsafe(64 << 10)
  #length = 0
  readonly #prefixLength: number
  /** Views of the beginning of the buffer by length: making one costs more than an answer has time for. */
  #views: Uint8Array[] = []

  /** @param prefix ASCII that every body begins with. */
  constructor(prefix = '') {
    this.#prefixLength = this.#bytes.write(prefix, 'latin1')
  }

  begin(): void {
    this.#length = this.#prefixLength
  }

  /** Ends the array and the object that the prefix began. */
  end(): void {
    this.#reserve(2)
    this.#bytes[this.#length] = closeBracket
    this.#bytes[this.#length + 1] = closeBrace
    this.#length += 2
  }

  /** The bytes written since `begin`. */
  view(): Uint8Array {
    const length = this.#length
    let view = this.#views[length]
    if (view === undefined) {
      view = this.#bytes.subarray(0, length)
      this.#views[length] = view
    }
    return view
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

  /** Copies whole bytes. */
  bytes(source: Uint8Array): void {
    this.#reserve(source.length)
    this.#bytes.set(source, this.#length)
    this.#length += source.length
  }

  /** Copies a part of a section. */
  slice(source: Uint8Array, start: number, end: number): void {
    this.bytes(source.subarray(start, end))
  }

  /** A whole number, not negative. */
  integer(value: number): void {
    if (value < 10) {
      this.#reserve(1)
      this.#bytes[this.#length] = digitZero + value
      this.#length += 1
    } else {
      this.text(String(value))
    }
  }

  comma(): void {
    this.#reserve(1)
    this.#bytes[this.#length] = 44
    this.#length += 1
  }

  /** Puts ASCII in the place of what stands at an offset. */
  overwrite(at: number, text: string): void {
    for (let index = 0; index < text.length; index += 1) {
      this.#bytes[at + index] = text.charCodeAt(index)
    }
  }

  /** Puts a duration in the place of `0.000000`: seconds with six decimals, 9.999999 at most. */
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
    this.#views = []
  }
}
