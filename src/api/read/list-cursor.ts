/**
 * The cursors of lists of people: the place behind the last one who was shown, told so that it is found
 * in another snapshot, too. In what is ordered by authority a place is a score and an SDU. In what is
 * ordered by topics, where everybody's value depends on the others', it is who stands on both sides.
 */
import { crc32 } from 'node:zlib'
import { decodeCursor, encodeCursor } from './cursor.ts'
import { isSdu } from './pairs.ts'

/** A place in a list, and what was known of the list there. */
export interface ListCursor {
  /** Stands for the request: `listOf`. */
  readonly list: number
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

/** Stands for what a list consists of: the operation and what was asked for, without the page. */
export function listOf(parts: readonly unknown[]): number {
  return crc32(JSON.stringify(parts))
}

/** The text of a cursor. */
export function encodeListCursor(cursor: ListCursor): string {
  const { list, snapshot, shape, group, value, score, last, next, total, before } = cursor
  return encodeCursor([list, snapshot, shape, group, value, score, last, next, total, before])
}

/** The cursor of a text, or undefined where it is none. */
export function decodeListCursor(text: string): ListCursor | undefined {
  const values = decodeCursor(text)
  if (!Array.isArray(values) || values.length !== 10) return undefined
  const [list, snapshot, shape, group, value, score, last, next, total, before] = values
  const numbers = [list, shape, group, value, score, total, before]
  const sdus = [last, next]
  if (!numbers.every((each) => typeof each === 'number' && each >= 0)) return undefined
  if (!sdus.every((each) => typeof each === 'string' && isSdu(each))) return undefined
  if (typeof snapshot !== 'string') return undefined
  const cursor = { list, snapshot, shape, group, value, score, last, next, total, before }
  return cursor as ListCursor
}
