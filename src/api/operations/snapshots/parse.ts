/**
 * Requests for a page of the list of snapshots and for one snapshot. A place in the list is the number
 * of an announcement.
 */

import type { Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'
import { snapshotsOf } from '../../past.ts'
import { parseCursor } from '../lists/list-page.ts'

/** The parts that identify the list of its cursors: there is one list. */
export const list = ['snapshots'] as const

/** A parsed request for the list of snapshots. */
export interface SnapshotsQuery {
  readonly kind: 'snapshots'
  readonly count: 1
  /** Only announcements with smaller numbers are listed. */
  readonly before: number
}

/** Parses a query string. */
export const parseSnapshots = queryParser(
  'snapshots',
  (values, { cursors }): Parsed<SnapshotsQuery> => {
    const place = parseCursor<number>(values.cursor, list, cursors)
    if (place.problem !== undefined) return place
    const before = place.value ?? Number.MAX_SAFE_INTEGER
    return { value: { kind: 'snapshots', count: 1, before } }
  },
)

/** A parsed request for one snapshot, which is among the known ones. */
export interface SnapshotQuery {
  readonly kind: 'snapshot'
  readonly count: 1
  readonly id: string
}

/** Parses the query string of a request for one snapshot. */
export const parseSnapshot = queryParser('snapshot', (values, { past }): Parsed<SnapshotQuery> => {
  const { id } = values
  if (snapshotsOf(past).some((each) => each.id === id)) {
    return { value: { kind: 'snapshot', count: 1, id } }
  }
  const detail = `${id} is not among the snapshots of which changes are kept`
  return { problem: { code: 'no-such-snapshot', detail } }
})
