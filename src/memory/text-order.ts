/**
 * Texts in the order of their bytes, by numbers: so that those with one beginning are a range. A text
 * before which another ends comes behind it. The beginnings of all texts are read once, one text after the other, and
 * packed into keys, which the engine sorts without asking back; only texts with a long beginning in common are read
 * again, where they lie. A million texts take a third of a second, where comparing them takes three.
 */

import { firstNot } from './bounds.ts'

/** Texts by number: bytes from a start to an end, which may lie in each other. None holds a 0. */
export interface TextRanges {
  readonly text: Uint8Array
  readonly startOf: (number: number) => number
  readonly endOf: (number: number) => number
}

/** Maximum length of a run that is put in order by comparing its texts. */
const comparedMax = 24

/** Bytes of a pass: what fits into a number beside the number of the text. */
const passBytes = 4

/** A range of places whose texts are still to be ordered by their bytes from a depth on. */
interface Run {
  readonly from: number
  readonly to: number
  readonly depth: number
}

/**
 * Puts the numbers of some texts in the order of these, in place. Of equal texts the one that came first stays first.
 * @param rest called between runs: the first is all of them, most of the others are short.
 */
export function orderTexts(
  pieces: TextRanges,
  numbers: Uint32Array,
  rest: () => void = () => {},
): void {
  const runs = orderBeginnings(pieces, numbers, rest)
  const keys = new BigUint64Array(runs.reduce((most, { from, to }) => Math.max(most, to - from), 0))
  for (let run = runs.pop(); run !== undefined; run = runs.pop()) {
    rest()
    const length = run.to - run.from
    if (length <= comparedMax) compareAll(pieces, numbers, run)
    else orderRun(pieces, numbers, keys.subarray(0, length), run, runs)
  }
}

/** Texts between two rests. */
const stepLength = 1 << 10
const halfBits = 32

/**
 * Orders texts by beginnings of two keys each; returns the runs in which both keys are the same. The first key has
 * the place of its text among the given ones in the lowest bits, so that keys sort without a second column.
 */
function orderBeginnings(pieces: TextRanges, numbers: Uint32Array, rest: () => void): Run[] {
  const given = numbers.slice()
  const packing = packingOf(pieces.text, given.length)
  const { placeBits } = packing
  const { keys, further } = keysOf(pieces, given, packing, rest)
  const halves = new Uint32Array(keys.buffer)
  keys.sort()
  const runs: Run[] = []
  const placeMask = 2 ** placeBits - 1
  for (let from = 0, to = 1; from < given.length; from = to, to += 1) {
    const [lower, upper] = [halves[from * 2]! >>> placeBits, halves[from * 2 + 1]!]
    while (upper === halves[to * 2 + 1] && lower === halves[to * 2]! >>> placeBits) to += 1
    if (to - from === 1) continue
    rest()
    for (let at = from; at < to; at += 1) {
      const place = halves[at * 2]! & placeMask
      halves[at * 2] = place
      halves[at * 2 + 1] = further[place]!
    }
    if (to - from > comparedMax) keys.subarray(from, to).sort()
    else sortFew(halves, from, to)
    addRuns(halves, from, { from, to, depth: packing.depth }, packing.symbolMask, runs)
  }
  for (let at = 0; at < given.length; at += 1) numbers[at] = given[halves[at * 2]! & placeMask]!
  return runs
}

/** Insertion sort of some keys by their upper halves; equal ones stay as they are. */
function sortFew(halves: Uint32Array, from: number, to: number): void {
  for (let next = from + 1; next < to; next += 1) {
    const [lower, upper] = [halves[next * 2]!, halves[next * 2 + 1]!]
    let at = next
    for (; at > from && halves[at * 2 - 1]! > upper; at -= 1) {
      halves[at * 2] = halves[at * 2 - 2]!
      halves[at * 2 + 1] = halves[at * 2 - 1]!
    }
    halves[at * 2] = lower
    halves[at * 2 + 1] = upper
  }
}

/** A way to pack texts: a symbol is the number of a byte among those that the texts have at all. */
interface Packing {
  readonly symbols: Uint8Array
  readonly symbolBits: number
  readonly symbolMask: number
  readonly placeBits: number
  /** Symbols of half a key, and of the lower half of the first, beside the place. */
  readonly perHalf: number
  readonly perRest: number
  /** Symbols of both keys. */
  readonly depth: number
}

function packingOf(text: Uint8Array, count: number): Packing {
  const symbols = new Uint8Array(256)
  for (let at = 0; at < text.length; at += 1) if (symbols[text[at]!] === 0) symbols[text[at]!] = 1
  let last = 0
  symbols.forEach((isThere, byte) => {
    if (isThere === 1) symbols[byte] = ++last
  })
  const symbolBits = Math.max(1, halfBits - Math.clz32(last))
  const placeBits = halfBits - Math.clz32(count)
  const perHalf = Math.floor(halfBits / symbolBits)
  const perRest = Math.floor((halfBits - placeBits) / symbolBits)
  const depth = perHalf * 2 + perRest
  return {
    symbols,
    symbolBits,
    symbolMask: 2 ** symbolBits - 1,
    placeBits,
    perHalf,
    perRest,
    depth,
  }
}

/** The keys of texts by their places: the first ones whole, of the second ones the symbols. */
function keysOf(
  { text, startOf, endOf }: TextRanges,
  given: Uint32Array,
  { symbols, symbolBits, placeBits, perHalf, perRest }: Packing,
  rest: () => void,
) {
  const keys = new BigUint64Array(given.length)
  const halves = new Uint32Array(keys.buffer)
  const further = new Uint32Array(given.length)
  // A text that has ended is followed by zeros.
  const packed = (start: number, length: number, end: number) => {
    let bits = 0
    for (let at = start; at < start + length; at += 1) {
      bits = (bits << symbolBits) | (at < end ? symbols[text[at]!]! : 0)
    }
    return bits
  }
  for (let place = 0; place < given.length; place += 1) {
    if (place % stepLength === 0) rest()
    const [start, end] = [startOf(given[place]!), endOf(given[place]!)]
    halves[place * 2 + 1] = packed(start, perHalf, end)
    halves[place * 2] = (packed(start + perHalf, perRest, end) << placeBits) | place
    further[place] = packed(start + perHalf + perRest, perHalf, end)
  }
  return { keys, further }
}

/** Orders a run by its next bytes; adds the runs in which these are the same. */
function orderRun(
  pieces: TextRanges,
  numbers: Uint32Array,
  keys: BigUint64Array,
  { from, to, depth }: Run,
  runs: Run[],
): void {
  // Little-endian, as all sections are: the bytes of the text are the upper half of a key.
  const halves = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2)
  for (let at = from; at < to; at += 1) {
    halves[(at - from) * 2] = numbers[at]!
    halves[(at - from) * 2 + 1] = bytesAt(pieces, numbers[at]!, depth)
  }
  keys.sort()
  for (let at = from; at < to; at += 1) numbers[at] = halves[(at - from) * 2]!
  addRuns(halves, 0, { from, to, depth: depth + passBytes }, 0xff, runs)
}

/**
 * Adds the runs in which the symbols of sorted keys, their upper halves, are the same.
 * @param first the key of the first text.
 * @param lastMask bits of the last symbol; no text that goes on has zeros there.
 */
function addRuns(
  halves: Uint32Array,
  first: number,
  { from, to, depth }: Run,
  lastMask: number,
  runs: Run[],
): void {
  for (let start = from, at = from + 1; at <= to; at += 1) {
    const symbols = halves[(first + start - from) * 2 + 1]!
    if (at < to && halves[(first + at - from) * 2 + 1] === symbols) continue
    if (at - start > 1 && (symbols & lastMask) !== 0) runs.push({ from: start, to: at, depth })
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

function isBefore(
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

/** A half-open range of places in an order. */
export interface PlaceRange {
  readonly start: number
  readonly end: number
}

/** The places of the texts that begin with some bytes. O(log texts). */
export function beginningWith(
  pieces: TextRanges,
  order: Uint32Array,
  bytes: Uint8Array,
  length: number,
): PlaceRange {
  const bound = (isPast: boolean) =>
    firstNot(order.length, (place) => {
      const compared = compareStart(pieces, order[place]!, bytes, length)
      return compared < 0 || (isPast && compared === 0)
    })
  return { start: bound(false), end: bound(true) }
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
