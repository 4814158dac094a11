/**
 * Texts in the order of their bytes, by numbers: so that those with one beginning are a range. A text
 * before which another ends comes behind it. The next bytes of many texts are packed into keys, which the engine sorts
 * without asking back, and texts that are still the same are ordered by the bytes behind those. A million texts take
 * two thirds of a second, where comparing them takes three.
 */

import { firstNot, lowerBound } from './bounds.ts'
import type { Texts } from './text-table.ts'

/** Texts by number: bytes from a start to an end, which may lie in each other. None holds a 0. */
export interface TextRanges {
  readonly text: Uint8Array
  readonly startOf: (number: number) => number
  readonly endOf: (number: number) => number
}

/** Maximum length of a run that is put in order by comparing its texts. */
const comparedMax = 24

export function rangesOf({ text, starts }: Texts): TextRanges {
  return { text, startOf: (entry) => starts[entry]!, endOf: (entry) => starts[entry + 1]! }
}

/** What follows in texts from a byte on, by that byte. */
export function restsOf({ text, starts }: Texts): TextRanges {
  return { text, startOf: (at) => at, endOf: (at) => starts[lowerBound(starts, at + 1)]! }
}

/** Bytes of a pass: what fits into a number beside the number of the text. */
const passBytes = 4

/** A range of places whose texts are still to be ordered by their bytes from a depth on. */
interface Run {
  readonly from: number
  readonly to: number
  readonly depth: number
}

/** Puts the numbers of some texts in the order of these, in place. Of equal texts the one that came first stays first. */
export function orderTexts(pieces: TextRanges, numbers: Uint32Array): void {
  const keys = new BigUint64Array(numbers.length)
  const runs: Run[] = [{ from: 0, to: numbers.length, depth: 0 }]
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    const length = run.to - run.from
    if (length <= comparedMax) compareAll(pieces, numbers, run)
    else orderRun(pieces, numbers, keys.subarray(0, length), run, runs)
  }
}

/** Orders a run by its next bytes; adds the runs in which these are the same, and in which texts may go on. */
function orderRun(
  pieces: TextRanges,
  numbers: Uint32Array,
  keys: BigUint64Array,
  { from, to, depth }: Run,
  runs: Run[],
): void {
  // Little-endian, as all sections are: the bytes of the text are the upper half of a key, the place the lower.
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2)
  const given = numbers.slice(from, to)
  for (let at = 0; at < given.length; at += 1) {
    halves[at * 2] = at
    halves[at * 2 + 1] = bytesAt(pieces, given[at]!, depth)
  }
  keys.sort()
  for (let at = 0; at < given.length; at += 1) numbers[from + at] = given[halves[at * 2]!]!
  for (let start = 0, at = 1; at <= given.length; at += 1) {
    const bytes = halves[start * 2 + 1]!
    if (at < given.length && halves[at * 2 + 1] === bytes) continue
    // Where a text ends there are zeros.
    const mayGoOn = at - start > 1 && (bytes & 0xff) !== 0
    if (mayGoOn) runs.push({ from: from + start, to: from + at, depth: depth + passBytes })
    start = at
  }
}

function bytesAt({ text, startOf, endOf }: TextRanges, number: number, depth: number): number {
  const start = startOf(number) + depth
  const end = endOf(number)
  let bytes = 0
  for (let at = start; at < start + passBytes; at += 1) {
    bytes = (bytes << 8) | (at < end ? text[at]! : 0)
  }
  return bytes >>> 0
}

/** Insertion sort: few, and most of them stand right. */
function compareAll(pieces: TextRanges, numbers: Uint32Array, { from, to, depth }: Run): void {
  for (let place = from + 1; place < to; place += 1) {
    const number = numbers[place]!
    let at = place
    for (; at > from && isBefore(pieces, number, numbers[at - 1]!, depth); at -= 1) {
      numbers[at] = numbers[at - 1]!
    }
    numbers[at] = number
  }
}

/** Whether one text comes before another whose first `depth` bytes are the same. */
export function isBefore(
  { text, startOf, endOf }: TextRanges,
  a: number,
  b: number,
  depth: number,
): boolean {
  const [startA, startB] = [startOf(a), startOf(b)]
  const [lengthA, lengthB] = [endOf(a) - startA, endOf(b) - startB]
  for (let at = depth; at < lengthA && at < lengthB; at += 1) {
    const difference = text[startA + at]! - text[startB + at]!
    if (difference !== 0) return difference < 0
  }
  return lengthA === lengthB ? a < b : lengthA < lengthB
}

export interface PlaceRange {
  readonly start: number
  readonly end: number
}

/** The places of the texts that begin with some bytes. O(log texts). @param numberAt of the text at a place. */
export function beginningWith(
  pieces: TextRanges,
  count: number,
  bytes: Uint8Array,
  length: number,
  numberAt = (place: number): number => place,
): PlaceRange {
  const compared = (place: number) => compareStart(pieces, numberAt(place), bytes, length)
  const start = firstNot(count, (place) => compared(place) < 0)
  // Most beginnings are those of no text.
  const isAny = start < count && compared(start) === 0
  return { start, end: isAny ? firstNot(count, (place) => compared(place) <= 0) : start }
}

function compareStart(
  { text, startOf, endOf }: TextRanges,
  number: number,
  bytes: Uint8Array,
  length: number,
): number {
  const start = startOf(number)
  const own = endOf(number) - start
  for (let at = 0; at < length; at += 1) {
    if (at === own) return -1
    const difference = text[start + at]! - bytes[at]!
    if (difference !== 0) return difference
  }
  return 0
}
