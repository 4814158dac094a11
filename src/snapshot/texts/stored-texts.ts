/**
 * Texts of everybody, and look-ups of few answers, that stay in the snapshot's file: their sections in memory are empty.
 * Such a section is cut into blocks, none of which cuts an entry; the checksums of all are made in the pass that proves
 * the checksum of the section, so that a block that is read later proves to be the same (`stored-blocks.ts`).
 */
import { crc32 } from 'node:zlib'
import { payloadBytes, type SectionEntry, type SnapshotHeader } from '../header.ts'
import {
  type Counts,
  pagedNames,
  pagedTables,
  type SectionName,
  type Sections,
  viewOf,
} from '../sections.ts'
import { fillFrom, pieceBytes } from './pieces.ts'

/** A block holds the entries that begin within so many bytes of their section: 2 ** this. */
export const blockShift = 12

/** Columns of evidence that stay in the file, with the bytes of a number. */
export const storedNumbers = {
  'evidence.own-shares': 4,
  'evidence.endorsers': 4,
  'evidence.endorser-shares': 4,
  'evidence.endorser-kinds': 1,
  'evidence.losses-to-fall-1': 1,
  'evidence.losses-to-fall-10': 1,
} as const

/** Texts of look-ups that stay in the file: ready-made items, each with the comma before it, and lists of peers. */
const storedLists = ['topic.json', 'peer.gaps'] as const

/** A section of such texts. */
export type StoredListName = (typeof storedLists)[number]

/** The ends of the entries of such a section. */
export function listEnds(sections: Sections, name: StoredListName): Uint32Array {
  return name === 'topic.json' ? sections['topic.item-ends'] : sections['peer.starts'].subarray(1)
}

/** Whether a section is a page of texts of everybody. */
export function isText(name: SectionName): boolean {
  return pagedNames.some((each) => each === name.split('/')[0])
}

/** Whether a section is a look-up that stays in the file. */
export function isLookup(name: SectionName): boolean {
  return name in storedNumbers || storedLists.some((each) => each === name)
}

/** The blocks of a section. Their columns are shared memory. */
interface Blocks {
  /** Offset of each block in the section, bytes; then the end of the section. */
  readonly begins: Uint32Array
  /** CRC-32 of each block. */
  readonly checksums: Uint32Array
}

/** A section in a file. */
export interface StoredPage extends Blocks {
  /** Its offset in the file, bytes. */
  readonly offset: number
}

/** The texts of a snapshot that stay in its file: a plain value that threads hand to each other. */
export interface StoredTexts {
  /** An open descriptor of the file; it also reads a file that was removed or replaced by another. */
  readonly file: number
  readonly pages: { readonly [N in SectionName]?: StoredPage }
}

/** The file that the texts of all people stay in. */
export interface TextsOnDisk {
  readonly file: number
  /** Whether look-ups are read into memory all the same: the agreement of sections is proved by them. */
  readonly lookupsInMemory?: boolean
  /** Blocks that are known of the file as it lies there: then its texts are not read when it is loaded. */
  readonly blocks?: TextBlocks | undefined
}

/** The sections in the file with their blocks, as they are kept beside a snapshot. */
export type TextBlocks = StoredTexts['pages']

/** Version of `TextBlocks`: raised with each change of what a block is. */
export const blocksVersion = 2

/** A snapshot with texts that stay in its file. */
interface SnapshotOnDisk {
  readonly header: SnapshotHeader
  readonly sections: Sections
  readonly texts: StoredTexts
}

/** How sections are read that stay in the file: with what is known of their blocks, and what to call meanwhile. */
interface StoredReading {
  readonly blocks?: TextBlocks | undefined
  readonly rest?: (() => void) | undefined
  /** Called with what is wrong with the file. */
  readonly refuse: (problem: string) => never
}

/** The memory of a section that stays in the file. */
const noMemory = new Uint8Array(new SharedArrayBuffer(0))

/**
 * Leaves some sections of a snapshot in its file. O(bytes of those whose blocks are not known).
 * @param isLeft whether a section is one of them.
 */
export function leaveInFile(
  { header, sections, texts }: SnapshotOnDisk,
  isLeft: (name: SectionName) => boolean,
  { blocks, rest = () => {}, refuse }: StoredReading,
): SnapshotOnDisk {
  const others: Record<string, unknown> = { ...sections }
  const pages: { [N in SectionName]?: StoredPage } = { ...texts.pages }
  for (const entry of header.sections.filter(({ name }) => isLeft(name))) {
    const { name, type } = entry
    const known = blocks?.[name]
    const refuseIt = (problem: string) => refuse(`section ${name}: ${problem}`)
    const begins =
      known?.begins ??
      blockBegins(endsOf(name, sections, header.counts), payloadBytes(entry)) ??
      refuseIt('the offsets of its entries are out of order')
    const checksums = known?.checksums ?? checksumsOf(texts.file, entry, begins, rest, refuseIt)
    pages[name] = { offset: entry.offset, begins, checksums }
    others[name] = viewOf(type, noMemory, 0)
  }
  return { header, sections: others as unknown as Sections, texts: { file: texts.file, pages } }
}

/** The ends of the entries of a section; undefined for a column of numbers, none of which lies across two blocks. */
function endsOf(name: SectionName, sections: Sections, counts: Counts): Uint32Array | undefined {
  if (name in storedNumbers) return undefined
  const list = storedLists.find((each) => each === name)
  if (list !== undefined) return listEnds(sections, list)
  const [plain, page = '0'] = name.split('/')
  const { ends } = pagedTables.find(({ text }) => text === plain)!
  const first = Number(page) * counts.authoritiesPerPage
  return sections[ends].subarray(first, first + counts.authoritiesPerPage)
}

/**
 * Offsets of the blocks of a section; undefined if its ends are out of order or do not end with it. O(entries).
 * @param ends of its entries; without them every number may begin a block.
 */
export function blockBegins(ends: Uint32Array | undefined, bytes: number): Uint32Array | undefined {
  const blocks = Math.ceil(bytes / 2 ** blockShift)
  const begins = new Uint32Array(new SharedArrayBuffer((blocks + 1) * 4))
  begins[blocks] = bytes
  if (ends === undefined) {
    for (let block = 0; block < blocks; block += 1) begins[block] = block << blockShift
    return begins
  }
  let block = 0
  let start = 0
  for (const end of ends) {
    if (end < start) return undefined
    for (; block <= start >>> blockShift && block < blocks; block += 1) begins[block] = start
    start = end
  }
  begins.fill(bytes, block)
  return start === bytes ? begins : undefined
}

/** Reads a section piece by piece, proves its checksum, and makes those of its blocks. */
export function checksumsOf(
  file: number,
  entry: Pick<SectionEntry, 'offset' | 'checksum' | 'type' | 'length'>,
  begins: Uint32Array,
  rest: () => void,
  refuse: (problem: string) => never,
): Uint32Array {
  const checksums = new Uint32Array(new SharedArrayBuffer((begins.length - 1) * 4))
  const window = Buffer.allocUnsafe(pieceBytes)
  const bytes = payloadBytes(entry)
  let whole = 0
  let block = 0
  for (let start = 0; start < bytes; start += pieceBytes) {
    const piece = window.subarray(0, Math.min(pieceBytes, bytes - start))
    if (!fillFrom(file, piece, entry.offset + start)) return refuse('the file is truncated')
    whole = crc32(piece, whole)
    for (let at = 0; at < piece.length; ) {
      while (begins[block + 1]! <= start + at) block += 1
      const end = Math.min(piece.length, begins[block + 1]! - start)
      checksums[block] = crc32(piece.subarray(at, end), checksums[block])
      at = end
    }
    rest()
  }
  return whole === entry.checksum ? checksums : refuse('checksum does not match')
}
