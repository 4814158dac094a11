/** Letters of texts in flat memory: UTF-8 read as code points, without making a string. */

/**
 * Reads the code points of `bytes[start, end)`, which is whole UTF-8, into `letters`; returns how
 * many there are, or -1 when there are more than `letters` has room for.
 */
export function readLetters(
  bytes: Uint8Array,
  start: number,
  end: number,
  letters: Uint32Array,
): number {
  let count = 0
  for (let at = start; at < end; count += 1) {
    if (count === letters.length) return -1
    const lead = bytes[at]!
    if (lead < 0x80) {
      letters[count] = lead
      at += 1
    } else if (lead < 0xe0) {
      letters[count] = ((lead & 0x1f) << 6) | (bytes[at + 1]! & 0x3f)
      at += 2
    } else if (lead < 0xf0) {
      letters[count] = ((lead & 0x0f) << 12) | tail(bytes, at + 1, 2)
      at += 3
    } else {
      letters[count] = ((lead & 0x07) << 18) | tail(bytes, at + 1, 3)
      at += 4
    }
  }
  return count
}

function tail(bytes: Uint8Array, start: number, count: number): number {
  let bits = 0
  for (let at = start; at < start + count; at += 1) bits = (bits << 6) | (bytes[at]! & 0x3f)
  return bits
}
