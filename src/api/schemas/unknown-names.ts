/** The words for an unknown parameter, member or argument, and an unknown value: with the nearest, or all names. */
import { nearestOf } from '../../text/nearest.ts'

const nameCharactersMax = 32

/** Undefined if none is near or the text is far too long. */
export function nearestName(
  text: string,
  names: readonly string[],
  editsMax?: number,
): string | undefined {
  return text.length > nameCharactersMax ? undefined : nearestOf(text, names, editsMax)
}

/** The fault of a value that does not exist, to stand behind its name. */
export function unknownValue(value: string, nearest: string | undefined): string {
  const hint = nearest === undefined ? '' : `; the nearest is '${nearest}'`
  return `: there is no '${value.slice(0, 100)}'${hint}`
}

/** A name as its words in alphabetical order: `minScore` and `score_min` are the same words. */
function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_-]+/)
  return words.sort().join('_')
}

/** The same words in another order or case, a longer or shorter form, or the nearest by edits. */
function nearestKnown(name: string, names: readonly string[]): string | undefined {
  // A longer name is near to none.
  if (name.length > 100) return undefined
  const words = wordsOf(name)
  return (
    names.find((each) => wordsOf(each) === words) ??
    nearestName(name, names) ??
    names.find((each) => words.length > 2 && areForms(words, each))
  )
}

/** Whether two words share a stem, as `countries` and `country` do: all letters but the last of the shorter one. */
function areForms(one: string, other: string): boolean {
  const stem = Math.min(one.length, other.length) - 1
  return stem > 3 && one.slice(0, stem) === other.slice(0, stem)
}

/** @param what the kind of name: `parameter`, `member`. */
export function unknownName(what: string, name: string, names: readonly string[]): string {
  const nearest = nearestKnown(name, names)
  const hint =
    nearest === undefined ? `: there are ${names.join(', ')}` : `; did you mean ${nearest}?`
  return `there is no ${what} '${name.slice(0, 100)}'${hint}`
}
