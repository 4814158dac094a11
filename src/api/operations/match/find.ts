/** Finds the owners of handles. */
import type { OwnerLists } from '../../../engine/batch.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { AnsweredValues } from '../../exchange.ts'
import type { MatchBatchQuery, MatchQuery } from './parse.ts'

/** Owners of several handles: those of handle i are `ordinals` from `ends[i - 1]` (0 for the first) to `ends[i]`. */
export type ListedOwners =
  | OwnerLists
  | { readonly ends: readonly number[]; readonly ordinals: readonly number[] }

/** The owners of the only handle of a query string, or of several handles. */
export type MatchResult = readonly number[] | ListedOwners

/** Whether owners are those of the only handle of a query string. */
export function isOfOne(result: MatchResult): result is readonly number[] {
  return Array.isArray(result)
}

/** Finds the owners of each different handle; those of a batch or of one handle last until the next. */
export function findMatch(
  { catalog }: ActiveSnapshot,
  query: MatchQuery | MatchBatchQuery,
): MatchResult {
  if (query.kind === 'match-batch') return catalog.batch.ownersOf(query.handles.read())
  const [first, second] = query.handles
  if (second === undefined) return catalog.ownersOf(first!.query, catalog.batch.one)
  const ends: number[] = []
  const ordinals: number[] = []
  for (const handle of query.handles) {
    for (const ordinal of catalog.ownersOf(handle.query)) ordinals.push(ordinal)
    ends.push(ordinals.length)
  }
  return { ends, ordinals }
}

/**
 * Counts the handles that the first items answer, and those without an owner before the next item. The first of several
 * owners answers a handle.
 */
export function handlesAnswered(
  query: MatchQuery | MatchBatchQuery,
  result: MatchResult,
): AnsweredValues | undefined {
  if (isOfOne(result)) return undefined
  const { count } = query
  if (query.kind === 'match-batch' && query.aligned) {
    const { numbers } = query.handles
    return (items) => new Set(numbers.subarray(0, items)).size
  }
  const ends = result.ends.slice(0, count)
  return (items) => {
    const begun = ends.findIndex((end) => end > items)
    if (begun < 0) return count
    // Where the last item and the next one are owners of one handle, it is answered.
    return (ends[begun - 1] ?? 0) < items ? begun + 1 : begun
  }
}
