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
    for (const bytes of linesOf(handles)) {
      const lines: Lines = { bytes, next: 0 }
      while (lines.next < bytes.length) {
        keys.read(lines)
        if (filled + keys.count > out.length) throw tooShort(out)
        const owners = catalog.batch.topOwnersOf(keys)
        for (let index = 0; index < keys.count; index += 1) {
          const ordinal = owners[index]!
          out[filled + index] = ordinal < 0 ? unknown : of(ordinal)
        }
        filled += keys.count
      }
    }
    return out
  }
}

/** Number of handles in a column. @throws InvalidParameter for a value that is no column. */
export function handleCount(handles: HandleColumn): number {
  if (handles instanceof Uint8Array) return lineCount(handles)
  if (Array.isArray(handles)) return handles.length
  throw invalidValue('handles: a list of texts, or a Uint8Array of lines')
}

/** Handles as lines, a list in parts: to write a part into one buffer takes less time than to read its texts one by one. */
function* linesOf(handles: HandleColumn): Generator<Buffer> {
  const count = handleCount(handles)
  if (handles instanceof Uint8Array) {
    yield Buffer.from(handles.buffer, handles.byteOffset, handles.byteLength)
    return
  }
  for (let from = 0; from < count; from += limits.batchValuesMax) {
    const part = handles.slice(from, from + limits.batchValuesMax)
    const wrong = part.findIndex((text) => typeof text !== 'string')
    if (wrong >= 0) throw invalidValue(`handles[${from + wrong}]: not a text`)
    const lines = Buffer.from(`${part.join('\n')}\n`)
    const isOneEach = lineCount(lines) === part.length
    // The end of a line is white space in a handle like any other.
    yield isOneEach ? lines : Buffer.from(`${part.map(asLine).join('\n')}\n`)
  }
}

function asLine(text: string): string {
  return text.replaceAll('\n', ' ')
}

function tooShort({ length }: Float64Array | Uint32Array) {
  return invalidValue(`out: there are more handles than its length, ${length}`)
}
