/** Columns of numbers in memory that threads share. */

/** A column of so many zeros. */
export function shared(length: number): Uint32Array {
  return new Uint32Array(new SharedArrayBuffer(length * Uint32Array.BYTES_PER_ELEMENT))
}

/** A column of the same numbers. */
export function sharedCopy(values: ArrayLike<number>): Uint32Array {
  const copy = shared(values.length)
  copy.set(values)
  return copy
}
