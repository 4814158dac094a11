/** Letters of texts in flat memory: UTF-8 read and written as code points, without making a string. */

/** Reads whole UTF-8 into `letters`; returns how many, or -1 where there is no room. */
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

/**
 * Writes some code points as UTF-8 from the beginning of `bytes`, which has room for four bytes each; returns the end.
 * Half of a pair of surrogates is written as an encoder writes it, as U+FFFD.
 */
export function writeLetters(letters: Uint32Array, bytes: Uint8Array): number {
  let at = 0
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters[index]!
    if (letter < 0x80) bytes[at++] = letter
    else if (letter < 0x800) at = writeTail(letter, 1, 0xc0, bytes, at)
    else if (letter >= 0xd800 && letter < 0xe000) at = writeTail(0xfffd, 2, 0xe0, bytes, at)
    else if (letter < 0x10000) at = writeTail(letter, 2, 0xe0, bytes, at)
    else at = writeTail(letter, 3, 0xf0, bytes, at)
  }
  return at
}

/** Writes a letter as a first byte with a mark, and so many bytes behind it; returns the end. */
function writeTail(
  letter: number,
  behind: number,
  mark: number,
  bytes: Uint8Array,
  start: number,
): number {
  bytes[start] = mark | (letter >>> (6 * behind))
  for (let at = 1; at <= behind; at += 1) {
    bytes[start + at] = 0x80 | ((letter >>> (6 * (behind - at))) & 0x3f)
  }
  return start + behind + 1
}
