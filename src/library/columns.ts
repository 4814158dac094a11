/**
 * Figures of any number of handles in typed arrays, without objects or JSON. A handle stands for its top owner. Reads
 * `limits.batchValuesMax` handles at a time, so that look-ups wait for memory together.
 */
import type { ActiveSnapshot } from '../api/active-snapshot.ts'
import { HandleKeyReader } from '../engine/handle-keys.ts'
import { limits } from '../limits.ts'
import { invalidValue } from './thrown.ts'

/** Handles as a list, or as lines of UTF-8. */
export type HandleColumn = readonly string[] | Uint8Array

/** Lines of UTF-8, the last with or without its end. */
interface Lines {
  readonly bytes: Uint8Array
  /** Offset of the next line; readers move it on. */
  next: number
}

const newline = 10
const keyBytes = 64 << 10
const decoder = new TextDecoder()
const noBytes = new Uint8Array(0)
const noTexts: readonly string[] = []

type FigureOf = (ordinal: number) => number

export class Columns {
  readonly #keys = new HandleKeyReader(limits.batchValuesMax, keyBytes)

  /** @param out at least as long as there are handles. @throws InvalidParameter if it is shorter. */
  fill<T extends Float64Array | Uint32Array>(
    { catalog }: ActiveSnapshot,
    handles: HandleColumn,
    out: T,
    { unknown, of }: { unknown: number; of: FigureOf },
  ): T {
    const keys = this.#keys
    const lines: Lines = { bytes: handles instanceof Uint8Array ? handles : noBytes, next: 0 }
    const texts = textsIn(handles)
    const hasLines = () => lines.next < lines.bytes.length
    for (let filled = 0; hasLines() || filled < texts.length; filled += keys.count) {
      keys.clear()
      if (hasLines()) this.#readLines(lines)
      else this.#readTexts(texts, filled)
      if (filled + keys.count > out.length) {
        throw invalidValue(`out: there are more handles than its length, ${out.length}`)
      }
      const owners = catalog.topOwnersOf(keys)
      for (let index = 0; index < keys.count; index += 1) {
        const ordinal = owners[index]!
        out[filled + index] = ordinal < 0 ? unknown : of(ordinal)
      }
    }
    return out
  }

  #readTexts(texts: readonly string[], from: number): void {
    const end = Math.min(texts.length, from + limits.batchValuesMax)
    for (let index = from; index < end; index += 1) {
      const text = texts[index]
      if (typeof text !== 'string') throw invalidValue(`handles[${index}]: not a text`)
      this.#keys.addText(text)
    }
  }

  #readLines(lines: Lines): void {
    const { bytes } = lines
    while (this.#keys.count < limits.batchValuesMax && lines.next < bytes.length) {
      let end = this.#keys.addPlain(bytes, lines.next, newline)
      if (end < 0) {
        const next = bytes.indexOf(newline, lines.next)
        end = next < 0 ? bytes.length : next
        // A copy, because a decoder refuses shared memory.
        this.#keys.addText(decoder.decode(bytes.slice(lines.next, end)))
      }
      lines.next = end + 1
    }
  }
}

/** Number of handles in a column. @throws InvalidParameter for a value that is no column. */
export function handleCount(handles: HandleColumn): number {
  return handles instanceof Uint8Array ? lineCount(handles) : textsIn(handles).length
}

function textsIn(handles: HandleColumn): readonly string[] {
  if (handles instanceof Uint8Array) return noTexts
  if (Array.isArray(handles)) return handles
  throw invalidValue('handles: a list of texts, or a Uint8Array of lines')
}

function lineCount(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1
  return bytes.length === 0 || bytes.at(-1) === newline ? lines : lines + 1
}
