/** What each person has, by ordinal: each combination once, and the people of each thing. */
import { Lists } from '../memory/columns.ts'

/** The number of a set for each person, and the sets. @param listOf what a person has, ascending. */
export function setsOf(people: number, listOf: (ordinal: number) => Uint32Array) {
  const known = new Map<string, number>()
  const sets = new Lists()
  const setOf = new Uint32Array(people)
  for (let ordinal = 0; ordinal < people; ordinal += 1) {
    const own = listOf(ordinal)
    const name = own.join()
    const set = known.get(name) ?? known.size
    setOf[ordinal] = set
    if (set < known.size) continue
    known.set(name, set)
    sets.values.append(own)
    sets.end()
  }
  return { setOf, ...sets.view() }
}

/** The ordinals of the people who have each of so many things, ascending. */
export function peopleOf(
  things: number,
  people: number,
  listOf: (ordinal: number) => Iterable<number>,
): Uint32Array[] {
  const sizes = new Uint32Array(things)
  for (let ordinal = 0; ordinal < people; ordinal += 1) {
    for (const thing of listOf(ordinal)) sizes[thing]! += 1
  }
  const lists = Array.from(sizes, (size) => new Uint32Array(size))
  const ends = new Uint32Array(things)
  for (let ordinal = 0; ordinal < people; ordinal += 1) {
    for (const thing of listOf(ordinal)) lists[thing]![ends[thing]!++] = ordinal
  }
  return lists
}
