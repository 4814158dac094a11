/** The body of an answer in one buffer that the next answer uses again: `view` is valid until the next `begin`. */
import type { Way } from '../../engine/interpret/found.ts'
import { writeDigits, writeWhole } from '../../memory/ascii.ts'
import {
  type CopySource,
  copySlackBytes,
  copyText,
  type TextPiece,
} from '../../memory/copy-text.ts'
import { dataViewOf, writeShortAscii } from '../../memory/text-table.ts'
import type { PagedTexts } from '../../snapshot/texts/paged-texts.ts'
import type { CachedAnswer } from '../answer-cache.ts'

const closeBracket = 93
const closeBrace = 125
const comma = 44
const dot = 46
const microsecondsPerSecond = 1_000_000
const microsecondsMax = 9_999_999
/** More bytes than the digits of any number, and than `copyText` writes behind a piece. */
const slackBytes = copySlackBytes + 1
const firstBytes = 64 << 10

export function eightBytesOf(text: string): number {
  return Buffer.from(text, 'latin1').readDoubleLE()
}

export class Body {
  #bytes = Buffer.allocUnsafe(firstBytes)
  #data = dataViewOf(this.#bytes)
  #source: CopySource | undefined
  #length = 0
  #profiles = 0
  /** Length of the body, bytes, up to which its buffer need not grow. */
  #lengthMax = firstBytes - slackBytes
  readonly #prefixLength: number
  /** Views of the beginning of the buffer by length: making one costs more than an answer has time for. */
  #views: Uint8Array[] = []

  /** @param prefix ASCII that every body begins with. */
  constructor(prefix = '') {
    this.#prefixLength = this.#bytes.write(prefix, 'latin1')
  }

  begin(): void {
    this.#length = this.#prefixLength
    this.#profiles = 0
  }

  /** Items with fields of a profile since `begin`. */
  get profiles(): number {
    return this.#profiles
  }

  addProfiles(items: number): void {
    this.#profiles += items
  }

  /** Ends the array and the object that the prefix began; `more` are members behind the array. */
  end(more = ''): void {
    this.#reserve(1)
    this.#bytes[this.#length] = closeBracket
    this.#length += 1
    if (more !== '') this.text(more)
    this.#reserve(1)
    this.#bytes[this.#length] = closeBrace
    this.#length += 1
  }

  view(): Uint8Array {
    const length = this.#length
    // Lengths of large bodies hardly come again, and each view that is kept takes memory.
    if (length > firstBytes) return this.#bytes.subarray(0, length)
    let view = this.#views[length]
    if (view === undefined) {
      view = this.#bytes.subarray(0, length)
      this.#views[length] = view
    }
    return view
  }

  get length(): number {
    return this.#length
  }

  /** The bytes, to be copied; valid until the body changes. */
  get source(): CopySource {
    this.#source ??= { data: this.#data, blocksEnd: this.#lengthMax }
    return this.#source
  }

  /** The items from an offset on as an answer to be kept; valid until the body changes. */
  answerFrom(start: number, way: Way, members: string, profilesMax: number): CachedAnswer {
    const { source, length: end, profiles } = this
    return { source, start, end, isOfSection: false, way, members, profiles, profilesMax }
  }

  text(text: string): void {
    this.#reserve(text.length * 3)
    const isWritten = writeShortAscii(text, this.#bytes, this.#length)
    this.#length += isWritten ? text.length : this.#bytes.write(text, this.#length)
  }

  /** By `set`, 1,500 bytes of shared memory take 1.3 µs and 6,000 take 4.9: it copies byte by byte (measured). */
  slice(source: CopySource, start: number, end: number): void {
    this.#reserve(end - start)
    copyText(source, start, end, this.#data, this.#length)
    this.#length += end - start
  }

  entry(texts: PagedTexts, entry: number): void {
    this.slice(texts.pageOf(entry).source, texts.startOf(entry), texts.endOf(entry))
  }

  piece({ source, start, end }: TextPiece): void {
    this.slice(source, start, end)
  }

  /** Makes room behind what was written; returns the offset at which it begins. */
  makeRoom(bytes: number): number {
    this.#reserve(bytes)
    return this.#length
  }

  wholeAt(at: number, value: number): number {
    return writeWhole(this.#bytes, at, value)
  }

  /** Sets the end of what was written into that room. */
  endAt(end: number): void {
    this.#length = end
  }

  /** A whole number, not negative. */
  integer(value: number): void {
    this.#reserve(0)
    this.#length = writeWhole(this.#bytes, this.#length, value)
  }

  /** A number of hundredths, with as many of its two decimals as it needs. */
  hundredths(value: number): void {
    const whole = Math.floor(value / 100)
    const rest = value - whole * 100
    this.integer(whole)
    if (rest === 0) return
    const digits = rest % 10 === 0 ? 1 : 2
    this.#bytes[this.#length] = dot
    this.#length += 1 + digits
    writeDigits(this.#bytes, this.#length, digits, digits === 1 ? rest / 10 : rest)
  }

  /** Takes back the last byte: the brace that ended an item which goes on. */
  dropLast(): void {
    this.#length -= 1
  }

  comma(): void {
    this.#reserve(1)
    this.#bytes[this.#length] = comma
    this.#length += 1
  }

  /** The buffer, for overwriting written bytes; another one after it has grown. */
  get data(): DataView {
    return this.#data
  }

  /** Puts a duration in the place of `0.000000`: seconds with six decimals, 9.999999 at most. */
  writeDuration(at: number, seconds: number): void {
    const all = Math.min(microsecondsMax, Math.max(0, Math.round(seconds * microsecondsPerSecond)))
    const whole = Math.floor(all / microsecondsPerSecond)
    writeDigits(this.#bytes, at + 1, 1, whole)
    writeDigits(this.#bytes, at + 8, 6, all - whole * microsecondsPerSecond)
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes
    if (needed > this.#lengthMax) this.#grow(Math.max(this.#bytes.length * 2, needed + slackBytes))
  }

  #grow(length: number): void {
    const larger = Buffer.allocUnsafe(length)
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
    this.#data = dataViewOf(larger)
    this.#source = undefined
    this.#lengthMax = length - slackBytes
    this.#views = []
  }
}
