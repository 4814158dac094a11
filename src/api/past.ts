/**
 * The snapshots up to the served one, and the changes that lead from each to the next: a chain of files, with only their
 * headers and indexes in memory. Without files the past is the served snapshot alone.
 */
import type { ChangeFacts, ChangeFile } from '../snapshot/changes/change-file.ts'
import { headerDigestOf, type SnapshotHeader } from '../snapshot/header.ts'

export type SnapshotFacts = Omit<ChangeFacts, 'announcedAt' | 'number'> & {
  /** ISO 8601; null if no file says it. */
  readonly announcedAt: string | null
  /** Number of people who changed with it; null without a parent. */
  readonly people: number | null
}

export interface Past {
  /** From the oldest to the one that led to the served snapshot. */
  readonly files: readonly ChangeFile[]
  readonly header: SnapshotHeader
}

/** A place in a past: before the file of a number, or behind the last. */
export function fileIndex({ files }: Past, number: number): number | undefined {
  const first = files[0]?.header.number
  if (first === undefined || number < first || number > first + files.length) return undefined
  return number - first
}

/** The number of the file at an index, or of the next that will be there. */
export function numberAt({ files }: Past, index: number): number {
  return (files[0]?.header.number ?? 1) + index
}

/** The oldest snapshot from which changes are known; of a past without files, the only one. */
export function oldestId({ files, header }: Past): string {
  const first = files[0]?.header
  return first === undefined ? header.id : (first.parent ?? first.id)
}

/** The index of the first file behind a snapshot; undefined if the snapshot is not known. */
export function indexBehind(past: Past, id: string): number | undefined {
  const index = past.files.findLastIndex(({ header }) => header.id === id)
  if (index >= 0) return index + 1
  return oldestId(past) === id ? 0 : undefined
}

/** The known snapshots, the last first. */
export function snapshotsOf({ files, header }: Past): SnapshotFacts[] {
  if (files.length > 0) return files.map((file) => factsOf(file)).reverse()
  const { id, createdAt, recipe, counts } = header
  const alone = { parent: null, announcedAt: null, stability: null, people: null }
  return [{ id, createdAt, recipe, counts, digest: headerDigestOf(header), ...alone }]
}

function factsOf({ header }: ChangeFile): SnapshotFacts {
  return { ...header, people: header.parent === null ? null : header.people }
}
