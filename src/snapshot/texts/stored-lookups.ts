/**
 * Look-ups that stay in the snapshot's file beside the texts: their sections are empty then, and checksums prove what
 * is read of them later.
 */
import { payloadBytes, type SectionEntry, type SnapshotHeader } from '../header.ts'
import { type SectionName, type Sections, viewOf } from '../sections.ts'
import {
  BlockChecksums,
  blockBegins,
  isLookup,
  isStoredColumn,
  listEnds,
  numberBlocks,
  pageEnds,
  type StoredPage,
  type StoredTexts,
  textPageOf,
} from './stored-texts.ts'

/** A snapshot with texts that stay in its file. */
export interface SnapshotOnDisk {
  readonly header: SnapshotHeader
  readonly sections: Sections
  readonly texts: StoredTexts
}

const noMemory = new Uint8Array(new SharedArrayBuffer(0))

/** Reads a section, and returns the checksums of its blocks. */
type ChecksumsOf = (entry: SectionEntry, begins: Uint32Array) => Uint32Array

/** Whether look-ups stay in the file: not if the texts of all people, `first` of them, are in memory. */
export function leavesLookups(first: number, { counts }: SnapshotHeader): boolean {
  return first < counts.authorities
}

/** Reads sections that are in memory. */
export function checksumsInMemory(sections: Sections): ChecksumsOf {
  return ({ name }, begins) => {
    const { buffer, byteOffset, byteLength } = sections[name]!
    const blocks = new BlockChecksums(begins)
    blocks.add(new Uint8Array(buffer, byteOffset, byteLength))
    return blocks.checksums
  }
}

/**
 * Leaves the look-ups of a snapshot in its file. O(bytes).
 * @param refuse is called with what is wrong with the file.
 */
export function storeLookups(
  { header, sections, texts }: SnapshotOnDisk,
  checksumsOf: ChecksumsOf,
  refuse: (problem: string) => never,
): SnapshotOnDisk {
  const others: Record<string, unknown> = { ...sections }
  const pages: { [N in SectionName]?: StoredPage } = { ...texts.pages }
  for (const entry of header.sections) {
    const { name, offset } = entry
    if (!isLookup(name)) continue
    const bytes = payloadBytes(entry)
    const begins = isStoredColumn(name)
      ? numberBlocks(bytes)
      : blockBegins(listEnds(sections, name), bytes)
    if (begins === undefined) return refuse(`section ${name}: offsets are out of order`)
    pages[name] = { offset, begins, checksums: checksumsOf(entry, begins) }
    others[name] = viewOf(entry.type, noMemory, 0)
  }
  return { header, sections: others as unknown as Sections, texts: { ...texts, pages } }
}

/**
 * The same snapshot with all texts and look-ups in its file, as checksums of what is in memory prove them later. O(bytes).
 * @param file an open descriptor of its file.
 * @param refuse is called with what is wrong with the file.
 */
export function storeAll(
  { header, sections }: Pick<SnapshotOnDisk, 'header' | 'sections'>,
  file: number,
  refuse: (problem: string) => never,
  rest: () => void = () => {},
): SnapshotOnDisk {
  const others: Record<string, unknown> = { ...sections }
  const pages: { [N in SectionName]?: StoredPage } = {}
  const inMemory = checksumsInMemory(sections)
  const checksumsOf: ChecksumsOf = (entry, begins) => {
    rest()
    return inMemory(entry, begins)
  }
  for (const entry of header.sections) {
    const text = textPageOf(entry.name)
    if (text === undefined) continue
    const { ends, endsName } = pageEnds(sections, text, header.counts.authoritiesPerPage)
    const begins = blockBegins(ends, payloadBytes(entry))
    if (begins === undefined) return refuse(`section ${endsName}: offsets are out of order`)
    pages[entry.name] = { offset: entry.offset, begins, checksums: checksumsOf(entry, begins) }
    others[entry.name] = noMemory
  }
  const texts = { file, first: 0, pages }
  return storeLookups(
    { header, sections: others as unknown as Sections, texts },
    checksumsOf,
    refuse,
  )
}
