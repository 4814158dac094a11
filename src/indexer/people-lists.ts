/** What each person has, by ordinal: each combination once, and the people of each thing. */
import { Lists, type ListView, uint32Column } from '../memory/columns.ts'
import { inBuckets } from '../memory/hash-buckets.ts'

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

/** Values by the numbers beside them, all below a count, in their order. */
export function byNumber(
  numbers: ArrayLike<number>,
  values: ArrayLike<number>,
  count: number,
): ListView {
  return inBuckets(numbers, values, 2 ** Math.ceil(Math.log2(Math.max(1, count))))
}

/** The ordinals of the people who have each of so many things, ascending. */
export function peopleOf(
  things: number,
  people: number,
  listOf: (ordinal: number) => Iterable<number>,
): Uint32Array[] {
  const had = uint32Column()
  const ordinals = uint32Column()
  for (let ordinal = 0; ordinal < people; ordinal += 1) {
    for (const thing of listOf(ordinal)) {
      had.push(thing)
      ordinals.push(ordinal)
    }
  }
  const { starts, values } = byNumber(had.view(), ordinals.view(), things)
  return Array.from({ length: things }, (_, thing) =>
    values.subarray(starts[thing], starts[thing + 1]),
  )
}
