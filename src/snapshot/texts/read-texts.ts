/**
 * Texts that stay in the snapshot's file, when it is loaded: each is read once, piece by piece, for the checksums of its
 * blocks. Where its blocks are known, nothing is read: each block is proved when it is read for an answer.
 */
import { payloadBytes, type SectionEntry, type SnapshotHeader } from '../header.ts'
import type { Sections } from '../sections.ts'
import { joinedChecksum } from './joined-checksum.ts'
import { fillFrom, pieceBytes } from './pieces.ts'
import type { SnapshotOnDisk } from './stored-lookups.ts'
import {
  BlockChecksums,
  type Blocks,
  blockBegins,
  noMemory,
  pageEnds,
  type StoredPage,
  type TextsOnDisk,
  textPageOf,
} from './stored-texts.ts'

/** An open file of a snapshot, and what to call between pieces and where it is damaged. */
interface TextReading extends TextsOnDisk {
  readonly rest?: (() => void) | undefined
  readonly refuse: (problem: string) => never
}

/**
 * Leaves the texts of everybody in the file. O(bytes read).
 * @param others the sections that are no texts.
 */
export function readTexts(
  header: SnapshotHeader,
  others: Sections,
  reading: TextReading,
): SnapshotOnDisk {
  const { file, refuse } = reading
  const sections: Record<string, unknown> = { ...others }
  const pages: Record<string, StoredPage> = {}
  for (const entry of header.sections) {
    const text = textPageOf(entry.name)
    if (text === undefined) continue
    const { ends, endsName } = pageEnds(others, text, header.counts.authoritiesPerPage)
    const newBegins = () =>
      blockBegins(ends, payloadBytes(entry)) ??
      refuse(`section ${endsName}: offsets are out of order`)
    sections[entry.name] = noMemory
    pages[entry.name] = { offset: entry.offset, ...blocksOf(reading, entry, newBegins) }
  }
  return { header, sections: sections as unknown as Sections, texts: { file, pages } }
}

/**
 * The blocks of a section. Where they are not known, the section is read and compared with its own checksum.
 * @param newBegins makes the offsets of the blocks.
 */
export function blocksOf(
  { file, rest = () => {}, refuse, blocks }: TextReading,
  entry: SectionEntry,
  newBegins: () => Uint32Array,
): Blocks {
  const known = blocks?.[entry.name]
  if (known !== undefined) return known
  const begins = newBegins()
  const found = new BlockChecksums(begins)
  const window = Buffer.allocUnsafe(pieceBytes)
  const bytes = payloadBytes(entry)
  for (let start = 0; start < bytes; start += pieceBytes) {
    const piece = window.subarray(0, Math.min(pieceBytes, bytes - start))
    if (!fillFrom(file, piece, entry.offset + start)) {
      return refuse(`section ${entry.name}: the file is truncated`)
    }
    found.add(piece)
    rest()
  }
  if (joinedChecksum(found.checksums, begins, rest) !== entry.checksum) {
    return refuse(`section ${entry.name}: checksum does not match`)
  }
  return { begins, checksums: found.checksums }
}
