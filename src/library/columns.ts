/**
 * Figures of any number of handles at once, in typed arrays, without objects or JSON. A handle
 * stands for its top owner, as in an aligned match. Reads `limits.batchValuesMax` handles at a time, so
 * that look-ups wait for memory together.
 */
import type { ActiveSnapshot } from '../api/active-snapshot.ts'
import { limits } from '../limits.ts'
import { HandleKeyReader, type Lines, lineCount } from './handle-keys.ts'
import { invalidValue } from './thrown.ts'

/** Handles as a list, or as lines of UTF-8. */
export type HandleColumn = readonly string[] | Uint8Array

/** Gives the figure of a person. */
type FigureOf = (ordinal: number) => number

export class Columns {
  readonly #keys = new HandleKeyReader(limits.batchValuesMax)

  /**
   * Fills a column with a figure of the owner of each handle.
   * @param unknown the figure of a handle without an owner.
   * @param out at least as long as there are handles.
   * @throws InvalidParameter for a shorter one, and for an entry that is not a text.
   */
  fill<T extends Float64Array | Uint32Array>(
    { catalog }: ActiveSnapshot,
    handles: HandleColumn,
    out: T,
    { unknown, of }: { unknown: number; of: FigureOf },
  ): T {
    const keys = this.#keys
    let filled = 0
    const take = () => {
      if (filled + keys.count > out.length) throw tooShort(out)
      const owners = catalog.batch.topOwnersOf(keys)
      for (let index = 0; index < keys.count; index += 1) {
        const ordinal = owners[index]!
        out[filled + index] = ordinal < 0 ? unknown : of(ordinal)
      }
      filled += keys.count
    }
    if (handles instanceof Uint8Array) {
      const bytes = Buffer.from(handles.buffer, handles.byteOffset, handles.byteLength)
      const lines: Lines = { bytes, next: 0 }
      while (lines.next < bytes.length) {
        keys.read(lines)
        take()
      }
      return out
    }
    const texts = textsIn(handles)
    while (filled < texts.length) {
      this.#readTexts(texts, filled)
      take()
    }
    return out
  }

  /** Reads texts as lines: to write them into one buffer takes less time than to read them one by one. */
  #readTexts(texts: readonly string[], from: number): void {
    const part = texts.slice(from, from + limits.batchValuesMax)
    const wrong = part.findIndex((text) => typeof text !== 'string')
    if (wrong >= 0) throw invalidValue(`handles[${from + wrong}]: not a text`)
    if (this.#areRead(part)) return
    // The end of a line is white space in a handle like any other.
    this.#areRead(part.map((text) => text.replaceAll('\n', ' ')))
  }

  /** Whether each text was one line. */
  #areRead(texts: readonly string[]): boolean {
    const lines: Lines = { bytes: Buffer.from(`${texts.join('\n')}\n`), next: 0 }
    this.#keys.read(lines)
    return this.#keys.count === texts.length && lines.next === lines.bytes.length
  }
}

/** Number of handles in a column. @throws InvalidParameter for a value that is no column. */
export function handleCount(handles: HandleColumn): number {
  return handles instanceof Uint8Array ? lineCount(handles) : textsIn(handles).length
}

function textsIn(handles: readonly string[]): readonly string[] {
  if (Array.isArray(handles)) return handles
  throw invalidValue('handles: a list of texts, or a Uint8Array of lines')
}

function tooShort({ length }: Float64Array | Uint32Array) {
  return invalidValue(`out: there are more handles than its length, ${length}`)
}
