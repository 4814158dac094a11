/**
 * The text of a CSV file: UTF-8 unless its map or a mark of UTF-16 says otherwise. A line of
 * another encoding is marked, so that its row is rejected alone.
 */
import { isUtf8 } from 'node:buffer'
import { limits } from '../../limits.ts'

/** In a line that is not of the encoding; no text holds this noncharacter. */
export const undecodedMark = '\uffff'

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** A line that is longer is cut somewhere: its row is too long as well. */
const heldBytesMax = 2 * limits.lineBytesMax

/** Cut at line ends where it can be; without byte order marks. @param encoding of a map; empty without one. */
export async function* csvTexts(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
): AsyncGenerator<string, void, undefined> {
  let decode: ((bytes?: Buffer) => string) | undefined
  let held: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    decode ??= decoderOf(encoding === '' ? markedEncoding(chunk) : encoding)
    const bytes = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const last = Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn))
    const cut = last < 0 && bytes.length > heldBytesMax ? bytes.length : last + 1
    held = bytes.subarray(cut)
    yield withoutMarks(decode(bytes.subarray(0, cut)))
  }
  if (decode !== undefined) yield withoutMarks(decode(held) + decode())
}

/** Why the row of a marked line is rejected. */
export function undecodedReason(encoding: string): string {
  if (encoding !== '') return `is not ${encoding}`
  return 'is not UTF-8: name its encoding in --map, such as `encoding: windows-1252`'
}

function decoderOf(encoding: string | undefined): (bytes?: Buffer) => string {
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return utf8
  const decoder = new TextDecoder(encoding)
  return (bytes) =>
    decoder.decode(bytes, { stream: bytes !== undefined }).replaceAll('\ufffd', undecodedMark)
}

function utf8(bytes: Buffer = Buffer.alloc(0)): string {
  if (isUtf8(bytes)) return bytes.toString()
  let text = ''
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start) + 1 || bytes.length
    const line = bytes.subarray(start, end)
    text += isUtf8(line) ? line.toString() : undecodedMark + line.toString()
    start = end
  }
  return text
}

function markedEncoding([first, second]: Buffer): string | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined
}

function withoutMarks(text: string): string {
  return text.includes('\ufeff') ? text.replaceAll('\ufeff', '') : text
}
