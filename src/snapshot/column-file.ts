/**
 * A file of columns: a head, which is one MessagePack value in a region of whole pages whose rest is nils, and behind it
 * columns, each a MessagePack `bin`, with nils between so that payloads are 8-byte aligned. Numbers are little-endian. The
 * head has the place and the checksum of each column, and is itself proved by its kind. Written and read in pieces, so that
 * size is bounded only by the columns.
 */
import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { Packr, Unpackr } from 'msgpackr/pack'
import { Refusal } from '../problems.ts'
import {
  anyText,
  checked,
  faultWords,
  naturalNumber,
  objectOf,
  oneOf,
  type Reader,
  readList,
  readWith,
} from '../reading/readers.ts'
import { checksumOf, checksumOfPieces, fillFrom, piecesOfFile } from './pieces.ts'
import { arrays, type ElementType, type References } from './sections.ts'

const pageBytes = 4096
const binHeaderBytes = 5
const bin32 = 0xc6
/** The byte between values. */
const nil = 0xc0

const packr = new Packr({ useRecords: false })
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true })

export function packed(value: unknown): Buffer {
  return packr.pack(value)
}

/** The value of MessagePack bytes. @throws Error for others. */
export function unpacked(bytes: Uint8Array): unknown {
  return unpackr.unpack(bytes)
}

/** A column in a file: `length` in elements, `offset` in bytes from the start of the file. */
export interface ColumnEntry<N extends string = string> {
  readonly name: N
  readonly type: ElementType
  readonly length: number
  readonly offset: number
  /** CRC-32 of the payload. */
  readonly checksum: number
}

interface FileHead {
  readonly sections: readonly ColumnEntry[]
}

const countMax = 0xffff_ffff

export const count = checked(
  naturalNumber,
  (value) => value <= countMax,
  `must be at most ${countMax}`,
)

export const readEntries: Reader<ColumnEntry[]> = readList(
  objectOf<ColumnEntry>({
    name: anyText,
    type: oneOf(['uint8', 'uint16', 'uint32']),
    length: count,
    offset: naturalNumber,
    checksum: count,
  }),
)

export function payloadBytes(entry: { type: ElementType; length: number }): number {
  return entry.length * arrays[entry.type].BYTES_PER_ELEMENT
}

export function bytesOf({ buffer, byteOffset, byteLength }: References): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** A column in memory, before it has a place. O(bytes). */
export function columnOf<N extends string>(name: N, numbers: References) {
  const bytes = numbers.BYTES_PER_ELEMENT
  const type: ElementType = bytes === 1 ? 'uint8' : bytes === 2 ? 'uint16' : 'uint32'
  return { name, type, length: numbers.length, checksum: checksumOf(bytesOf(numbers)) }
}

function payloadOffset(end: number): number {
  return Math.ceil((end + binHeaderBytes) / 8) * 8
}

/** The head's region: whole pages, the rest of the last filled with nils. */
function regionOf(bytes: number): number {
  return Math.ceil(bytes / pageBytes) * pageBytes
}

/** Lays columns out behind a region that is large enough for their head. @param headOf makes it of any places. */
export function laidOut<N extends string, H>(
  columns: readonly Omit<ColumnEntry<N>, 'offset'>[],
  headOf: (sections: readonly ColumnEntry<N>[]) => H,
): H {
  for (let region = pageBytes; ; region += pageBytes) {
    let end = region
    const head = headOf(
      columns.map(({ name, type, length, checksum }) => {
        const offset = payloadOffset(end)
        end = offset + payloadBytes({ type, length })
        return { name, type, length, offset, checksum }
      }),
    )
    if (packed(head).length <= region) return head
  }
}

/** The bytes before a column: nils, the marker and the length. @param length of them. @param columnBytes of the column. */
function framing(length: number, columnBytes: number): Buffer {
  const frame = Buffer.alloc(length, nil)
  frame[length - binHeaderBytes] = bin32
  frame.writeUInt32BE(columnBytes, length - binHeaderBytes + 1)
  return frame
}

/**
 * Writes a new file and makes it durable (fsync) before it returns.
 * @param piecesOf the bytes of a column. @param onProgress called with the share that is written.
 * @throws what the file system throws: a full disk, a file that exists.
 */
export function writeColumnFile<N extends string>(
  path: string,
  head: { readonly sections: readonly ColumnEntry<N>[] },
  piecesOf: (name: N) => Iterable<Uint8Array>,
  onProgress: (fraction: number) => void = () => {},
): void {
  const file = openSync(path, 'wx')
  try {
    const last = head.sections.at(-1)!
    const total = last.offset + payloadBytes(last)
    let end = 0
    const write = (bytes: Uint8Array) => {
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done)
      end += bytes.length
    }
    write(packed(head))
    for (const entry of head.sections) {
      write(framing(entry.offset - end, payloadBytes(entry)))
      for (const piece of piecesOf(entry.name)) {
        write(piece)
        onProgress(end / total)
      }
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

export interface ColumnFileKind<H> {
  readonly what: string
  readonly read: Reader<H>
  /** What else is wrong with a head. */
  readonly problemOf: (head: H) => string | undefined
}

export interface OpenColumns<H extends FileHead = FileHead> {
  readonly path: string
  readonly file: number
  readonly head: H
  readonly headBytes: number
}

/** Opens a file. @throws Refusal `snapshot-missing` when there is no such file. */
export function openColumnFile(path: string, { what }: Pick<ColumnFileKind<unknown>, 'what'>) {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Refusal('snapshot-missing', `${path}: no such ${what}`)
  }
}

/**
 * Opens a file, proves its head, hands both to `use` and closes it; one that was opened before is left open.
 * @throws Refusal `snapshot-missing` when there is no such file; `snapshot-refused` for one that is damaged, and on a
 * machine that would read its numbers backwards.
 */
export function withColumns<H extends FileHead, T>(
  path: string,
  kind: ColumnFileKind<H>,
  use: (open: OpenColumns<H>) => T,
  opened?: number,
): T {
  if (endianness() !== 'LE') refuse(path, 'snapshots are little-endian, this machine is big-endian')
  const file = opened ?? openColumnFile(path, kind)
  try {
    const status = fstatSync(file)
    if (!status.isFile()) return refuse(path, 'it is not a file')
    const headUpTo = (most: number) => headIn(path, file, most, status.size, kind)
    const usual = headUpTo(headUsualBytes)
    const found = typeof usual === 'string' ? headUpTo(headBytesMax) : usual
    return typeof found === 'string' ? refuse(path, found) : use({ path, file, ...found })
  } finally {
    if (opened === undefined) closeSync(file)
  }
}

/** Bytes that most heads fit into; a buffer for the longest would be garbage after each read. */
const headUsualBytes = 1 << 15
const headBytesMax = 1 << 20

/** Reads the head from the first bytes of a file, and checks all that can be checked without the columns; or says what is wrong. */
function headIn<H extends FileHead>(
  path: string,
  file: number,
  most: number,
  fileBytes: number,
  { read, problemOf }: ColumnFileKind<H>,
): Pick<OpenColumns<H>, 'head' | 'headBytes'> | string {
  const window = Buffer.alloc(Math.min(fileBytes, most))
  if (!fillFrom(file, window, 0)) refuse(path, 'the file is truncated')
  const first = firstValue(window)
  if (first === undefined) return 'the header is not MessagePack or is cut off'
  const { value: head, faults } = readWith(read, first.value)
  if (faults !== undefined) return `header ${faultWords(faults[0]!)}`
  const problem = problemOf(head)
  if (problem !== undefined) return problem
  if (!packed(head).equals(window.subarray(0, first.bytes))) {
    return 'the header is not as it was written'
  }
  const misplaced = layoutProblem(head.sections, regionOf(first.bytes), fileBytes)
  return misplaced ?? { head, headBytes: first.bytes }
}

function firstValue(window: Uint8Array): { value: unknown; bytes: number } | undefined {
  let first: { value: unknown; bytes: number } | undefined
  try {
    unpackr.unpackMultiple(window, (value: unknown, _start?: number, end?: number) => {
      first = { value, bytes: end ?? 0 }
      return false
    })
  } catch {
    // An error of msgpackr does not help an operator; the caller names the file.
    return undefined
  }
  return first
}

function layoutProblem(
  entries: readonly ColumnEntry[],
  region: number,
  fileBytes: number,
): string | undefined {
  let end = region
  for (const entry of entries) {
    const where = `section ${entry.name}: `
    if (entry.offset !== payloadOffset(end)) return `${where}offset is out of order`
    end = entry.offset + payloadBytes(entry)
    if (end > fileBytes) return `${where}the file is truncated`
  }
  return end === fileBytes ? undefined : 'the file is longer than its sections'
}

/**
 * Reads a column and checks it. @param into memory of just its bytes; without it the column is only checked.
 * @param rest called between the pieces. @throws Refusal `snapshot-refused` naming the column.
 */
export function readColumn(
  open: OpenColumns,
  entry: ColumnEntry,
  into?: Uint8Array,
  rest: () => void = () => {},
): void {
  const { path, file } = open
  const before = endBefore(open, entry)
  const found = Buffer.alloc(entry.offset - before)
  const frame = framing(found.length, payloadBytes(entry))
  if (!fillFrom(file, found, before) || !found.equals(frame)) {
    refuse(path, `section ${entry.name}: its MessagePack framing is damaged`)
  }
  const pieces = piecesOfFile(file, entry.offset, payloadBytes(entry), into)
  if (checksumOfPieces(pieces, rest) !== entry.checksum) {
    refuse(path, `section ${entry.name}: checksum does not match`)
  }
}

function endBefore({ head: { sections }, headBytes }: OpenColumns, entry: ColumnEntry): number {
  const previous = sections[sections.indexOf(entry) - 1]
  return previous === undefined ? headBytes : previous.offset + payloadBytes(previous)
}

export function refuse(path: string, problem: string): never {
  throw new Refusal('snapshot-refused', `${path}: ${problem}`)
}
