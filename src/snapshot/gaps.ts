/**
 * Ascending lists of numbers in few bytes: the difference of each number from the one before it, less
 * one, seven bits a byte with the lowest first; all bytes of it but the last have their eighth bit set.
 * So every list that is read ascends, and a list is read from its beginning as far as it is needed.
 */

export function writeGaps(numbers: ArrayLike<number>, push: (byte: number) => void): void {
  let before = -1
  for (let index = 0; index < numbers.length; index += 1) {
    let gap = numbers[index]! - before - 1
    for (; gap >= 0x80; gap = Math.floor(gap / 0x80)) push(0x80 | (gap & 0x7f))
    push(gap)
    before = numbers[index]!
  }
}

/** Reads `bytes[start, end)` into `into`; returns how many numbers there are. */
export function readGaps(
  bytes: Uint8Array,
  start: number,
  end: number,
  into: Uint32Array,
  most = into.length,
): number {
  let count = 0
  let number = -1
  for (let at = start; at < end && count < most; at += 1, count += 1) {
    let gap = bytes[at]!
    if (gap >= 0x80) {
      gap &= 0x7f
      for (let shift = 7, byte = 0x80; byte >= 0x80; shift += 7) {
        at += 1
        byte = bytes[at]!
        gap |= (byte & 0x7f) << shift
      }
    }
    number += (gap >>> 0) + 1
    into[count] = number
  }
  return count
}

/** Whether bytes are a list that `writeGaps` has written, of at most `most` numbers below `below`. */
export function isGapList(
  bytes: Uint8Array,
  start: number,
  end: number,
  { most, below }: { readonly most: number; readonly below: number },
): boolean {
  let number = -1
  let count = 0
  for (let at = start; at < end; at += 1, count += 1) {
    let gap = bytes[at]! & 0x7f
    for (let unit = 0x80; bytes[at]! >= 0x80; unit *= 0x80) {
      at += 1
      // A number neither goes on behind its list nor takes more bytes than it needs.
      if (at >= end || bytes[at] === 0) return false
      gap += (bytes[at]! & 0x7f) * unit
    }
    number += gap + 1
    if (number >= below) return false
  }
  return count <= most
}
