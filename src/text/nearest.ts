/** The word of a list that was most likely meant by one that is not in it. */

/** Edits that one who types a word makes at most: one in three characters, and never more than two. */
function editsMax(word: string): number {
  return Math.min(2, Math.floor(word.length / 3))
}

/**
 * The nearest of some words by optimal string alignment distance (insertions, deletions,
 * substitutions, exchanges of neighbours); the first of equals. Undefined where none is near.
 * @param most edits, at most as many as a word of this length may have suffered.
 */
export function nearestOf(word: string, words: Iterable<string>, most = 2): string | undefined {
  let nearest: string | undefined
  let least = Math.min(most, editsMax(word)) + 1
  for (const each of words) {
    if (Math.abs(each.length - word.length) >= least) continue
    const distance = distanceBetween(word, each)
    if (distance < least) {
      least = distance
      nearest = each
    }
  }
  return nearest
}

/** Row by row (Wagner and Fischer 1974, with exchanges as Damerau 1964 counts them). */
function distanceBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const isSame = a[row - 1] === b[column - 1]
      let cost = Math.min(last[column - 1]! + (isSame ? 0 : 1), last[column]! + 1)
      cost = Math.min(cost, current[column - 1]! + 1)
      const isExchanged = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isExchanged && row > 1 && column > 1) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
