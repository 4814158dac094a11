/**
 * Edits between words: optimal string alignment (Damerau 1964), made for few: only words that are
 * alike are read to their ends.
 */

export function lettersOf(word: string): Uint32Array {
  const letters = new Uint32Array(word.length)
  let count = 0
  // A loop, because a text iterates ten times as slowly; a letter may take two units.
  for (let at = 0; at < word.length; count += 1) {
    letters[count] = word.codePointAt(at)!
    at += letters[count]! > 0xffff ? 2 : 1
  }
  return count === letters.length ? letters : letters.slice(0, count)
}

/** Characters that are syllables, or words. */
const syllabic = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu

const notAscii = /[^\0-\x7f]/

/** The number of letters of a word; a syllable that is one character counts as two. */
export function lettersSaidBy(word: string): number {
  // Nothing in ASCII is a syllable, and a match makes an array.
  return notAscii.test(word) ? lettersIn(word) + (word.match(syllabic)?.length ?? 0) : word.length
}

export function lettersIn(word: string): number {
  let count = 0
  for (let at = 0; at < word.length; count += 1) at += word.codePointAt(at)! > 0xffff ? 2 : 1
  return count
}

export function editsOf(letters: number): number {
  return letters < 4 ? 0 : letters < 8 ? 1 : 2
}

export function exchange(letters: Uint32Array, at: number): void {
  const letter = letters[at]!
  letters[at] = letters[at - 1]!
  letters[at - 1] = letter
}

/**
 * One more than `most` if there are more. O(3^most letters), and mostly ends at the first letters.
 */
export function editsBetween(
  a: Uint32Array,
  b: Uint32Array,
  most: number,
  count = b.length,
): number {
  if (!isWithin(a, 0, b, 0, count, most)) return most + 1
  let edits = most
  while (edits > 0 && isWithin(a, 0, b, 0, count, edits - 1)) edits -= 1
  return edits
}

function isWithin(
  a: Uint32Array,
  from: number,
  b: Uint32Array,
  start: number,
  end: number,
  edits: number,
): boolean {
  const surplus = a.length - from - (end - start)
  if (surplus > edits || -surplus > edits) return false
  // No edit is saved by one among letters that both begin with.
  while (from < a.length && start < end && a[from] === b[start]) {
    from += 1
    start += 1
  }
  if (from === a.length || start === end) return true
  if (edits === 0) return false
  return (
    isWithin(a, from + 1, b, start + 1, end, edits - 1) ||
    isWithin(a, from + 1, b, start, end, edits - 1) ||
    isWithin(a, from, b, start + 1, end, edits - 1) ||
    (areExchanged(a, from, b, start, end) && isWithin(a, from + 2, b, start + 2, end, edits - 1))
  )
}

function areExchanged(
  a: Uint32Array,
  from: number,
  b: Uint32Array,
  start: number,
  end: number,
): boolean {
  return (
    from + 1 < a.length && start + 1 < end && a[from] === b[start + 1] && a[from + 1] === b[start]
  )
}
