/**
 * Texts that stay in the snapshot's file, when it is loaded: each is read once, piece by piece, for the checksums of its
 * blocks. Where its blocks are known, only the texts of the first people are read; of the others each block is
 * proved when it is read for an answer.
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
 * Leaves the texts of everybody in the file but those of the first people. O(bytes read).
 * @param others the sections that are no texts.
 */
export function readTexts(
  header: SnapshotHeader,
  others: Sections,
  reading: TextReading,
): SnapshotOnDisk {
  const { file, first, refuse } = reading
  const sections: Record<string, unknown> = { ...others }
  const pages: Record<string, StoredPage> = {}
  for (const entry of header.sections) {
    const text = textPageOf(entry.name)
    if (text === undefined) continue
    const { ends, firstEntry, endsName } = pageEnds(others, text, header.counts.authoritiesPerPage)
    const inMemory = Math.min(ends.length, Math.max(0, first - firstEntry))
    const head = new Uint8Array(new SharedArrayBuffer(inMemory === 0 ? 0 : ends[inMemory - 1]!))
    const newBegins = () =>
      blockBegins(ends, payloadBytes(entry)) ??
      refuse(`section ${endsName}: offsets are out of order`)
    sections[entry.name] = head
    pages[entry.name] = { offset: entry.offset, ...blocksOf(reading, entry, newBegins, head) }
  }
  return { header, sections: sections as unknown as Sections, texts: { file, first, pages } }
}

/**
 * The blocks of a section. Where they are known, only those of its beginning are read and compared with their checksums;
 * else the section is, and is compared with its own checksum.
 * @param newBegins makes the offsets of the blocks.
 * @param head is filled with the beginning of the section.
 */
export function blocksOf(
  { file, rest = () => {}, refuse, blocks }: TextReading,
  entry: SectionEntry,
  newBegins: () => Uint32Array,
  head: Uint8Array = new Uint8Array(0),
): Blocks {
  const known = blocks?.[entry.name]
  const begins = known?.begins ?? newBegins()
  let read = known === undefined ? begins.length - 1 : 0
  while (begins[read]! < head.length) read += 1
  const found = new BlockChecksums(begins.subarray(0, read + 1))
  const window = Buffer.allocUnsafe(pieceBytes)
  const bytes = begins[read]!
  for (let start = 0; start < bytes; start += pieceBytes) {
    const piece = window.subarray(0, Math.min(pieceBytes, bytes - start))
    if (!fillFrom(file, piece, entry.offset + start)) {
      return refuse(`section ${entry.name}: the file is truncated`)
    }
    found.add(piece)
    if (start < head.length) head.set(piece.subarray(0, head.length - start), start)
    rest()
  }
  const isWhole =
    known === undefined
      ? joinedChecksum(found.checksums, begins, rest) === entry.checksum
      : found.checksums.every((checksum, block) => checksum === known.checksums[block])
  if (!isWhole) return refuse(`section ${entry.name}: checksum does not match`)
  return known ?? { begins, checksums: found.checksums }
}
