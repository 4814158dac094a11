/**
 * Places in lists of people, written so that another snapshot finds them too. In a list by authority a
 * place is a score and an SDU. In a list by topics, where every value depends on the others, a place is
 * the last person on one page and the first on the next.
 */

/** A place in a list, and the facts of the list that were known there. */
export interface ListPlace {
  /** The beginning of the id of the snapshot that answered. */
  readonly snapshot: string
  /** The shape of the groups; the mark means the same only in a list of the same shape. */
  readonly shape: number
  /** The group, and the order value in it: the rank in one topic, the share of several. */
  readonly group: number
  readonly value: number
  /** The last person who was shown, with the score in hundredths, and the first who was not. */
  readonly score: number
  readonly last: string
  readonly next: string
  /** Number of people in the list, and number of those who were shown. */
  readonly total: number
  readonly before: number
  /** The people among whom `total` was counted, the first by authority; undefined for everybody. */
  readonly among?: number | undefined
}

/** Digits of a snapshot's id that a cursor carries. */
export const cursorIdDigits = 16

const members = [
  'snapshot',
  'shape',
  'group',
  'value',
  'score',
  'last',
  'next',
  'total',
  'before',
  'among',
] as const satisfies readonly (keyof ListPlace)[]

/** A place as a cursor holds it. */
export function packedPlace(place: ListPlace): readonly unknown[] {
  const values = members.map((member) => place[member])
  return place.among === undefined ? values.slice(0, -1) : values
}

/** The place that a cursor held; the cursor's checksum proves that `packedPlace` made it. */
export function unpackedPlace(packed: unknown): ListPlace {
  const values = packed as readonly unknown[]
  return Object.fromEntries(members.map((member, index) => [member, values[index]])) as never
}
