/**
 * Parses a request for the history of some people. A history is read backwards from now through the files of changes, one
 * person after the other; a cursor holds the place at which the next page goes on.
 */

import type { ListParts } from '../../parameters/cursor.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'
import { fileIndex, type Past } from '../../past.ts'
import { parseCursor } from '../lists/list-page.ts'

/**
 * The state of a person at a time, packed: the score in hundredths, the topic shown, then the hash of a topic's label and
 * the rank there, in turn; `gone` while the person was not in the index.
 */
export type PackedState = 'gone' | readonly [score: number, topic: string, ...ranks: number[]]

/** The beginning of a page. */
export interface HistoryPlace {
  /** The index of the person in `sdus`. */
  readonly person: number
  /** The index of the next file to read, newest first down to 0; -1 when none is left. */
  readonly index: number
  /** The state of the person after the changes of that file; undefined: the state in the current snapshot. */
  readonly state: PackedState | undefined
}

/** The beginning of a page as a cursor holds it: the file by the number of its announcement. */
export type PackedHistoryPlace = readonly [person: number, number: number, state: PackedState]

/** A parsed request for a history. */
export interface HistoryQuery {
  readonly kind: 'history'
  readonly count: 1
  readonly sdus: readonly string[]
  /** '' for the core topic of each. */
  readonly topic: string
  readonly place: HistoryPlace
}

/** Parses a query string. */
export const parseHistory = queryParser(
  'history',
  (values, { cursors, past }): Parsed<HistoryQuery> => {
    const { topic = '', cursor } = values
    const sdus = [...new Set(values.sdus)]
    const packed = parseCursor<PackedHistoryPlace>(cursor, listOfHistory({ sdus, topic }), cursors)
    if (packed.problem !== undefined) return packed
    const place = placeOf(packed.value, past)
    return { value: { kind: 'history', count: 1, sdus, topic, place } }
  },
)

function placeOf(packed: PackedHistoryPlace | undefined, past: Past): HistoryPlace {
  if (packed === undefined) return { person: 0, index: past.files.length - 1, state: undefined }
  const [person, number, state] = packed
  // Snapshots before the oldest change file are not shown.
  return { person, index: (fileIndex(past, number + 1) ?? 0) - 1, state }
}

/** The parts that identify the list of a request; its cursors belong to that list. */
export function listOfHistory({ sdus, topic }: Pick<HistoryQuery, 'sdus' | 'topic'>): ListParts {
  return ['history', sdus, topic]
}
