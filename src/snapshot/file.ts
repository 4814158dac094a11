/**
 * A snapshot on disk: one sequence of MessagePack values, the header map and then one `bin` a
 * section, with nils between so that payloads are 8-byte aligned. Written and read in pieces, so
 * size is bounded only by the sections; each section is read straight into shared memory of its own.
 */
import { closeSync, fstatSync, fsyncSync, openSync, writeSync } from 'node:fs'
import { endianness } from 'node:os'
import { framing, openColumnFile, refuse } from './column-file.ts'
import { isFact, type StoredFacts } from './facts.ts'
import {
  type Content,
  completeHeader,
  type DecodedHeader,
  decodeHeader,
  encodeHeader,
  headerWindow,
  payloadBytes,
  type SectionEntry,
  type SnapshotHeader,
} from './header.ts'
import { type SectionName, type Sections, sectionNamesOf, viewOf } from './sections.ts'
import { addSteps, inFile, typeInMemory, typeOfNumbers } from './steps.ts'
import type { FiledTexts } from './texts/filed-texts.ts'
import { checksumOf, fillChecked, fillFrom, inPieces } from './texts/pieces.ts'
import {
  blocksOf,
  blocksOfAll,
  checksumsOfBlocks,
  isLookup,
  isText,
  leaveInFile,
  type StoredTexts,
  type TextsOnDisk,
} from './texts/stored-texts.ts'

/** A snapshot in memory: what the file says, and its sections. */
export interface Snapshot {
  readonly header: SnapshotHeader
  readonly sections: Sections
  /** The texts that stay in the file; then the sections of texts are empty. */
  readonly texts?: StoredTexts | undefined
  /** The texts of one that is being made, until it is written; the sections of those are empty. */
  readonly filed?: FiledTexts
}

/** Gives the memory that a section of so many bytes is read into, from a multiple of four on; it may be longer. */
export type Allocate = (name: SectionName, bytes: number) => Uint8Array

/** Options for loading a snapshot. */
export interface LoadOptions {
  /** New memory for each section where it is absent. */
  readonly allocate?: Allocate
  /** Called every few tenths of a millisecond: a loading thread rests there while others serve. */
  readonly rest?: () => void
  /** Unless given, all texts are read into memory. */
  readonly textsOnDisk?: TextsOnDisk | undefined
}

/** Called with the share of the bytes that are done, 0 to 1. */
export type OnFraction = (fraction: number) => void

function bytesOf(view: Uint8Array | Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength)
}

/** Sections that were just built. */
export type BuiltSections = Omit<Sections, 'block.checksums'>

/**
 * The snapshot of sections that were just built: with checksums of blocks and a header. O(bytes).
 * @param filed the sections that are in a file.
 */
export function sealed(content: Content, built: BuiltSections, filed?: FiledTexts): Snapshot {
  const { counts } = content
  const lengthOf = (name: SectionName) =>
    filed?.entryOf(name)?.length ?? (built as Sections)[name]?.byteLength ?? 0
  const checksums = new Uint32Array(blocksOfAll(counts, lengthOf))
  const sections = { ...built, 'block.checksums': checksums } as Sections
  for (const { name, begins: beginsOf, checksums } of blocksOf(sections, counts, lengthOf)) {
    const begins = checksums.length === 0 ? undefined : beginsOf()
    if (begins === undefined) continue
    const pieces = filed?.piecesOf(name) ?? inPieces(bytesOf(sections[name]!))
    checksums.set(checksumsOfBlocks(pieces, begins).blocks)
  }
  // A page that is missing is missed where the header is read.
  const names = sectionNamesOf(counts).filter((name) => name in sections || filed?.entryOf(name))
  const entries = names.map((name) => {
    const texts = filed?.entryOf(name)
    if (texts !== undefined) return { name, type: 'uint8' as const, ...texts }
    const section = inFile(name, sections[name]!, counts)
    const type = typeOfNumbers(section)
    return { name, type, length: section.length, checksum: checksumOf(bytesOf(section)) }
  })
  const header = completeHeader(content, entries)
  return filed === undefined ? { header, sections } : { header, sections, filed }
}

/**
 * Writes a snapshot to a new file and makes it durable (fsync) before it returns.
 * @throws what the file system throws: a full disk, a file that exists.
 */
export function writeSnapshot(
  path: string,
  { header, sections, filed }: Snapshot,
  onProgress: OnFraction = () => {},
): void {
  const file = openSync(path, 'wx')
  try {
    const last = header.sections.at(-1)!
    const total = last.offset + payloadBytes(last)
    let end = writeAll(file, encodeHeader(header))
    for (const entry of header.sections) {
      end += writeAll(file, framing(entry.offset - end, payloadBytes(entry)))
      const inMemory = () => bytesOf(inFile(entry.name, sections[entry.name]!, header.counts))
      for (const piece of filed?.piecesOf(entry.name) ?? inPieces(inMemory())) {
        end += writeAll(file, piece)
        onProgress(end / total)
      }
    }
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function writeAll(file: number, bytes: Uint8Array): number {
  let done = 0
  while (done < bytes.length) done += writeSync(file, bytes, done)
  return done
}

/** Opens a snapshot file. @throws Refusal `snapshot-missing` when there is no such file. */
export function openSnapshot(path: string): number {
  return openColumnFile(path, 'snapshot file')
}

/**
 * Opens a snapshot file, hands its descriptor and size to `read` and closes it; one that was opened before is left open.
 * @throws Refusal `snapshot-missing` when there is no such file; `snapshot-refused` on a machine that
 * would read its numbers backwards.
 */
function withFile<T>(
  path: string,
  read: (file: number, fileBytes: number) => T,
  opened?: number,
): T {
  if (endianness() !== 'LE') refuse(path, 'snapshots are little-endian, this machine is big-endian')
  const file = opened ?? openSnapshot(path)
  try {
    const status = fstatSync(file)
    return status.isFile() ? read(file, status.size) : refuse(path, 'it is not a file')
  } finally {
    if (opened === undefined) closeSync(file)
  }
}

/** An open snapshot file. */
interface OpenFile {
  readonly path: string
  readonly file: number
  readonly fileBytes: number
}

function headerIn(open: OpenFile): { header: SnapshotHeader; bytes: number } {
  const { path, fileBytes } = open
  const most = headerWindow(fileBytes)
  const usual = decodedIn(open, Math.min(most, headerUsualBytes))
  if (!('problem' in usual)) return usual
  const decoded = decodedIn(open, most)
  return 'problem' in decoded ? refuse(path, decoded.problem) : decoded
}

/** Bytes that most headers fit into; a buffer for the longest header would be garbage after each read. */
const headerUsualBytes = 1 << 15

function decodedIn({ path, file, fileBytes }: OpenFile, bytes: number): DecodedHeader {
  const window = Buffer.alloc(bytes)
  if (!fillFrom(file, window, 0)) refuse(path, 'the file is truncated')
  return decodeHeader(window, fileBytes)
}

/** Reads the header only: microseconds at any size. Throws as `readSnapshot` does. */
export function readHeader(path: string): SnapshotHeader {
  return withFile(path, (file, fileBytes) => headerIn({ path, file, fileBytes }).header)
}

/**
 * Reads a snapshot into shared memory, one buffer a section, and checks every byte of it against
 * the header's checksums. O(bytes), one pass. Whether the sections agree with each other is for
 * `verifySections` to say.
 * @throws Refusal `snapshot-refused` naming the file and the section; `snapshot-missing`.
 */
export function readSnapshot(path: string, options: LoadOptions = {}): Snapshot {
  return withFile(
    path,
    (file, fileBytes) => {
      const open = { path, file, fileBytes }
      const { header, bytes } = headerIn(open)
      const { textsOnDisk, rest } = options
      const isLeft = (name: SectionName) =>
        textsOnDisk !== undefined &&
        (isText(name) || (isLookup(name) && textsOnDisk.lookupsInMemory !== true))
      const isRead = (name: SectionName) => !isLeft(name)
      const sections = readSections(open, header, bytes, { ...options, isRead }) as Sections
      if (textsOnDisk === undefined) return { header, sections }
      const whole = { header, sections, texts: { file, pages: {} } }
      const refuseIt = (problem: string) => refuse(path, problem)
      return leaveInFile(whole, isLeft, {
        isProved: textsOnDisk.isProved ?? false,
        rest,
        refuse: refuseIt,
      })
    },
    options.textsOnDisk?.file,
  )
}

/**
 * Reads the facts of a snapshot, and checks their bytes against the header's checksums; reads no other section.
 * @throws Refusal as `readSnapshot` does.
 */
export function readFacts(path: string): StoredFacts {
  return withFile(path, (file, fileBytes) => {
    const open = { path, file, fileBytes }
    const { header, bytes } = headerIn(open)
    const sections = readSections(open, header, bytes, { isRead: isFact })
    return { header, sections: sections as unknown as StoredFacts['sections'] }
  })
}

/** Options for reading sections, and the choice of those to read: all unless `isRead` is given. */
interface ReadOptions extends LoadOptions {
  readonly isRead?: (name: SectionName) => boolean
}

/** @param start where the header ends. */
function readSections(
  open: OpenFile,
  { sections: entries, counts }: SnapshotHeader,
  start: number,
  { isRead = () => true, allocate = newMemory, rest = () => {} }: ReadOptions,
): Partial<Record<SectionName, unknown>> {
  const sections: Partial<Record<SectionName, unknown>> = {}
  let end = start
  for (const entry of entries) {
    if (isRead(entry.name)) {
      proveFraming(open, entry, end)
      const type = typeInMemory(entry)
      const bytes = payloadBytes({ type, length: entry.length })
      const memory = allocate(entry.name, bytes)
      readSection(open, entry, memory.subarray(0, bytes), rest)
      addSteps(entry, memory, counts, rest)
      sections[entry.name] = viewOf(type, memory, entry.length)
    }
    end = entry.offset + payloadBytes(entry)
  }
  return sections
}

/** Proves what lies between the end of the value before and a section. */
function proveFraming({ path, file }: OpenFile, entry: SectionEntry, end: number): void {
  const found = Buffer.alloc(entry.offset - end)
  if (!fillFrom(file, found, end) || !found.equals(framing(found.length, payloadBytes(entry)))) {
    refuse(path, `section ${entry.name}: its MessagePack framing is damaged`)
  }
}

/** Reads a section to the end of its memory: steps lie at the end of the memory that their offsets fill. */
function readSection(
  { path, file }: OpenFile,
  entry: SectionEntry,
  memory: Uint8Array,
  rest: () => void,
): void {
  const bytes = memory.subarray(memory.length - payloadBytes(entry))
  const checksum = fillChecked(file, bytes, entry.offset, rest)
  if (checksum === undefined) refuse(path, `section ${entry.name}: the file is truncated`)
  if (checksum !== entry.checksum) refuse(path, `section ${entry.name}: checksum does not match`)
}

/** Shared memory of just that size. */
export function newMemory(_: SectionName, bytes: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(bytes))
}
