/**
 * Look-ups that stay in the snapshot's file beside the texts: their sections are empty then, and checksums prove what
 * is read of them later.
 */
import { payloadBytes, type SectionEntry, type SnapshotHeader } from '../header.ts'
import { type SectionName, type Sections, viewOf } from '../sections.ts'
import {
  BlockChecksums,
  type Blocks,
  blockBegins,
  isLookup,
  isStoredColumn,
  listEnds,
  noMemory,
  numberBlocks,
  type StoredPage,
  type StoredTexts,
} from './stored-texts.ts'

/** A snapshot with texts that stay in its file. */
export interface SnapshotOnDisk {
  readonly header: SnapshotHeader
  readonly sections: Sections
  readonly texts: StoredTexts
}

/** Reads a section, and returns its blocks. @param newBegins makes their offsets, where they are not known. */
type BlocksOf = (entry: SectionEntry, newBegins: () => Uint32Array) => Blocks

/** Reads sections that are in memory. */
export function blocksInMemory(sections: Sections): BlocksOf {
  return ({ name }, newBegins) => {
    const { buffer, byteOffset, byteLength } = sections[name]!
    const begins = newBegins()
    const blocks = new BlockChecksums(begins)
    blocks.add(new Uint8Array(buffer, byteOffset, byteLength))
    return { begins, checksums: blocks.checksums }
  }
}

/**
 * Leaves the look-ups of a snapshot in its file. O(bytes).
 * @param refuse is called with what is wrong with the file.
 */
export function storeLookups(
  { header, sections, texts }: SnapshotOnDisk,
  blocksOf: BlocksOf,
  refuse: (problem: string) => never,
): SnapshotOnDisk {
  const others: Record<string, unknown> = { ...sections }
  const pages: { [N in SectionName]?: StoredPage } = { ...texts.pages }
  for (const entry of header.sections) {
    const { name, offset } = entry
    if (!isLookup(name)) continue
    const bytes = payloadBytes(entry)
    const newBegins = () => {
      if (isStoredColumn(name)) return numberBlocks(bytes)
      const begins = blockBegins(listEnds(sections, name), bytes)
      return begins ?? refuse(`section ${name}: offsets are out of order`)
    }
    pages[name] = { offset, ...blocksOf(entry, newBegins) }
    others[name] = viewOf(entry.type, noMemory, 0)
  }
  return { header, sections: others as unknown as Sections, texts: { ...texts, pages } }
}
