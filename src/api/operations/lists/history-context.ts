/** The source of changes and history: their files, and the function that reads them. */
import type { Catalog } from '../../../engine/catalog.ts'
import { type Problem, Refusal } from '../../../problems.ts'
import { type ChangeFile, ChangeReader } from '../../../snapshot/changes/change-file.ts'
import { topicKey } from '../../../text/analyzer.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import { oldestId, type Past } from '../../past.ts'

/** The snapshot that is served, its past, and the cursors of pages. */
export type HistoryContext = Pick<ActiveSnapshot, 'catalog' | 'past' | 'cursors'>

/** The problem of a request about a time before the oldest known changes. */
export function changesGone(past: Past): { readonly problem: Problem } {
  const oldest = oldestId(past)
  const detail = `the oldest snapshot from which changes are known is ${oldest}`
  return { problem: { code: 'changes-gone', detail, members: { oldest } } }
}

/**
 * Reads from a file; undefined if it is gone: removed as too old, written anew without a person, or
 * cut off. The service learns of that within moments.
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

/** The key that all spellings of a topic share. @param text its label or an alias. */
export function keyOfTopic(catalog: Catalog, text: string): string {
  const topic = catalog.findTopic(topicKey(text))
  return topicKey(topic < 0 ? text : catalog.labelOf(topic))
}
