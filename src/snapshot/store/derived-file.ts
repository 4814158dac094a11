/**
 * Columns that are derived from a snapshot, in a file beside it, so that a load reads them and need not make them
 * again. The file is written for a verified snapshot only, and names its file as it lay there: it is believed under the
 * same conditions as `VERIFIED`, and says as much. Each part has a checksum; a file that is damaged, cut short, of
 * another version or of another file of the snapshot counts as none. So writing it needs no fsync.
 */
import { closeSync, fstatSync, openSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { thrownMessage } from '../../problems.ts'
import { writeAll } from '../../process/write-all.ts'
import type { SnapshotHeader } from '../header.ts'
import { checksumOf, fillChecked, fillFrom, inPieces } from '../texts/pieces.ts'
import { removeTemporary, temporarySuffix } from './state-file.ts'
import { fileStateOf } from './states.ts'

/** Suffixes of the files' names, behind the id of the snapshot. */
const suffixes = ['.derived', '.blocks'] as const
const nameShape = /^([0-9a-f]{32})\.(?:derived|blocks)(?:\.tmp)?$/
/** People of the smallest snapshot with such files: columns of fewer are made in milliseconds. */
export const leastDerived = 4096
/** Length of the head and its checksum, each of 4 bytes; then comes the head, then the columns. */
const preambleBytes = 8
/** Maximum length of a head: it has some 60 bytes a column. */
const headBytesMax = 1 << 24

/** End of the name of such a file. */
type DerivedSuffix = (typeof suffixes)[number]

/** A snapshot in a directory, and the version of what is derived from it. */
interface DerivedKey {
  readonly directory: string
  /** The name of the snapshot's file. */
  readonly fileName: string
  readonly version: number
  /** Of which kind the columns are: indexes unless given, or checksums of the blocks of its texts. */
  readonly kind?: DerivedSuffix
}

/** A column in the head, in the place of the column itself. */
interface ColumnEntry {
  /** Its first byte in the file, counted from the end of the head. */
  readonly at: number
  readonly length: number
  /** CRC-32. */
  readonly checksum: number
}

/** The head of a file; `columns` is still text, so that the rest can be looked at first. */
interface Head {
  /** The file of the snapshot as it lay there. */
  readonly of: string
  readonly version: number
  readonly columns: string
}

/** Columns of a snapshot, and the reason why they are not beside it, if they could not be written. */
interface Derived<T> {
  readonly columns: T
  readonly problem?: string
}

/** Gives memory that threads share, of so many bytes or more, from a multiple of 4 on. @param name of the column in its file. */
export type AllocateColumn = (name: string, bytes: number) => Uint8Array

const newMemory: AllocateColumn = (_, bytes) => new Uint8Array(new SharedArrayBuffer(bytes))

/** The way to make columns. */
interface Making<T> {
  /** Raised with each change of the columns: of their names, their content or their meaning. */
  readonly version: number
  readonly make: () => T
  /** Called now and then, as where sections are read. */
  readonly rest?: (() => void) | undefined
  /** Gives the memory of the columns; unless given, new memory, or that in which they were made. */
  readonly allocate?: AllocateColumn | undefined
  /** People of the smallest snapshot with a file; `leastDerived` unless given. */
  readonly least?: number
}

/**
 * Has the columns of a snapshot that was verified as it lies in a directory: reads them from the file beside it (0.05 µs
 * of processor time a person for those of the engine), or makes them and leaves that file.
 */
export function derivedOf<T extends object>(
  directory: string,
  { id, counts }: SnapshotHeader,
  { version, make, rest = () => {}, allocate, least = leastDerived }: Making<T>,
): Derived<T> {
  const made = () => (allocate === undefined ? make() : copyOf(make(), allocate))
  if (counts.authorities < least) return { columns: made() }
  const key = { directory, fileName: `${id}.msgpack`, version }
  const stored = readDerived<T>(key, rest, allocate)
  if (stored !== undefined) return { columns: stored }
  const columns = made()
  try {
    writeDerived(key, columns, rest)
  } catch (error) {
    return { columns, problem: thrownMessage(error) }
  }
  return { columns }
}

/** The path of the file of the columns of a snapshot. */
export function derivedPathOf(
  directory: string,
  fileName: string,
  kind: DerivedSuffix = '.derived',
): string {
  return join(directory, `${fileName.slice(0, fileName.lastIndexOf('.'))}${kind}`)
}

/** The id of the snapshot whose columns such a file holds, whole or not; undefined for a name of other files. */
export function derivedIdOf(name: string): string | undefined {
  return nameShape.exec(name)?.[1]
}

/** Whether a file says that the snapshot was verified as it lies there. */
export function isDerivedOf(directory: string, fileName: string): boolean {
  const isBelieved = (kind: DerivedSuffix) =>
    withHead({ directory, fileName, kind }, () => true) ?? false
  return suffixes.some(isBelieved)
}

/**
 * Writes the columns of a verified snapshot: plain objects and lists of `Uint32Array`. It leaves no file if the snapshot
 * is removed meanwhile.
 * @throws what the file system throws; then nothing of it is left.
 */
export function writeDerived(
  { directory, fileName, version, kind }: DerivedKey,
  columns: object,
  rest: () => void = () => {},
): void {
  const of = fileStateOf(directory, fileName)
  if (of === undefined) return
  const path = derivedPathOf(directory, fileName, kind)
  const temporary = `${path}${temporarySuffix}`
  const bytes: Uint8Array[] = []
  let at = 0
  const asEntry = (_: string, value: unknown) => {
    if (!(value instanceof Uint32Array)) return value
    const column = new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    bytes.push(column)
    at += column.length
    return { at: at - column.length, length: value.length, checksum: checksumOf(column, rest) }
  }
  const head = { of, version, columns: JSON.stringify(columns, asEntry) } satisfies Head
  try {
    writeParts(temporary, [...encodedHead(head), ...bytes], rest)
    renameSync(temporary, path)
    // A snapshot is removed before its columns: these are seen by the one who removes it, or it is seen to be gone.
    if (fileStateOf(directory, fileName) !== of) rmSync(path, { force: true })
  } catch (error) {
    removeTemporary(temporary)
    throw error
  }
}

/** The columns of a snapshot, in memory that threads share; undefined where there is no file to believe. */
export function readDerived<T extends object>(
  key: DerivedKey,
  rest: () => void = () => {},
  allocate: AllocateColumn = newMemory,
): T | undefined {
  return withHead(key, (file, { version, columns }, end) => {
    if (version !== key.version) return undefined
    return withLeaves(JSON.parse(columns), isEntry, ({ at, length, checksum }, name) => {
      const { column, memory } = columnOf(length, name, allocate)
      if (fillChecked(file, memory, end + at, rest) !== checksum) {
        throw new Error('the file is cut short, or a checksum does not match')
      }
      return column
    }) as T
  })
}

/** All columns with the names under which they have memory. */
export function columnsIn(columns: object): (readonly [name: string, column: Uint32Array])[] {
  const found: [string, Uint32Array][] = []
  withLeaves(columns, isColumn, (column, name) => found.push([name, column]))
  return found
}

function copyOf<T extends object>(columns: T, allocate: AllocateColumn): T {
  return withLeaves(columns, isColumn, (column, name) => {
    const copy = columnOf(column.length, name, allocate)
    copy.column.set(column)
    return copy.column
  }) as T
}

/** Memory for a column: its numbers, and its bytes. */
function columnOf(length: number, name: string, allocate: AllocateColumn) {
  const bytes = length * Uint32Array.BYTES_PER_ELEMENT
  const { buffer, byteOffset } = allocate(name, bytes)
  const memory = new Uint8Array(buffer, byteOffset, bytes)
  return { memory, column: new Uint32Array(buffer, byteOffset, length) }
}

/** Plain objects and lists with something else in the place of each leaf, which gets a name of the members that lead to it. */
function withLeaves<L>(
  value: unknown,
  isLeaf: (value: unknown) => value is L,
  change: (leaf: L, name: string) => unknown,
  name = '',
): unknown {
  if (isLeaf(value)) return change(value, name)
  const changed = ([key, each]: [string, unknown]) =>
    withLeaves(each, isLeaf, change, `${name}.${key}`)
  if (Array.isArray(value)) return Object.entries(value).map(changed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map((each) => [each[0], changed(each)]))
}

function isColumn(value: unknown): value is Uint32Array {
  return value instanceof Uint32Array
}

/** Removes the columns of a snapshot, and what a killed process left of them. */
export function removeDerived(directory: string, fileName: string): void {
  for (const kind of suffixes) {
    const path = derivedPathOf(directory, fileName, kind)
    for (const each of [path, `${path}${temporarySuffix}`]) rmSync(each, { force: true })
  }
}

/** Reads from a file whose head is whole and names the file of the snapshot as it lies there, else undefined. */
function withHead<T>(
  { directory, fileName, kind }: Omit<DerivedKey, 'version'>,
  read: (file: number, head: Head, end: number) => T,
): T | undefined {
  try {
    const file = openSync(derivedPathOf(directory, fileName, kind), 'r')
    try {
      const preamble = Buffer.alloc(preambleBytes)
      if (!fillFrom(file, preamble, 0)) return undefined
      const length = Math.min(preamble.readUInt32LE(0), headBytesMax, fstatSync(file).size)
      const bytes = Buffer.alloc(length)
      const checksum = fillChecked(file, bytes, preambleBytes, () => {})
      if (checksum !== preamble.readUInt32LE(4)) return undefined
      const head = JSON.parse(bytes.toString()) as Head
      const isOfFile = head.of === fileStateOf(directory, fileName)
      return isOfFile ? read(file, head, preambleBytes + length) : undefined
    } finally {
      closeSync(file)
    }
  } catch {
    // There is none, or it is damaged: the columns are made from the snapshot.
    return undefined
  }
}

function encodedHead(head: Head): [Uint8Array, Uint8Array] {
  const bytes = Buffer.from(JSON.stringify(head))
  const preamble = Buffer.alloc(preambleBytes)
  preamble.writeUInt32LE(bytes.length, 0)
  preamble.writeUInt32LE(checksumOf(bytes), 4)
  return [preamble, bytes]
}

function isEntry(value: unknown): value is ColumnEntry {
  return value !== null && typeof value === 'object' && 'checksum' in value
}

function writeParts(path: string, parts: readonly Uint8Array[], rest: () => void): void {
  const file = openSync(path, 'w')
  try {
    for (const part of parts) {
      for (const piece of inPieces(part)) {
        writeAll(file, piece)
        rest()
      }
    }
  } finally {
    closeSync(file)
  }
}
