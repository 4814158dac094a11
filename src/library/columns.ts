/**
 * Figures of many handles at once, in typed arrays: no object, no JSON, no limit of how many. A handle
 * stands for its top owner, as in an aligned match. Reads `limits.batchValuesMax` handles at a time, so
 * that look-ups wait for memory together.
 */
import type { ActiveSnapshot } from '../api/active-snapshot.ts'
import { limits } from '../limits.ts'
import { HandleKeyReader, type Lines, lineCount } from './handle-keys.ts'

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
   */
  fill<T extends Float64Array | Uint32Array>(
    { catalog }: ActiveSnapshot,
    handles: HandleColumn,
    out: T,
    { unknown, of }: { unknown: number; of: FigureOf },
  ): T {
    const keys = this.#keys
    const lines: Lines | undefined =
      handles instanceof Uint8Array ? { bytes: handles, next: 0 } : undefined
    const count = handleCount(handles)
    for (let filled = 0; filled < count; filled += keys.count) {
      if (lines === undefined) keys.readTexts(handles as readonly string[], filled)
      else keys.readLines(lines)
      const owners = catalog.batch.topOwnersOf(keys)
      for (let index = 0; index < keys.count; index += 1) {
        const ordinal = owners[index]!
        out[filled + index] = ordinal < 0 ? unknown : of(ordinal)
      }
    }
    return out
  }
}

/** How many handles a column holds. */
export function handleCount(handles: HandleColumn): number {
  return handles instanceof Uint8Array ? lineCount(handles) : handles.length
}
