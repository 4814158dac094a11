/**
 * Lines of memory that a request reads: different 64-byte lines of the sections of a snapshot and of the tables made
 * of it, counted by typed arrays that note what is read of them. A simulation: what V8 itself reads, the buffers of a
 * thread, and reads of whole lists at once by built-in functions are not in it.
 */
import { type ActiveSnapshot, activate } from '../../src/api/active-snapshot.ts'
import { HandleList } from '../../src/api/parameters/handle-list.ts'
import { type DerivedIndexes, madeOf } from '../../src/engine/derived-indexes.ts'
import { limits } from '../../src/limits.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import type { Sections } from '../../src/snapshot/sections.ts'
import { Random } from '../../test/support/random.ts'
import { textsOf } from '../shared/data/data.ts'
import { makeQueries } from '../shared/data/queries.ts'
import { table } from '../shared/report.ts'
import { median } from '../shared/rounds.ts'

/** Lines of a kind of request; medians. */
export interface LinesRow {
  readonly name: string
  readonly requests: number
  /** Lines a search, or a handle. */
  readonly lines: number
}

type Memory = Uint8Array | Uint16Array | Uint32Array | Float64Array

const lineBytes = 64
const searches = 50
/** A view of so many bytes is a text that is read as a whole: a decoder takes no array that notes. */
const textBytesMax = 256

/** Notes the lines that are read. */
class Lines {
  readonly #buffers = new Map<ArrayBufferLike, number>()
  #read = new Set<string>()

  /** An array that notes the line of each element that is read, also through views of it. */
  noted<T extends Memory>(array: T): T {
    const number = this.#buffers.get(array.buffer) ?? this.#buffers.size
    this.#buffers.set(array.buffer, number)
    const note = (index: number) => {
      const place = array.byteOffset + index * array.BYTES_PER_ELEMENT
      this.#read.add(`${number}:${Math.floor(place / lineBytes)}`)
    }
    const noteAll = (from: number, to: number) => {
      for (let index = from; index < to; index += 1) note(index)
    }
    return new Proxy(array, {
      get: (target, key) => {
        if (typeof key === 'string' && /^\d+$/.test(key)) note(Number(key))
        if (key === 'subarray') {
          return (from = 0, to = target.length) => {
            const part = target.subarray(from, to) as T
            if (!(part instanceof Uint8Array) || part.length > textBytesMax) return this.noted(part)
            noteAll(from, to)
            return part
          }
        }
        if (key === 'slice') {
          return (from = 0, to = target.length) => {
            noteAll(from, to)
            return target.slice(from, to)
          }
        }
        const value: unknown = Reflect.get(target, key, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  /** The same of all arrays among the values of an object, and of the objects in it. */
  notedAll<T extends object>(values: T): T {
    const entries = Object.entries(values).map(([name, value]: [string, unknown]) => {
      if (ArrayBuffer.isView(value)) return [name, this.noted(value as Memory)]
      const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value)
      return [name, isPlain ? this.notedAll(value) : value]
    })
    return Object.fromEntries(entries)
  }

  /** Lines of what a function reads. */
  of(read: () => void): number {
    this.#read = new Set()
    read()
    return this.#read.size
  }
}

/** Counts the lines of searches of two words, of one handle and of a handle in a thousand. */
export function countLines(snapshot: Snapshot): LinesRow[] {
  const made: DerivedIndexes = madeOf(snapshot)
  const queries = makeQueries(snapshot, activate(snapshot, made), searches)['two words']!
  const lines = new Lines()
  const sections = lines.notedAll(snapshot.sections) as Sections
  const served = activate({ ...snapshot, sections }, lines.notedAll(made))
  const { catalog, search } = served
  const handles = ownedHandles(snapshot, served)
  const keys = HandleList.parse(Buffer.from(JSON.stringify(handles)), 0)!.list
  const ofSearches = queries.map((query) =>
    lines.of(() => catalog.batch.fetchSummaries(search.find(query, 10).ordinals)),
  )
  const ofHandles = handles.map((key) =>
    lines.of(() => {
      const owners = catalog.ownersOf({ platform: undefined, key })
      catalog.batch.fetchSummaries(owners)
    }),
  )
  const ofBatch = lines.of(() =>
    catalog.batch.fetchSummaries(catalog.batch.ownersOf(keys).ordinals),
  )
  return [
    { name: 'a search of two words, ten items', requests: searches, lines: median(ofSearches) },
    { name: 'a match of one handle', requests: handles.length, lines: median(ofHandles) },
    { name: `a handle of ${handles.length}`, requests: 1, lines: ofBatch / handles.length },
  ]
}

/** Handles that somebody owns, as many as a list may hold or as there are. */
function ownedHandles(snapshot: Snapshot, { catalog }: ActiveSnapshot): string[] {
  const all = textsOf(snapshot.sections, 'handle')
  const owned = all.filter((key) => catalog.ownersOf({ platform: undefined, key }).length > 0)
  const order = new Random(23, owned.length).permutation(owned.length)
  return Array.from(order.slice(0, limits.batchValuesMax), (index) => owned[index]!)
}

/** A table of the lines. */
export function linesReport(rows: readonly LinesRow[]): string[] {
  return table(rows, {
    'lines of memory (counted)': ({ name }) => name,
    requests: ({ requests }) => requests,
    lines: ({ lines }) => lines.toFixed(1),
  })
}
