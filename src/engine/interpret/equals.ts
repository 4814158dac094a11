/** The order among equals by name and score: the best covered name, the fullest record, the SDU. */
import type { Catalog } from '../catalog.ts'
import { nameWordsOf } from '../person-names.ts'

/** Equals that are compared: the first by SDU. */
export const comparedEqualsMax = 16

const none: readonly never[] = []

/** Nobody where the first two are no equals. 3 µs for each. @param said words of the text. */
export function bestOfEquals(
  catalog: Catalog,
  people: readonly number[],
  said: number,
): readonly number[] {
  const scores = catalog.sections['authority.scores']
  const [first, second] = people
  if (second === undefined || scores[first!] !== scores[second]) return none
  return inOrder(catalog, people, said)
}

function inOrder(catalog: Catalog, people: readonly number[], said: number): readonly number[] {
  const scores = catalog.sections['authority.scores']
  const [first] = people
  const top = people.slice(0, comparedEqualsMax).filter((each) => scores[each] === scores[first!])
  const equals = top.map((ordinal) => ({
    ordinal,
    unsaid: Math.max(0, nameWordsOf(catalog, ordinal).length - said),
    bytes: catalog.profiles.lengthOf(ordinal),
  }))
  return equals
    .sort((a, b) => a.unsaid - b.unsaid || b.bytes - a.bytes || a.ordinal - b.ordinal)
    .map(({ ordinal }) => ordinal)
}
