/** Pages of items that are made as JSON values: topics, snapshots, changes, histories. */

import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Written } from '../../answer-cache.ts'
import type { Body } from '../../items/body.ts'
import type { Cursors, ListParts } from '../../parameters/cursor.ts'
import type { Parsed } from '../../parameters/pairs.ts'

/** Items, and the cursor of the next page; undefined behind the last. */
export interface ListPage {
  readonly items: readonly unknown[]
  readonly next: string | undefined
}

/** The place that a cursor of a list holds; undefined for the first page. */
export function parseCursor<P>(
  cursor: string | undefined,
  list: ListParts,
  cursors: Cursors,
): Parsed<P | undefined> {
  if (cursor === undefined || cursor === '' || cursor === '*') return { value: undefined }
  const { value, problem } = cursors.read(list, cursor)
  // The checksum of a cursor says that this service wrote the place.
  return problem === undefined ? { value: value as P } : { problem }
}

/** Writes a page. */
export function renderListPage(
  _served: ActiveSnapshot,
  _query: unknown,
  { items, next }: ListPage,
  body: Body,
): Written {
  body.text(items.map((item) => JSON.stringify(item)).join())
  return { way: '', members: next === undefined ? '' : `,"next_cursor":${JSON.stringify(next)}` }
}
