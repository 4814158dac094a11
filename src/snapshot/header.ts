/**
 * The first value of a snapshot file: a MessagePack map that says what the file holds and where.
 * The id is the SHA-256 of this map (with an empty id), and the map carries the checksum of every
 * section, so the id stands for every byte and the same content always has the same id.
 */
import { createHash } from 'node:crypto'
import { limits } from '../limits.ts'
import {
  anyText,
  dictionary,
  exactly,
  type Faults,
  hexadecimal,
  jsonObject,
  nullable,
  objectOf,
  type Reader,
} from '../reading/readers.ts'
import { analyzerConfiguration } from '../text/analyzer.ts'
import {
  type ColumnEntry,
  type ColumnFileKind,
  count,
  laidOut,
  packed,
  payloadBytes,
  readEntries,
} from './column-file.ts'
import { type Counts, type SectionName, sectionNamesOf, typeOf } from './sections.ts'

/**
 * Written into every file; a file of another version is refused. The version says how a file is to be
 * read, and is raised with this header, the list of sections or what they mean to a reader. The recipe
 * says how the content was made; every recipe can be read.
 */
const formatName = 'authority-index-snapshot'
export const formatVersion = 16

type SectionEntry = ColumnEntry<SectionName>

export interface SnapshotHeader {
  readonly format: typeof formatName
  readonly version: typeof formatVersion
  readonly id: string
  /** ISO 8601, as given to the build; null without one, so that a rebuild gives the same bytes. */
  readonly createdAt: string | null
  readonly sourceFingerprint: string
  /** Number of the way in which records became sections: `src/indexer/recipe.ts`. */
  readonly recipe: number
  readonly counts: Counts
  readonly analyzer: typeof analyzerConfiguration
  readonly sections: readonly SectionEntry[]
}

function readVersion(value: unknown, faults: Faults): typeof formatVersion {
  const version = count(value, faults)
  if (version !== formatVersion) {
    faults.add(
      `is of version ${version}, and this program reads ${formatVersion}: sync again, or use the program that made it`,
    )
  }
  return formatVersion
}

/** The members that identify the format come first: everything else depends on them. */
const readMembers = objectOf({
  format: exactly(formatName, 'not an authority index snapshot'),
  version: readVersion,
  id: hexadecimal(32),
  createdAt: nullable(anyText),
  sourceFingerprint: anyText,
  recipe: count,
  counts: dictionary(count),
  analyzer: jsonObject,
  sections: readEntries,
})

/** SHA-256 of a header without its id, in 64 hexadecimal digits; the id is the first half of it. */
export function headerDigestOf(header: SnapshotHeader): string {
  return createHash('sha256')
    .update(packed({ ...header, id: '' }))
    .digest('hex')
}

/** The id that belongs to a header; ignores the id that it carries. */
export function idOf(header: SnapshotHeader): string {
  return headerDigestOf(header).slice(0, 32)
}

export type Content = Pick<SnapshotHeader, 'createdAt' | 'sourceFingerprint' | 'recipe' | 'counts'>

export function completeHeader(
  { createdAt, sourceFingerprint, recipe, counts }: Content,
  columns: readonly Omit<SectionEntry, 'offset'>[],
): SnapshotHeader {
  const blank = laidOut(columns, (sections): SnapshotHeader => {
    const made = { createdAt, sourceFingerprint, recipe, counts, analyzer: analyzerConfiguration }
    return { format: formatName, version: formatVersion, id: '0'.repeat(32), ...made, sections }
  })
  return { ...blank, id: idOf(blank) }
}

export const snapshotKind: ColumnFileKind<SnapshotHeader> = {
  what: 'snapshot file',
  read: readMembers as unknown as Reader<SnapshotHeader>,
  problemOf: (header) => {
    if (idOf(header) !== header.id) return 'the header does not match its id'
    if (JSON.stringify(header.analyzer) !== JSON.stringify(analyzerConfiguration)) {
      return 'made with another analyzer; build it anew with this version'
    }
    return sectionsProblem(header)
  },
}

function sectionsProblem({ sections, counts }: SnapshotHeader): string | undefined {
  const names = sections.map((entry) => entry.name)
  if (!isPowerOfTwo(counts.authoritiesPerPage)) return 'authorities are not cut into pages'
  if (names.join() !== sectionNamesOf(counts).join()) {
    return 'the list of sections is not this version’s'
  }
  for (const entry of sections) {
    const where = `section ${entry.name}: `
    if (entry.type !== typeOf(entry.name, counts)) return `${where}element type is ${entry.type}`
    if (payloadBytes(entry) > limits.sectionBytesMax) return `${where}longer than a section can be`
  }
  return undefined
}

function isPowerOfTwo(value: number | undefined): boolean {
  return value !== undefined && Number.isInteger(Math.log2(value))
}
