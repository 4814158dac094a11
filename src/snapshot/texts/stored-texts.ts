/**
 * Texts of everybody, and look-ups of few answers, that stay in the snapshot's file: what is kept of them in memory
 * when the file is read, so that a part of them can be read later and be proved the same. A page of texts is cut into
 * blocks of whole entries; each has a checksum, made in the pass that proves the checksum of the whole section.
 */
import { crc32 } from 'node:zlib'
import {
  type PagedName,
  pagedNames,
  pagedTables,
  type SectionName,
  type Sections,
} from '../sections.ts'

/** The memory of a section that stays in the file. */
export const noMemory = new Uint8Array(new SharedArrayBuffer(0))

/** A block holds the entries that begin within so many bytes of their page: 2 ** this. */
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

/** Whether a section is a look-up that stays in the file. */
export function isLookup(name: SectionName): name is LookupName {
  return storedLists.some((each) => each === name) || isStoredColumn(name)
}

/** Whether a section is a column of evidence that stays in the file. */
export function isStoredColumn(name: SectionName): name is keyof typeof storedNumbers {
  return name in storedNumbers
}

/** A section of look-ups. */
type LookupName = keyof typeof storedNumbers | StoredListName

/** The blocks of a page. Their columns are shared memory. */
export interface Blocks {
  /** Offset of each block in the page, bytes; then the end of the page. */
  readonly begins: Uint32Array
  /** CRC-32 of each block. */
  readonly checksums: Uint32Array
}

/** A page of texts in a file. */
export interface StoredPage extends Blocks {
  /** Offset of the page in the file, bytes. */
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

/** The pages of texts and look-ups with their blocks, as they are kept beside a snapshot. */
export type TextBlocks = StoredTexts['pages']

/** Version of `TextBlocks`: raised with each change of what a block is. */
export const blocksVersion = 2

/** The texts of a page that a section is, and which page; undefined where it is another section. */
export function textPageOf(name: SectionName): { kind: PagedName; page: number } | undefined {
  const [plain, page = '0'] = name.split('/')
  const kind = pagedNames.find((each) => each === plain)
  return kind && { kind, page: Number(page) }
}

/** The ends of the entries of a page of texts, and the section that holds the ends of all. */
export function pageEnds(
  sections: Sections,
  { kind, page }: { readonly kind: PagedName; readonly page: number },
  perPage: number,
) {
  const { ends: endsName } = pagedTables.find(({ text }) => text === kind)!
  const first = page * perPage
  return { endsName, ends: sections[endsName].subarray(first, first + perPage) }
}

/**
 * Offsets of the blocks of a page; undefined if its ends are out of order or do not end with the page.
 * @param ends of the entries of the page. O(entries).
 */
export function blockBegins(ends: Uint32Array, bytes: number): Uint32Array | undefined {
  const blocks = Math.ceil(bytes / 2 ** blockShift)
  const begins = new Uint32Array(new SharedArrayBuffer((blocks + 1) * 4))
  let block = 0
  let start = 0
  for (const end of ends) {
    if (end < start) return undefined
    for (; block <= start >>> blockShift && block < blocks; block += 1) begins[block] = start
    start = end
  }
  if (start !== bytes) return undefined
  begins.fill(bytes, block)
  return begins
}

/** Offsets of the blocks of a column: of numbers that do not lie across two of them. */
export function numberBlocks(bytes: number): Uint32Array {
  const blocks = Math.ceil(bytes / 2 ** blockShift)
  const begins = new Uint32Array(new SharedArrayBuffer((blocks + 1) * 4))
  for (let block = 0; block < blocks; block += 1) begins[block] = block << blockShift
  begins[blocks] = bytes
  return begins
}

/** Makes the checksums of blocks while their page is read from its beginning to its end. */
export class BlockChecksums {
  readonly checksums: Uint32Array
  readonly #begins: Uint32Array
  #block = 0
  #at = 0

  constructor(begins: Uint32Array) {
    this.#begins = begins
    this.checksums = new Uint32Array(new SharedArrayBuffer((begins.length - 1) * 4))
  }

  /** Takes the next bytes of the page. */
  add(bytes: Uint8Array): void {
    const [begins, checksums] = [this.#begins, this.checksums]
    const end = this.#at + bytes.length
    for (let at = this.#at; at < end; ) {
      while (begins[this.#block + 1]! <= at) this.#block += 1
      const to = Math.min(end, begins[this.#block + 1]!)
      const piece = bytes.subarray(at - this.#at, to - this.#at)
      checksums[this.#block] = crc32(piece, checksums[this.#block])
      at = to
    }
    this.#at = end
  }
}
