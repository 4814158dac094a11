/**
 * Packed lists: ascending ordinals beside their filters, without repeating what the filters hold. If the
 * row of a list has a bit for every ordinal, the row is the list. If its ranks stand for no more than
 * 65,536 ordinals, they give the upper halves, and only the lower halves are written. All other lists, the
 * shortest, are written whole: together a few hundredths of all.
 */
import { type FilterShape, filterShape, halfBits } from './filters.ts'

type ListForm = 'bits' | 'halves' | 'whole'

export function listFormOf({ shift, rankShift, words }: FilterShape): ListForm {
  if (words === 0 || rankShift > halfBits) return 'whole'
  return shift === 0 ? 'bits' : 'halves'
}

interface PackedNumbers {
  readonly halves: Uint16Array
  readonly rows: Uint32Array
}

interface PackedList {
  readonly size: number
  readonly place: number
  readonly row: number
}

/**
 * Writes the numbers of a list that is not whole, as far as its bytes give them, and returns how many. In a list
 * that `packLists` did not write they may be anything, and fewer than its size.
 * @param numbers has room for as many as its size.
 */
export function readPacked(
  { halves, rows }: PackedNumbers,
  { size, place, row }: PackedList,
  authorities: number,
  numbers: Uint32Array,
): number {
  const shape = filterShape(size, authorities)
  if (listFormOf(shape) === 'bits') return readBits(rows, row, row + shape.words, numbers)
  const ranks = row + shape.words
  const ranksPerHalf = 1 << (halfBits - shape.rankShift)
  let index = 0
  for (let rank = ranksPerHalf, upper = 0; index < size; rank += ranksPerHalf, upper += 1) {
    const end = rank < shape.ranks ? Math.min(size, rows[ranks + rank]!) : size
    const base = upper << halfBits
    for (; index < end; index += 1) numbers[index] = base | halves[place + index]!
  }
  return size
}

function readBits(rows: Uint32Array, row: number, end: number, numbers: Uint32Array): number {
  let count = 0
  for (let word = row; word < end; word += 1) {
    for (let left = rows[word]!; left !== 0; left &= left - 1) {
      numbers[count] = (word - row) * 32 + 31 - Math.clz32(left & -left)
      count += 1
    }
  }
  return count
}

/** Start of each list, and the numbers of all lists except those of the form `bits`. */
interface PackedLists {
  readonly places: Uint32Array
  readonly ordinals: Uint32Array
  readonly halves: Uint16Array
}

/** Packs lists: list i is `ordinals[starts[i]]` to `ordinals[starts[i + 1]]`, exclusive. O(ordinals). */
export function packLists(
  starts: Uint32Array,
  ordinals: Uint32Array,
  authorities: number,
): PackedLists {
  const { places, whole, halved } = listPlacesOf(starts, authorities)
  const packed = { places, ordinals: new Uint32Array(whole), halves: new Uint16Array(halved) }
  for (let list = 0; list < places.length; list += 1) {
    const numbers = ordinals.subarray(starts[list], starts[list + 1])
    const form = listFormOf(filterShape(numbers.length, authorities))
    if (form === 'whole') packed.ordinals.set(numbers, places[list])
    // An element of 16 bits keeps the lower half of a number.
    else if (form === 'halves') packed.halves.set(numbers, places[list])
  }
  return packed
}

/** Start of each list in the array of its form, 0 for the form `bits`; and the number of elements of each array. */
export function listPlacesOf(starts: Uint32Array, authorities: number) {
  const places = new Uint32Array(starts.length - 1)
  let whole = 0
  let halved = 0
  for (let list = 0; list < places.length; list += 1) {
    const size = starts[list + 1]! - starts[list]!
    const form = listFormOf(filterShape(size, authorities))
    if (form === 'whole') {
      places[list] = whole
      whole += size
    } else if (form === 'halves') {
      places[list] = halved
      halved += size
    }
  }
  return { places, whole, halved }
}
