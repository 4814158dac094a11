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

const noBytes = new Uint8Array(0)
const noTexts: readonly string[] = []

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
    const lines: Lines = { bytes: handles instanceof Uint8Array ? handles : noBytes, next: 0 }
    const texts = textsIn(handles)
    const hasLines = () => lines.next < lines.bytes.length
    for (let filled = 0; hasLines() || filled < texts.length; filled += keys.count) {
      if (hasLines()) keys.readLines(lines)
      else keys.readTexts(texts, filled)
      if (filled + keys.count > out.length) throw tooShort(out)
      const owners = catalog.batch.topOwnersOf(keys)
      for (let index = 0; index < keys.count; index += 1) {
        const ordinal = owners[index]!
        out[filled + index] = ordinal < 0 ? unknown : of(ordinal)
      }
    }
    return out
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

function tooShort({ length }: Float64Array | Uint32Array) {
  return invalidValue(`out: there are more handles than its length, ${length}`)
}
