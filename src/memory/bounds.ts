/** Binary search: the first place from which on something no longer holds. */

/** The first of some ascending numbers that is not below another; `high` where all are. O(log numbers). */
export function lowerBound(
  numbers: ArrayLike<number>,
  wanted: number,
  low = 0,
  high = numbers.length,
): number {
  let [first, end] = [low, high]
  while (first < end) {
    const middle = (first + end) >>> 1
    if (numbers[middle]! < wanted) first = middle + 1
    else end = middle
  }
  return first
}

/** The first place below a count that `isBefore` does not hold of; it holds of all places before that one. O(log count). */
export function firstNot(count: number, isBefore: (place: number) => boolean): number {
  let [first, end] = [0, count]
  while (first < end) {
    const middle = (first + end) >>> 1
    if (isBefore(middle)) first = middle + 1
    else end = middle
  }
  return first
}
