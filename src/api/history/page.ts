/**
 * Pages of what is made from the changes, and where each ends.
 */
import { type Problem, Refusal } from '../../problems.ts'
import { type ChangeFile, ChangeReader } from '../../snapshot/changes/change-file.ts'
import { oldestId, type Past } from './past.ts'

/** Items, and where the next page begins; undefined behind the last. */
export interface PageItems {
  readonly items: readonly unknown[]
  readonly next: string | undefined
}

/** A page that was understood. */
export interface Page {
  /** Reads it, from the disk where it has to. */
  readonly read: () => PageItems
}

/** A page, or why there is none. */
export type PageOrProblem = Page | { readonly problem: Problem }

/** The problem of asking for what is older than the changes go back. */
export function changesGone(past: Past): { readonly problem: Problem } {
  const oldest = oldestId(past)
  const detail = `the oldest snapshot from which changes are known is ${oldest}`
  return { problem: { code: 'changes-gone', detail, members: { oldest } } }
}

/**
 * Reads something from a file; undefined where it is gone: removed as too old, written anew without
 * somebody, or cut off. The service learns of that within moments.
 */
export function readFrom<T>(file: ChangeFile, read: (reader: ChangeReader) => T): T | undefined {
  let reader: ChangeReader | undefined
  try {
    reader = new ChangeReader(file)
    return read(reader)
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof Refusal
    if (isGone) return undefined
    throw error
  } finally {
    reader?.close()
  }
}
