/** A request for a page of the history of people. */

import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { ListParts } from '../../parameters/cursor.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { parseParameters } from '../../parameters/parameters.ts'
import { fileIndex, type Past } from '../../past.ts'
import { parseCursor } from '../lists/list-page.ts'

/**
 * What a person was at a time, packed: the score in hundredths, the topic that is shown, and hashes of
 * labels and ranks in turn; `gone` while the person was not in the index.
 */
export type PackedState = 'gone' | readonly [score: number, topic: string, ...ranks: number[]]

/** Where a page begins: at which person, in which file next, and what the person was behind that file. */
export interface HistoryPlace {
  readonly person: number
  /** The index of the file to be read next, going back; -1 when all were. */
  readonly index: number
  /** Undefined: as the catalog says. */
  readonly state: PackedState | undefined
}

/** The same as a cursor holds it: the file by the number of its announcement. */
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
export function parseHistory(query: string, served: ActiveSnapshot): Parsed<HistoryQuery> {
  const { cursors, past } = served
  const { value: values, problem } = parseParameters('history', query, served)
  if (problem !== undefined) return { problem }
  const { sdus, inTopic: topic, cursor } = values
  const packed = parseCursor<PackedHistoryPlace>(cursor, listOfHistory({ sdus, topic }), cursors)
  if (packed.problem !== undefined) return packed
  const place = placeOf(packed.value, past)
  return { value: { kind: 'history', count: 1, sdus, topic, place } }
}

function placeOf(packed: PackedHistoryPlace | undefined, past: Past): HistoryPlace {
  if (packed === undefined) return { person: 0, index: past.files.length - 1, state: undefined }
  const [person, number, state] = packed
  // Snapshots before the oldest change file are not shown.
  return { person, index: (fileIndex(past, number + 1) ?? 0) - 1, state }
}

/** What the cursors of a request belong to. */
export function listOfHistory({ sdus, topic }: Pick<HistoryQuery, 'sdus' | 'topic'>): ListParts {
  return ['history', sdus, topic]
}
