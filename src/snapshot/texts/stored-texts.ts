/**
 * Texts of everybody, and look-ups of few answers, that may stay in the snapshot's file: their sections in memory are
 * empty then. Such a section is cut into blocks, none of which cuts an entry; `block.checksums` has a checksum of each, which
 * proves a block whenever it is read (`stored-blocks.ts`).
 */
import { crc32 } from 'node:zlib'
import { payloadBytes, refuse } from '../column-file.ts'
import type { SnapshotHeader } from '../header.ts'
import { piecesOfFile } from '../pieces.ts'
import {
  type Counts,
  type Declared,
  declarations,
  type PlainName,
  type SectionName,
  type SectionOf,
  type Sections,
  sectionNamesOf,
  viewOf,
} from '../sections.ts'

/** A block holds the entries that begin within so many bytes of their section: 2 ** this. */
export const blockShift = 12

/** Columns of evidence that stay in the file. */
export const storedColumns = [
  'evidence.own-shares',
  'evidence.endorsers',
  'evidence.endorser-shares',
  'evidence.endorser-kinds',
  'evidence.losses-to-fall-1',
  'evidence.losses-to-fall-10',
] as const

/** Look-ups that stay in the file: those columns, ready-made items, each with the comma before it, and lists of peers. */
const lookups = [...storedColumns, 'topic.json', 'peer.gaps'] as const

export function isText(name: SectionName): boolean {
  return name.split('/')[0] === 'profile.json'
}

export function isLookup(name: SectionName): boolean {
  return (lookups as readonly SectionName[]).includes(name)
}

/** A section in a file, in bytes: its offset, and those of its blocks in it, then its end. */
export interface StoredPage {
  readonly offset: number
  readonly begins: Uint32Array
  readonly checksums: Uint32Array
}

/** The texts of a snapshot that stay in its file: a plain value that threads hand to each other. */
export interface StoredTexts {
  /** An open descriptor of the file; it also reads a file that was removed or replaced by another. */
  readonly file: number
  readonly pages: { readonly [N in SectionName]?: StoredPage }
}

export interface TextsOnDisk {
  readonly file: number
  /** Whether look-ups are read into memory all the same: the agreement of sections is proved by them. */
  readonly lookupsInMemory?: boolean
  /** Whether the file was proved as it lies there: then its texts are not read when it is loaded. */
  readonly isProved?: boolean
}

function blockCount(bytes: number): number {
  return Math.ceil(bytes / 2 ** blockShift)
}

/** The sections with blocks, in the order of `block.checksums`: look-ups, then pages of texts. */
function blockedNames(counts: Counts): SectionName[] {
  return [...lookups, ...sectionNamesOf(counts).filter(isText)]
}

export function blocksOfAll(counts: Counts, bytesOf: (name: SectionName) => number): number {
  return blockedNames(counts).reduce((sum, name) => sum + blockCount(bytesOf(name)), 0)
}

/** The blocks of each section with some. `begins` makes their offsets as `blockBegins` does. */
export function* blocksOf(
  sections: Sections,
  counts: Counts,
  bytesOf: (name: SectionName) => number,
) {
  let first = 0
  for (const name of blockedNames(counts)) {
    const bytes = bytesOf(name)
    const end = first + blockCount(bytes)
    const begins = () => blockBegins(startsOf(name, sections, counts), bytes)
    yield { name, begins, checksums: sections['block.checksums'].subarray(first, end) }
    first = end
  }
}

/** The CRC-32 of each block of a section, and of all of it. @param pieces its bytes. @param rest called between them. */
export function checksumsOfBlocks(
  pieces: Iterable<Uint8Array>,
  begins: Uint32Array,
  rest: () => void = () => {},
): { whole: number; blocks: Uint32Array } {
  const blocks = new Uint32Array(begins.length - 1)
  let whole = 0
  let block = 0
  let start = 0
  for (const piece of pieces) {
    whole = crc32(piece, whole)
    for (let at = 0; at < piece.length; ) {
      while (begins[block + 1]! <= start + at) block += 1
      const end = Math.min(piece.length, begins[block + 1]! - start)
      blocks[block] = crc32(piece.subarray(at, end), blocks[block])
      at = end
    }
    start += piece.length
    rest()
  }
  return { whole, blocks }
}

interface SnapshotOnDisk {
  readonly header: SnapshotHeader
  readonly sections: Sections
  readonly texts: StoredTexts
}

const noMemory = new Uint8Array(new SharedArrayBuffer(0))

/**
 * O(entries), and O(bytes) unless `isProved`: the bytes of what is left were compared with their checksums.
 * @throws Refusal `snapshot-refused` that names the path.
 */
export function leaveInFile(
  path: string,
  { header, sections, texts }: SnapshotOnDisk,
  isLeft: (name: SectionName) => boolean,
  isProved: boolean,
  rest: () => void = () => {},
): SnapshotOnDisk {
  const entries = new Map(header.sections.map((entry) => [entry.name, entry]))
  const bytesOf = (name: SectionName) => payloadBytes(entries.get(name)!)
  const others: Record<string, unknown> = { ...sections }
  const pages: { [N in SectionName]?: StoredPage } = { ...texts.pages }
  if (blocksOfAll(header.counts, bytesOf) !== sections['block.checksums'].length) {
    refuse(path, 'section block.checksums: length is not the number of blocks')
  }
  for (const { name, begins: beginsOf, checksums } of blocksOf(sections, header.counts, bytesOf)) {
    if (!isLeft(name)) continue
    const { offset, type, checksum } = entries.get(name)!
    const begins = beginsOf()
    if (begins === undefined) {
      return refuse(path, `section ${name}: the offsets of its entries are out of order`)
    }
    if (!isProved) {
      const pieces = piecesOfFile(texts.file, offset, bytesOf(name))
      const { whole, blocks } = checksumsOfBlocks(pieces, begins, rest)
      if (whole !== checksum) refuse(path, `section ${name}: checksum does not match`)
      if (!blocks.every((each, block) => each === checksums[block])) {
        refuse(path, `section block.checksums: a block of ${name} has another`)
      }
    }
    pages[name] = { offset, begins, checksums }
    others[name] = viewOf(type, noMemory, 0)
  }
  return { header, sections: others as unknown as Sections, texts: { file: texts.file, pages } }
}

/** The starts of the entries of a section; undefined for a column of numbers, none of which lies across two blocks. */
function startsOf(name: SectionName, sections: Sections, counts: Counts): Uint32Array | undefined {
  if (isText(name)) return startsOfPage(sections, counts, Number(name.split('/')[1] ?? 0))
  const { cut }: Declared = declarations[name as PlainName]
  return cut === undefined ? undefined : sections[cut as SectionOf<'uint32'>]
}

export function startsOfPage(
  sections: Pick<Sections, 'profile.starts'>,
  { authoritiesPerPage }: Pick<Counts, 'authoritiesPerPage'>,
  page: number,
): Uint32Array {
  const first = page * (authoritiesPerPage + 1)
  return sections['profile.starts'].subarray(first, first + authoritiesPerPage + 1)
}

/**
 * Offsets of the blocks of a section; undefined if its starts are out of order or do not end with it. O(entries).
 * @param starts of its entries; without them every number may begin a block.
 */
export function blockBegins(
  starts: Uint32Array | undefined,
  bytes: number,
): Uint32Array | undefined {
  const blocks = blockCount(bytes)
  const begins = new Uint32Array(new SharedArrayBuffer((blocks + 1) * 4))
  begins[blocks] = bytes
  if (starts === undefined) {
    for (let block = 0; block < blocks; block += 1) begins[block] = block << blockShift
    return begins
  }
  let block = 0
  let before = 0
  for (const start of starts) {
    if (start < before) return undefined
    for (; block <= start >>> blockShift && block < blocks; block += 1) begins[block] = start
    before = start
  }
  return starts[0] === 0 && before === bytes ? begins : undefined
}
