/**
 * The text of a CSV file: UTF-8 unless its map or a mark of UTF-16 says otherwise. A line of
 * another encoding is marked, so that its row is rejected alone; a file that is most likely of
 * another encoding is refused as a whole.
 */
import { isUtf8 } from 'node:buffer'
import { limits } from '../../limits.ts'
import { Refusal } from '../../problems.ts'

/** In a line that is not of the encoding; no text holds this noncharacter. */
export const undecodedMark = '\uffff'

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** A line that is longer is cut somewhere: its row is too long as well. */
const heldBytesMax = 2 * limits.lineBytesMax

export class CsvTexts {
  readonly #encoding: string
  #isSurelyUtf8 = false
  #oddLine: Buffer | undefined

  constructor(encoding: string) {
    this.#encoding = encoding
  }

  get reason(): string {
    return `is not ${this.#encoding === '' ? 'UTF-8' : this.#encoding}`
  }

  /** Cut at line ends where it can be; without byte order marks. */
  async *of(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void, undefined> {
    let decode: ((bytes?: Buffer) => string) | undefined
    let held: Buffer = Buffer.alloc(0)
    for await (const chunk of chunks) {
      decode ??= this.#decoderFor(chunk)
      const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const last = Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn))
      const cut = last < 0 && bytes.length > heldBytesMax ? bytes.length : last + 1
      held = bytes.subarray(cut)
      yield withoutMarks(decode(bytes.subarray(0, cut)))
    }
    if (decode !== undefined) yield withoutMarks(decode(held) + decode())
  }

  #decoderFor(first: Buffer): (bytes?: Buffer) => string {
    const encoding = this.#encoding === '' ? markedEncoding(first) : this.#encoding
    if (encoding === undefined || /^utf-?8$/i.test(encoding)) return (bytes) => this.#utf8(bytes)
    const decoder = new TextDecoder(encoding)
    return (bytes) =>
      decoder.decode(bytes, { stream: bytes !== undefined }).replaceAll('\ufffd', undecodedMark)
  }

  #utf8(bytes: Buffer = Buffer.alloc(0)): string {
    if (isUtf8(bytes)) {
      const text = bytes.toString()
      this.#isSurelyUtf8 ||= text.length < bytes.length
      return text
    }
    let text = ''
    for (let start = 0; start < bytes.length; ) {
      const end = bytes.indexOf(lineFeed, start) + 1 || bytes.length
      const line = bytes.subarray(start, end)
      const read = line.toString()
      if (isUtf8(line)) {
        this.#isSurelyUtf8 ||= read.length < line.length
        text += read
      } else {
        this.#oddLine ??= Buffer.from(line)
        text += undecodedMark + read
      }
      start = end
    }
    return text
  }

  /**
   * More than a hundredth of the rows are not UTF-8, and none needs to be.
   * @throws Refusal `source-unreadable` proposing the encoding.
   */
  refuseOther(place: string, table: string, rows: number, oddRows: number): void {
    if (this.#oddLine === undefined || this.#isSurelyUtf8 || oddRows * 100 <= rows) return
    const read = new TextDecoder('windows-1252').decode(this.#oddLine).trim().slice(0, 80)
    const map = `${table}: { encoding: windows-1252 }`
    throw new Refusal(
      'source-unreadable',
      `${place} is not UTF-8: save it as UTF-8, or say in --map how it is written, as \`${map}\` (or windows-1251, macintosh, shift_jis, …), which reads: ${read}`,
    )
  }
}

function markedEncoding([first, second]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function withoutMarks(text: string): string {
  return text.includes('\ufeff') ? text.replaceAll('\ufeff', '') : text
}
