/**
 * A file of changes: one sequence of MessagePack values, a header map in a region of its own, one
 * array for each person who changed, and a `bin` with their index. People stand in the order of the
 * hashes of their SDUs, so that one is found with the index in memory and read alone. The header has
 * the CRC-32 of all the rest and of itself.
 */
import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { limits } from '../../limits.ts'
import { assert } from '../../memory/assert.ts'
import { lowerBound } from '../../memory/bounds.ts'
import { uint32Column } from '../../memory/columns.ts'
import { hashAscii, hashBytes, mixHash, noBytesHash } from '../../memory/text-table.ts'
import { Refusal } from '../../problems.ts'
import { writeAll } from '../../process/write-all.ts'
import {
  anyNumber,
  anyText,
  dictionary,
  exactly,
  faultWords,
  hexadecimal,
  naturalNumber,
  nullable,
  positiveNumber,
  readWith,
  strictObjectOf,
} from '../../reading/readers.ts'
import { changeTypes } from '../../request-parameters.ts'
import {
  binHeaderBytes,
  firstValue,
  framing,
  nil,
  openColumnFile,
  packed,
  refuse,
  regionBytes,
  unpacked,
} from '../column-file.ts'
import { fileIdentityOf } from '../store/file-identity.ts'
import { fillFrom, piecesOfFile } from '../texts/pieces.ts'
import type { Change, PersonChanges, Stability } from './change.ts'

/** Written into every file; a file of another version is not read. */
const changesFormat = 'authority-index-changes'
const changesVersion = 1

const bufferBytes = 1 << 20
/** Bytes of one index entry: a hash and an offset. */
const entryBytes = 8

/** Facts in a file about the snapshot that its changes lead to. */
export interface ChangeFacts {
  /** The place of the announcement among all, from 1. */
  readonly number: number
  /** The snapshot that was announced. */
  readonly id: string
  /** The one that was current until then; null for the first. */
  readonly parent: string | null
  /** ISO 8601. */
  readonly announcedAt: string
  readonly createdAt: string | null
  readonly recipe: number
  /** SHA-256 of the header of the snapshot, in hexadecimal digits. */
  readonly digest: string
  readonly counts: Readonly<Record<string, number>>
  /** Null without a parent. */
  readonly stability: Stability | null
}

/** The header of a file. */
interface ChangeHeader extends ChangeFacts {
  readonly format: typeof changesFormat
  readonly version: typeof changesVersion
  /** Number of people who changed, and bytes of their arrays. */
  readonly people: number
  readonly bytes: number
  readonly checksum: number
}

/** A file that was read: its header and where everybody stands; person i is `offsets[i]` to `[i + 1]`. */
export interface ChangeFile {
  readonly path: string
  /** Another when the file is not the one any more that was read. */
  readonly identity: string
  readonly header: ChangeHeader
  /** Of the SDUs, ascending. */
  readonly hashes: Uint32Array
  /** From the beginning of the file; one more than there are people. */
  readonly offsets: Uint32Array
}

const digits = hexadecimal(32)
const figures = { topics: naturalNumber, mean: nullable(anyNumber), min: nullable(anyNumber) }
const readMembers = strictObjectOf<ChangeHeader>({
  format: exactly(changesFormat, 'is no file of changes'),
  version: exactly(changesVersion, `format version is not ${changesVersion}`),
  number: positiveNumber,
  id: digits,
  parent: nullable(digits),
  announcedAt: anyText,
  createdAt: nullable(anyText),
  recipe: naturalNumber,
  digest: anyText,
  counts: dictionary(naturalNumber),
  stability: nullable(
    strictObjectOf<Stability>({
      firstTen: strictObjectOf({ ...figures, share: nullable(anyNumber) }),
      kendallTau: strictObjectOf(figures),
    }),
  ),
  people: naturalNumber,
  bytes: naturalNumber,
  checksum: naturalNumber,
})

/** The hash that people stand in the order of. */
export function sduHash(sdu: string): number {
  const hash = hashAscii(noBytesHash, sdu)
  if (hash >= 0) return mixHash(hash)
  const bytes = Buffer.from(sdu)
  return hashBytes(bytes, 0, bytes.length)
}

/** Writes a file, person by person, to a path where none is. */
export class ChangeWriter {
  readonly #file: number
  readonly #bytesMax: number
  readonly #buffer = Buffer.allocUnsafe(bufferBytes)
  readonly #hashes = uint32Column()
  readonly #starts = uint32Column()
  #lastHash = 0
  #used = 0
  #bytes = 0
  #checksum = 0

  /** @param bytesMax of the people, without header and index. */
  constructor(path: string, bytesMax: number = limits.changeBytesMax) {
    this.#bytesMax = bytesMax
    this.#file = openSync(path, 'wx')
    try {
      writeAll(this.#file, Buffer.alloc(regionBytes, nil))
    } catch (error) {
      this.close()
      throw error
    }
  }

  /**
   * Adds a person; everybody behind has the same hash or a higher one.
   * @throws Refusal `build-limit` when the people take more than they may.
   */
  add({ sdu, changes }: PersonChanges): void {
    const hash = sduHash(sdu)
    if (hash < this.#lastHash) throw new Error('people are out of the order of their hashes')
    this.#lastHash = hash
    this.#hashes.push(hash)
    this.#starts.push(this.#bytes)
    this.#append(packed([sdu, changes.map(encoded)]))
    if (this.#bytes > this.#bytesMax) {
      throw new Refusal('build-limit', `the changes would take more than ${this.#bytesMax} bytes`)
    }
  }

  /** Completes the file and makes it durable; returns its header. */
  finish(facts: ChangeFacts): ChangeHeader {
    const bytes = this.#bytes
    const people = this.#hashes.length
    this.#append(indexOf(this.#hashes.view(), this.#starts.view()))
    this.#flush()
    const blank: ChangeHeader = {
      format: changesFormat,
      version: changesVersion,
      ...facts,
      people,
      bytes,
      checksum: 0,
    }
    const header = { ...blank, checksum: checksumOf(blank, this.#checksum) }
    const head = packed(header)
    if (head.length > regionBytes) throw new Error('the header of a file of changes is too long')
    writeSync(this.#file, head, 0, head.length, 0)
    fsyncSync(this.#file)
    return header
  }

  close(): void {
    closeSync(this.#file)
  }

  #append(bytes: Uint8Array): void {
    this.#bytes += bytes.length
    for (let done = 0; done < bytes.length; ) {
      if (this.#used === bufferBytes) this.#flush()
      const piece = bytes.subarray(done, done + bufferBytes - this.#used)
      this.#buffer.set(piece, this.#used)
      this.#used += piece.length
      done += piece.length
    }
  }

  #flush(): void {
    const bytes = this.#buffer.subarray(0, this.#used)
    this.#checksum = crc32(bytes, this.#checksum)
    writeAll(this.#file, bytes)
    this.#used = 0
  }
}

function encoded({ type, topic, before, after }: Change): unknown[] {
  return [changeTypes.indexOf(type), topic, before, after]
}

function decoded([type, topic, before, after]: [number, string | null, unknown, unknown]): Change {
  return { type: changeTypes[type]!, topic, before, after }
}

/** The `bin` with all hashes and then all offsets, little-endian as this machine has them. */
function indexOf(hashes: Uint32Array, starts: Uint32Array): Buffer {
  const head = framing(binHeaderBytes, hashes.length * entryBytes)
  const columns = [hashes, starts].map(
    ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength),
  )
  return Buffer.concat([head, ...columns])
}

/** Of everything behind the region, and of the header with a checksum of 0. */
function checksumOf(header: ChangeHeader, rest: number): number {
  return crc32(packed({ ...header, checksum: 0 }), rest)
}

/**
 * Reads a file and checks every byte of it, a piece at a time. Its index lies in shared memory.
 * @throws Refusal `snapshot-refused` that names the file; `snapshot-missing`.
 */
export function readChangeFile(path: string): ChangeFile {
  const identity = fileIdentityOf(path)
  const descriptor = openColumnFile(path, 'file of changes')
  try {
    const size = fstatSync(descriptor).size
    const region = Buffer.alloc(Math.min(regionBytes, size))
    if (!fillFrom(descriptor, region, 0)) refuse(path, 'is cut off')
    const header = headerIn(region, path)
    const indexAt = regionBytes + header.bytes + binHeaderBytes
    if (size !== indexAt + header.people * entryBytes) refuse(path, 'is cut off or too long')
    const checksum = checksumFrom(descriptor, size)
    if (checksumOf(header, checksum) !== header.checksum) refuse(path, 'checksum does not match')
    return { path, identity, header, ...indexIn(descriptor, indexAt, header) }
  } finally {
    closeSync(descriptor)
  }
}

function headerIn(region: Uint8Array, path: string): ChangeHeader {
  const { value, faults } = readWith(readMembers, firstValue(region)?.value)
  if (faults === undefined) return value
  return refuse(path, `header ${faultWords(faults[0]!)}`)
}

/** The CRC-32 of everything behind the region; a file that has become shorter has another. */
function checksumFrom(descriptor: number, size: number): number {
  let checksum = 0
  for (const piece of piecesOfFile(descriptor, regionBytes, size - regionBytes)) {
    checksum = crc32(piece, checksum)
  }
  return checksum
}

/** The index, which was checked; its numbers are little-endian, as this machine has them. */
function indexIn(descriptor: number, at: number, { people, bytes: blockBytes }: ChangeHeader) {
  const hashes = new Uint32Array(new SharedArrayBuffer(people * 4))
  const offsets = new Uint32Array(new SharedArrayBuffer((people + 1) * 4))
  fillFrom(descriptor, new Uint8Array(hashes.buffer), at)
  fillFrom(descriptor, new Uint8Array(offsets.buffer, 0, people * 4), at + people * 4)
  for (let person = 0; person < people; person += 1) offsets[person]! += regionBytes
  offsets[people] = regionBytes + blockBytes
  return { hashes, offsets }
}

/** An open file of changes, to be read person by person. */
export class ChangeReader {
  readonly #file: ChangeFile
  readonly #descriptor: number

  /** @throws what the file system throws: `ENOENT` for a file that was removed since it was read. */
  constructor(file: ChangeFile) {
    this.#file = file
    this.#descriptor = openSync(file.path, 'r')
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /**
   * The people from one to before another, in one read.
   * @throws Refusal `snapshot-refused` for a file that was cut off since it was read.
   */
  people(from: number, to: number): PersonChanges[] {
    assert(
      from <= to && to <= this.#file.header.people,
      'people are wanted who are not in the file',
    )
    if (from === to) return []
    const { offsets, path } = this.#file
    const start = offsets[from]!
    const bytes = Buffer.allocUnsafe(offsets[to]! - start)
    if (!fillFrom(this.#descriptor, bytes, start)) refuse(path, 'was cut off since it was read')
    return Array.from({ length: to - from }, (_, index) => {
      const piece = bytes.subarray(
        offsets[from + index]! - start,
        offsets[from + index + 1]! - start,
      )
      const [sdu, changes] = unpacked(piece) as [string, Parameters<typeof decoded>[0][]]
      return { sdu, changes: changes.map(decoded) }
    })
  }
}

/** Read at once when everybody is. */
const peoplePerRead = 1_000

/** Everybody in a file, in its order. */
export function* peopleOf(file: ChangeFile): Generator<PersonChanges, void, void> {
  const reader = new ChangeReader(file)
  try {
    for (let from = 0; from < file.header.people; from += peoplePerRead) {
      yield* reader.people(from, Math.min(from + peoplePerRead, file.header.people))
    }
  } finally {
    reader.close()
  }
}

/** The people of a file whose SDUs have a hash, as a range of its index. O(log people). */
export function rangeOfHash({ hashes }: ChangeFile, hash: number): { start: number; end: number } {
  return { start: lowerBound(hashes, hash), end: lowerBound(hashes, hash + 1) }
}
