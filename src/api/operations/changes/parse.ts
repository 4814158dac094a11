/** A request for a page of the changes since a snapshot. */
import type { ChangeType } from '../../../snapshot/changes/change.ts'
import type { ListParts } from '../../parameters/cursor.ts'
import type { Parsed } from '../../parameters/pairs.ts'
import { queryParser } from '../../parameters/query-reader.ts'
import { fileIndex, indexBehind } from '../../past.ts'
import { changesGone } from '../lists/history-context.ts'
import { parseCursor } from '../lists/list-page.ts'

/** The beginning of a page: a person of a file. */
export interface ChangesPlace {
  readonly index: number
  readonly person: number
}

/** The beginning of a page as a cursor holds it: the file by its number. */
export type PackedChangesPlace = readonly [number: number, person: number]

/** A parsed request for changes. */
export interface ChangesQuery {
  readonly kind: 'changes'
  readonly count: 1
  /** The id of a snapshot. */
  readonly since: string
  /** Empty for all people. */
  readonly sdus: readonly string[]
  /** '' for all. */
  readonly topic: string
  /** None for all. */
  readonly types: readonly ChangeType[]
  readonly place: ChangesPlace
}

/** Parses a query string. */
export const parseChanges = queryParser(
  'changes',
  (values, { cursors, past }): Parsed<ChangesQuery> => {
    const { since, topic = '', cursor } = values
    const sdus = [...new Set(values.sdus)]
    const types = [...new Set(values.types)]
    const packed = parseCursor<PackedChangesPlace>(
      cursor,
      listOfChanges({ since, sdus, topic, types }),
      cursors,
    )
    if (packed.problem !== undefined) return packed
    const [number, person] = packed.value ?? [undefined, 0]
    const index = number === undefined ? indexBehind(past, since) : fileIndex(past, number)
    if (index === undefined) return changesGone(past)
    const place = { index, person }
    return { value: { kind: 'changes', count: 1, since, sdus, topic, types, place } }
  },
)

/** The parts that identify the list of a request; its cursors belong to that list. */
export function listOfChanges({
  since,
  sdus,
  topic,
  types,
}: Pick<ChangesQuery, 'since' | 'sdus' | 'topic' | 'types'>): ListParts {
  return ['changes', since, sdus, topic, types]
}
