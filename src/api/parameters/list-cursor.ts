/**
 * Places in lists of people, written so that another snapshot finds them too. In a list by authority a
 * place is a score and an SDU. In a list by topics, where every value depends on the others, a place is
 * the last person on one page and the first on the next.
 */

/** A place in a list, and what was known of the list there. */
export interface ListPlace {
  /** The beginning of the id of the snapshot that answered. */
  readonly snapshot: string
  /** What groups there were; the mark means the same only where these are the same. */
  readonly shape: number
  /** The group, and the order value in it: the rank in one topic, the share of several. */
  readonly group: number
  readonly value: number
  /** The last who was shown, with the score in hundredths, and the first who was not. */
  readonly score: number
  readonly last: string
  readonly next: string
  /** How many there were, and how many of them were shown. */
  readonly total: number
  readonly before: number
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
] as const satisfies readonly (keyof ListPlace)[]

/** A place as a cursor holds it. */
export function packedPlace(place: ListPlace): readonly unknown[] {
  return members.map((member) => place[member])
}

/** The place that a cursor held; the cursor's checksum says that `packedPlace` made it. */
export function unpackedPlace(packed: unknown): ListPlace {
  const values = packed as readonly unknown[]
  return Object.fromEntries(members.map((member, index) => [member, values[index]])) as never
}
