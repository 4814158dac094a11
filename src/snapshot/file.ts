/** A snapshot on disk: a file of columns, of which each is read straight into shared memory of its own. */
import {
  bytesOf,
  columnOf,
  type OpenColumns,
  openColumnFile,
  payloadBytes,
  readColumn,
  withColumns,
  writeColumnFile,
} from './column-file.ts'
import { isFact, type StoredFacts } from './facts.ts'
import { type Content, completeHeader, type SnapshotHeader, snapshotKind } from './header.ts'
import { inPieces } from './pieces.ts'
import { type SectionName, type Sections, sectionNamesOf, viewOf } from './sections.ts'
import type { FiledTexts } from './texts/filed-texts.ts'
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

export interface LoadOptions {
  readonly allocate?: Allocate
  /** Called every few tenths of a millisecond: a loading thread rests there while others serve. */
  readonly rest?: () => void
  readonly textsOnDisk?: TextsOnDisk | undefined
}

/** Called with the share of the bytes that are done, 0 to 1. */
export type OnFraction = (fraction: number) => void

export type BuiltSections = Omit<Sections, 'block.checksums'>

/** Adds checksums of blocks and a header. O(bytes). @param filed the sections in a file. */
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
    return columnOf(name, sections[name]!)
  })
  const header = completeHeader(content, entries)
  return filed === undefined ? { header, sections } : { header, sections, filed }
}

/** Durable on return. @throws what the file system throws: a full disk, a file that exists. */
export function writeSnapshot(
  path: string,
  { header, sections, filed }: Snapshot,
  onProgress: OnFraction = () => {},
): void {
  const piecesOf = (name: SectionName) =>
    filed?.piecesOf(name) ?? inPieces(bytesOf(sections[name]!))
  writeColumnFile(path, header, piecesOf, onProgress)
}

export function openSnapshot(path: string): number {
  return openColumnFile(path, snapshotKind)
}

/** Reads the header only: microseconds at any size. Throws as `readSnapshot` does. */
export function readHeader(path: string): SnapshotHeader {
  return withColumns(path, snapshotKind, ({ head }) => head)
}

/**
 * Reads a snapshot into shared memory, one buffer a section, and checks every byte of it against
 * the header's checksums. O(bytes), one pass. Whether the sections agree with each other is for
 * `verifySections` to say.
 * @throws Refusal `snapshot-refused` naming the file and the section; `snapshot-missing`.
 */
export function readSnapshot(path: string, options: LoadOptions = {}): Snapshot {
  return withColumns(
    path,
    snapshotKind,
    (open) => {
      const { head: header, file } = open
      const { textsOnDisk, rest } = options
      const isLeft = (name: SectionName) =>
        textsOnDisk !== undefined &&
        (isText(name) || (isLookup(name) && textsOnDisk.lookupsInMemory !== true))
      const sections = readSections(open, (name) => !isLeft(name), options) as Sections
      if (textsOnDisk === undefined) return { header, sections }
      const whole = { header, sections, texts: { file, pages: {} } }
      return leaveInFile(path, whole, isLeft, textsOnDisk.isProved ?? false, rest)
    },
    options.textsOnDisk?.file,
  )
}

/** Reads and checks the facts alone. @throws Refusal as `readSnapshot` does. */
export function readFacts(path: string): StoredFacts {
  return withColumns(path, snapshotKind, (open) => {
    const sections = readSections(open, isFact)
    return { header: open.head, sections: sections as unknown as StoredFacts['sections'] }
  })
}

function readSections(
  open: OpenColumns<SnapshotHeader>,
  isRead: (name: SectionName) => boolean,
  { allocate = newMemory, rest }: LoadOptions = {},
): Partial<Record<SectionName, unknown>> {
  const sections: Partial<Record<SectionName, unknown>> = {}
  for (const entry of open.head.sections) {
    if (!isRead(entry.name)) continue
    const bytes = payloadBytes(entry)
    const memory = allocate(entry.name, bytes)
    readColumn(open, entry, memory.subarray(0, bytes), rest)
    sections[entry.name] = viewOf(entry.type, memory, entry.length)
  }
  return sections
}

export function newMemory(_: SectionName, bytes: number): Uint8Array {
  return new Uint8Array(new SharedArrayBuffer(bytes))
}
