/**
 * The first value of a snapshot file: a MessagePack map that says what the file holds and where.
 * The id is the SHA-256 of this map (with an empty id), and the map carries the checksum of every
 * section, so the id stands for every byte and the same content always has the same id.
 */
import { createHash } from 'node:crypto'
import { limits } from '../limits.ts'
import {
  anyText,
  checked,
  dictionary,
  exactly,
  type Fault,
  faultWords,
  hexadecimal,
  jsonObject,
  naturalNumber,
  nullable,
  objectOf,
  oneOf,
  readList,
  readWith,
  strictObjectOf,
} from '../reading/readers.ts'
import { analyzerConfiguration } from '../text/analyzer.ts'
import { binHeaderBytes, firstValue, packed, regionBytes } from './column-file.ts'
import { typeOf } from './references.ts'
import {
  type Counts,
  type ElementType,
  elementBytes,
  type SectionName,
  sectionNamesOf,
} from './sections.ts'
import { typeInMemory } from './steps.ts'

/**
 * Written into every file; a file of another version is refused. The version says how a file is to be
 * read, and is raised with this header, the list of sections or what they mean to a reader. The recipe
 * says how the content was made; every recipe can be read.
 */
const formatName = 'authority-index-snapshot'
export const formatVersion = 15

/** Position of a section: `length` in elements, `offset` in bytes from the start of the file. */
export interface SectionEntry {
  readonly name: SectionName
  /** Of the elements in the file; in memory they may be wider (`steps.ts`). */
  readonly type: ElementType
  readonly length: number
  readonly offset: number
  /** CRC-32 of the payload. */
  readonly checksum: number
}

/** Header of a snapshot file. */
export interface SnapshotHeader {
  readonly format: typeof formatName
  readonly version: typeof formatVersion
  /** 32 hexadecimal digits. */
  readonly id: string
  /** ISO 8601, as given to the build; null without one, so that a rebuild gives the same bytes. */
  readonly createdAt: string | null
  /** Fingerprint of the source's state when the snapshot was made; a different one means other records. */
  readonly sourceFingerprint: string
  /** Number of the way in which records became sections: `src/indexer/recipe.ts`. */
  readonly recipe: number
  readonly counts: Counts
  readonly analyzer: typeof analyzerConfiguration
  readonly sections: readonly SectionEntry[]
}

const headerBytesMax = 1 << 20

const countMax = 0xffff_ffff
const count = checked(naturalNumber, (value) => value <= countMax, `must be at most ${countMax}`)
/** Members that identify the format of a file; everything else in a header depends on them. */
const formatMembers = {
  format: exactly(formatName, 'not an authority index snapshot'),
  version: count,
}
const readFormat = objectOf<{ format: string; version: number }>(formatMembers)
const readMembers = strictObjectOf({
  ...formatMembers,
  id: hexadecimal(32),
  createdAt: nullable(anyText),
  sourceFingerprint: anyText,
  recipe: count,
  counts: dictionary(count),
  analyzer: jsonObject,
  sections: readList(
    strictObjectOf({
      name: anyText,
      type: oneOf(['uint8', 'uint16', 'uint32']),
      length: count,
      offset: naturalNumber,
      checksum: count,
    }),
  ),
})

/** The MessagePack bytes of a header. */
export function encodeHeader(header: SnapshotHeader): Buffer {
  return packed(header)
}

/** SHA-256 of a header without its id, in 64 hexadecimal digits; the id is the first half of it. */
export function headerDigestOf(header: SnapshotHeader): string {
  return createHash('sha256')
    .update(encodeHeader({ ...header, id: '' }))
    .digest('hex')
}

/** The id that belongs to a header; ignores the id that it carries. */
export function idOf(header: SnapshotHeader): string {
  return headerDigestOf(header).slice(0, 32)
}

/** Bytes of a section's payload. */
export function payloadBytes(entry: { type: ElementType; length: number }): number {
  return entry.length * elementBytes[entry.type]
}

/** The offset of a payload that follows `end`: room for the marker, 8-byte aligned. */
function payloadOffset(end: number): number {
  return Math.ceil((end + binHeaderBytes) / 8) * 8
}

/** Members of a header that do not follow from its sections. */
export type Content = Pick<SnapshotHeader, 'createdAt' | 'sourceFingerprint' | 'recipe' | 'counts'>

/**
 * Completes a header: lays the sections out behind a region large enough for the header itself,
 * and sets the id.
 */
export function completeHeader(
  content: Content,
  sections: readonly Omit<SectionEntry, 'offset'>[],
): SnapshotHeader {
  for (let region = regionOf(1); ; region += regionBytes) {
    const { createdAt, sourceFingerprint, recipe, counts } = content
    const blank: SnapshotHeader = {
      format: formatName,
      version: formatVersion,
      id: '0'.repeat(32),
      createdAt,
      sourceFingerprint,
      recipe,
      counts,
      analyzer: analyzerConfiguration,
      sections: layOut(sections, region),
    }
    if (encodeHeader(blank).length <= region) return { ...blank, id: idOf(blank) }
  }
}

/** The header's region: whole pages, the rest of the last filled with nils. */
function regionOf(bytes: number): number {
  return Math.ceil(bytes / regionBytes) * regionBytes
}

function layOut(sections: readonly Omit<SectionEntry, 'offset'>[], region: number): SectionEntry[] {
  let end = region
  return sections.map(({ name, type, length, checksum }) => {
    const offset = payloadOffset(end)
    end = offset + payloadBytes({ type, length })
    return { name, type, length, offset, checksum }
  })
}

/** A header that was read, and how many bytes it takes; or what is wrong with it. */
export type DecodedHeader = { header: SnapshotHeader; bytes: number } | { problem: string }

/** Bytes that hold the header of any file: what `decodeHeader` wants to see. */
export function headerWindow(fileBytes: number): number {
  return Math.min(fileBytes, headerBytesMax)
}

/**
 * Reads the header from the first bytes of a file of `fileBytes` and checks everything that can be
 * checked without the sections: the format, the id, the analyzer, which sections there are, and where they lie.
 */
export function decodeHeader(window: Uint8Array, fileBytes: number): DecodedHeader {
  const first = firstValue(window)
  if (first === undefined) return { problem: 'the header is not MessagePack or is cut off' }
  const format = readWith(readFormat, first.value)
  if (format.faults !== undefined) return problemOf(format.faults)
  const { version } = format.value
  if (version !== formatVersion) return { problem: versionProblem(version) }
  const read = readWith(readMembers, first.value)
  if (read.faults !== undefined) return problemOf(read.faults)
  const header = read.value as unknown as SnapshotHeader
  if (!encodeHeader(header).equals(window.subarray(0, first.bytes)) || idOf(header) !== header.id) {
    return { problem: 'the header does not match its id' }
  }
  if (JSON.stringify(header.analyzer) !== JSON.stringify(analyzerConfiguration)) {
    return { problem: 'made with another analyzer; build it anew with this version' }
  }
  const problem = layoutProblem(header, regionOf(first.bytes), fileBytes)
  return problem === undefined ? { header, bytes: first.bytes } : { problem }
}

function problemOf([fault]: readonly Fault[]): { problem: string } {
  return { problem: `header ${faultWords(fault!)}` }
}

function versionProblem(version: number): string {
  return `header version: is of version ${version}, and this program reads ${formatVersion}: sync again, or use the program that made it`
}

function layoutProblem(
  header: SnapshotHeader,
  region: number,
  fileBytes: number,
): string | undefined {
  const names = header.sections.map((entry) => entry.name)
  const { authoritiesPerPage } = header.counts
  if (!isPowerOfTwo(authoritiesPerPage)) return 'authorities are not cut into pages'
  if (names.join() !== sectionNamesOf(header.counts).join()) {
    return 'the list of sections is not this version’s'
  }
  let end = region
  for (const entry of header.sections) {
    const where = `section ${entry.name}: `
    const type = typeInMemory(entry)
    if (type !== typeOf(entry.name, header.counts)) return `${where}element type is ${entry.type}`
    if (payloadBytes({ ...entry, type }) > limits.sectionBytesMax)
      return `${where}longer than a section can be`
    if (entry.offset !== payloadOffset(end)) return `${where}offset is out of order`
    end = entry.offset + payloadBytes(entry)
    if (end > fileBytes) return `${where}the file is truncated`
  }
  return end === fileBytes ? undefined : 'the file is longer than its sections'
}

function isPowerOfTwo(value: number | undefined): boolean {
  return value !== undefined && Number.isInteger(Math.log2(value))
}
