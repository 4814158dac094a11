/**
 * Bytes in, lines out. Chunks may be cut anywhere, also inside a character. Memory is bounded by
 * one chunk and the longest line allowed.
 */
import { isUtf8 } from 'node:buffer'
import { limits } from '../../limits.ts'
import { Refusal } from '../../problems.ts'
import { jsonOfLine } from '../loose-json.ts'
import type { LineTaker, PlainRecord, RecordStream } from '../plain-records.ts'
import type { OnProgress } from '../source.ts'

export function recordsOfLines(
  chunks: (onProgress: OnProgress | undefined) => AsyncIterable<Buffer>,
  positionOf: RecordStream['positionOf'],
): RecordStream {
  return {
    positionOf,
    read: async function* ({ visit, onProgress, hash, isWanted, takeLine }) {
      const splitter =
        visit &&
        lineSplitter(
          limits.lineBytesMax,
          (number, text, fault) => visit(recordOfLine(number, text, fault)),
          isWanted ? (number) => !isWanted(number) : takeLine,
        )
      for await (const chunk of chunks(onProgress)) {
        hash?.update(chunk)
        splitter?.push(chunk)
        yield
      }
      splitter?.end()
      yield
    },
  }
}

/** A fault in the bytes of a line comes before every other. */
export function recordOfLine(number: number, text: string, fault?: string): PlainRecord {
  const lost = (reason: string) => ({
    ...{ number, text, value: undefined },
    fault: { field: 'line', reason },
  })
  if (fault !== undefined) return lost(fault)
  try {
    return { number, text, value: jsonOfLine(text) }
  } catch {
    return lost('is not JSON')
  }
}

const newline = 0x0a
/** A line of so many bytes has no end: what comes behind it is not waited for. */
const endlessBytes = 1 << 30

/**
 * Never takes a blank line. With a fault the text is what could be decoded, up to about `bytesMax`.
 */
type LineVisitor = (number: number, text: string, fault: string | undefined) => void

/**
 * Splits chunks into lines at `\n`; a `\r` before it belongs to no line.
 */
export function lineSplitter(bytesMax: number, visit: LineVisitor, take?: LineTaker) {
  /** The line that has not ended; beyond `bytesMax` counted but not kept. */
  let held: Buffer[] = []
  let heldBytes = 0
  let number = 0
  const visitText = (text: string, fault: string | undefined) => {
    number += 1
    const line = text.endsWith('\r') ? text.slice(0, -1) : text
    if (fault !== undefined || line.trim() !== '') visit(number, line, fault)
  }
  const visitBytes = (bytes: Buffer, start: number, end: number) => {
    if (end - start > bytesMax) {
      visitText(bytes.toString('utf8', start, start + bytesMax), 'is too long')
    } else if (take?.(number + 1, bytes, start, end)) {
      number += 1
    } else {
      const line = bytes.subarray(start, end)
      visitText(line.toString(), isUtf8(line) ? undefined : 'is not UTF-8')
    }
  }
  /** Decoded at once a line costs 0.16 µs, decoded by itself 0.4 µs (measured, 80 bytes a line). */
  const release = (rest: Buffer) => {
    const bytes = heldBytes === 0 ? rest : Buffer.concat([...held, rest])
    held = []
    heldBytes = 0
    if (take === undefined && bytes.length <= bytesMax && isUtf8(bytes)) {
      for (const text of bytes.toString().split('\n')) visitText(text, undefined)
      return
    }
    for (let start = 0, end = 0; start <= bytes.length; start = end + 1) {
      end = bytes.indexOf(newline, start)
      if (end === -1) end = bytes.length
      visitBytes(bytes, start, end)
    }
  }
  return {
    /** Keeps the chunk until its last line ends. @throws Refusal for a line without end. */
    push: (chunk: Buffer) => {
      const end = chunk.lastIndexOf(newline)
      if (end >= 0) release(chunk.subarray(0, end))
      const part = chunk.subarray(end + 1)
      if (heldBytes <= bytesMax) held.push(part)
      heldBytes += part.length
      if (heldBytes <= endlessBytes) return
      const reason = `line ${number + 1} has no end: more than ${endlessBytes} bytes`
      throw new Refusal('source-unreadable', reason)
    },
    end: () => {
      if (heldBytes > 0) release(Buffer.alloc(0))
    },
  }
}
