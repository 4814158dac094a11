/**
 * A file of changes: a file of columns with an array for each person who changed, one behind the other, the hash of each
 * SDU and where each array begins. People stand in the order of the hashes of their SDUs, so that one is found with these in
 * memory and read alone. The header has a checksum of itself.
 */
import { closeSync, openSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { limits } from '../../limits.ts'
import { assert } from '../../memory/assert.ts'
import { lowerBound } from '../../memory/bounds.ts'
import { uint32Column } from '../../memory/columns.ts'
import { hashText } from '../../memory/hash-buckets.ts'
import { Refusal } from '../../problems.ts'
import { UnnamedFile } from '../../process/unnamed-file.ts'
import {
  anyNumber,
  anyText,
  dictionary,
  exactly,
  hexadecimal,
  naturalNumber,
  nullable,
  objectOf,
  positiveNumber,
} from '../../reading/readers.ts'
import { changeTypes } from '../../request-parameters.ts'
import {
  bytesOf,
  type ColumnEntry,
  type ColumnFileKind,
  columnOf,
  laidOut,
  type OpenColumns,
  packed,
  payloadBytes,
  readColumn,
  readEntries,
  refuse,
  unpacked,
  withColumns,
  writeColumnFile,
} from '../column-file.ts'
import { fillFrom, inPieces } from '../pieces.ts'
import { fileIdentityOf } from '../store/file-identity.ts'
import { FiledTexts } from '../texts/filed-texts.ts'
import type { Change, PersonChanges, Stability } from './change.ts'

/** Written into every file; a file of another version is not read. */
const changesFormat = 'authority-index-changes'
const changesVersion = 2

/** The columns, in the order of the file; `starts` has one more than there are people. */
const columnNames = ['changes', 'hashes', 'starts'] as const

export interface ChangeFacts {
  /** The place of the announcement among all, from 1. */
  readonly number: number
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

interface ChangeHeader extends ChangeFacts {
  readonly format: typeof changesFormat
  readonly version: typeof changesVersion
  readonly people: number
  /** CRC-32 of the header with eight zeros here, in hexadecimal digits. */
  readonly checksum: string
  readonly sections: readonly ColumnEntry[]
}

/** A file that was read: its header and where everybody stands; person i is `starts[i]` to `[i + 1]`. */
export interface ChangeFile {
  readonly path: string
  /** Another when the file is not the one any more that was read. */
  readonly identity: string
  readonly header: ChangeHeader
  /** Of the SDUs, ascending. */
  readonly hashes: Uint32Array
  /** From where the arrays begin in the file. */
  readonly starts: Uint32Array
}

const digits = hexadecimal(32)
const figures = { topics: naturalNumber, mean: nullable(anyNumber), min: nullable(anyNumber) }
const readMembers = objectOf<ChangeHeader>({
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
    objectOf<Stability>({
      firstTen: objectOf({ ...figures, share: nullable(anyNumber) }),
      kendallTau: objectOf(figures),
    }),
  ),
  people: naturalNumber,
  checksum: hexadecimal(8),
  sections: readEntries,
})

const changesKind: ColumnFileKind<ChangeHeader> = {
  what: 'file of changes',
  read: readMembers,
  problemOf: (header) => {
    if (checksumOf(header) !== header.checksum) return 'the header does not match its checksum'
    const names = header.sections.map(({ name }) => name)
    return `${names}` === `${columnNames}` ? undefined : 'the list of sections is another'
  },
}

function checksumOf(header: ChangeHeader): string {
  const checksum = crc32(packed({ ...header, checksum: noChecksum }))
  return checksum.toString(16).padStart(noChecksum.length, '0')
}

const noChecksum = '00000000'

/**
 * Writes a file to a path where none is, and makes it durable. The arrays of people wait in a file of the same folder.
 * @param people in the order of the hashes of their SDUs. @param bytesMax of their arrays.
 * @throws Refusal `build-limit` when the people take more than they may; `store-refused`.
 */
export function writeChangeFile(
  path: string,
  facts: ChangeFacts,
  people: Iterable<PersonChanges>,
  bytesMax: number = limits.changeBytesMax,
): void {
  const filed = new FiledTexts(new UnnamedFile(dirname(path), basename(path)))
  const [hashes, starts] = [uint32Column(), uint32Column()]
  try {
    filed.begin('changes')
    let before = 0
    for (const { sdu, changes } of people) {
      const hash = hashText(sdu)
      if (hash < before) throw new Error('people are out of the order of their hashes')
      before = hash
      const bytes = packed([sdu, changes.map(encoded)])
      if (filed.length + bytes.length > bytesMax) {
        throw new Refusal('build-limit', `the changes would take more than ${bytesMax} bytes`)
      }
      hashes.push(hash)
      starts.push(filed.length)
      filed.push(bytes)
    }
    starts.push(filed.length)
    filed.end()
    const numbers = { hashes: hashes.view(), starts: starts.view() }
    const columns = [
      { name: 'changes', type: 'uint8' as const, ...filed.entryOf('changes')! },
      columnOf('hashes', numbers.hashes),
      columnOf('starts', numbers.starts),
    ]
    const blank = laidOut(columns, (sections): ChangeHeader => {
      const written = { format: changesFormat, version: changesVersion, ...facts } as const
      return { ...written, people: hashes.length, checksum: noChecksum, sections }
    })
    const header = { ...blank, checksum: checksumOf(blank) }
    writeColumnFile(path, header, (name) =>
      name === 'changes'
        ? filed.piecesOf(name)!
        : inPieces(bytesOf(numbers[name as keyof typeof numbers])),
    )
  } finally {
    filed.close()
  }
}

function encoded({ type, topic, before, after }: Change): unknown[] {
  return [changeTypes.indexOf(type), topic, before, after]
}

function decoded([type, topic, before, after]: [number, string | null, unknown, unknown]): Change {
  return { type: changeTypes[type]!, topic, before, after }
}

/**
 * Reads a file and checks every byte of it, a piece at a time. Its hashes and starts lie in shared memory.
 * @throws Refusal `snapshot-refused` that names the file; `snapshot-missing`.
 */
export function readChangeFile(path: string): ChangeFile {
  const identity = fileIdentityOf(path)
  return withColumns(path, changesKind, (open) => {
    const [changes, hashes, starts] = open.head.sections
    readColumn(open, changes!)
    const numbers = { hashes: numbersOf(open, hashes!), starts: numbersOf(open, starts!) }
    return { path, identity, header: open.head, ...numbers }
  })
}

function numbersOf(open: OpenColumns, entry: ColumnEntry): Uint32Array {
  const numbers = new Uint32Array(new SharedArrayBuffer(payloadBytes(entry)))
  readColumn(open, entry, bytesOf(numbers))
  return numbers
}

/** Reads the people of a range in one read. @throws Refusal `snapshot-refused` for a file cut off since it was read. */
export type ReadPeople = (from: number, to: number) => PersonChanges[]

/** @throws what the file system throws: `ENOENT` for a file that was removed since it was read. */
export function withPeople<T>(file: ChangeFile, use: (people: ReadPeople) => T): T {
  const descriptor = openSync(file.path, 'r')
  try {
    return use((from, to) => peopleIn(file, descriptor, from, to))
  } finally {
    closeSync(descriptor)
  }
}

function peopleIn(
  { starts, path, header }: ChangeFile,
  descriptor: number,
  from: number,
  to: number,
): PersonChanges[] {
  assert(from <= to && to <= header.people, 'people are wanted who are not in the file')
  if (from === to) return []
  const start = starts[from]!
  const bytes = Buffer.allocUnsafe(starts[to]! - start)
  if (!fillFrom(descriptor, bytes, header.sections[0]!.offset + start)) {
    refuse(path, 'was cut off since it was read')
  }
  return Array.from({ length: to - from }, (_, index) => {
    const piece = bytes.subarray(starts[from + index]! - start, starts[from + index + 1]! - start)
    const [sdu, changes] = unpacked(piece) as [string, Parameters<typeof decoded>[0][]]
    return { sdu, changes: changes.map(decoded) }
  })
}

const peoplePerRead = 1_000

export function* peopleOf(file: ChangeFile): Generator<PersonChanges, void, void> {
  const descriptor = openSync(file.path, 'r')
  try {
    for (let from = 0; from < file.header.people; from += peoplePerRead) {
      const to = Math.min(from + peoplePerRead, file.header.people)
      yield* peopleIn(file, descriptor, from, to)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** The people of a file among whom that of an SDU is: two may have one hash. O(log people). */
export function rangeOfSdu({ hashes }: ChangeFile, sdu: string): { start: number; end: number } {
  const hash = hashText(sdu)
  return { start: lowerBound(hashes, hash), end: lowerBound(hashes, hash + 1) }
}
