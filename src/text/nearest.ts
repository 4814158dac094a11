/** The word of a list that was most likely meant by one that is not in it. */
import { editsBetween, lettersOf } from './edits.ts'

/** Edits that one who types a word makes at most: one in three letters, and never more than two. */
function editsMax(letters: number): number {
  return Math.min(2, Math.floor(letters / 3))
}

/** The first of equals. @param editsMost at most as many as a word of this length may have. */
export function nearestOf(
  word: string,
  words: Iterable<string>,
  editsMost = 2,
): string | undefined {
  const letters = lettersOf(word)
  let nearest: string | undefined
  let most = Math.min(editsMost, editsMax(letters.length))
  for (const each of words) {
    const edits = editsBetween(letters, lettersOf(each), most)
    if (edits > most) continue
    nearest = each
    most = edits - 1
  }
  return nearest
}

/** `: did you mean 'x'?` behind a refusal; '' where no word is near. */
export function hintAt(nearest: string | undefined): string {
  return nearest === undefined ? '' : `: did you mean '${nearest}'?`
}
