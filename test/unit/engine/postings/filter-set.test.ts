/** Filters by columns: to look at many at once is to look at each. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DocSet } from '../../../../src/engine/postings/doc-set.ts'
import {
  AtLeast,
  InLists,
  InRange,
  InTable,
  Listed,
  Passing,
  PrefixMatches,
} from '../../../../src/engine/postings/filter-set.ts'

const kinds = 6

/** What is said of each person: a number, and a list of numbers. */
const person = fc.tuple(fc.nat(kinds - 1), fc.array(fc.nat(kinds - 1), { maxLength: 3 }))

/** Every filter, of some people. */
function filtersOf(
  people: readonly (readonly [number, readonly number[]])[],
  wanted: readonly number[],
  from: number,
  to: number,
): DocSet[] {
  const column = Uint32Array.from(people, ([kind]) => kind)
  const isWanted = Uint8Array.from({ length: kinds }, (_, kind) => (wanted.includes(kind) ? 1 : 0))
  const values = Uint32Array.from(people.flatMap(([, list]) => list))
  const starts = new Uint32Array(people.length + 1)
  people.forEach(([, list], ordinal) => {
    starts[ordinal + 1] = starts[ordinal]! + list.length
  })
  const table = new InTable(column, isWanted)
  const lists = { starts: new Uint32Array(kinds + 1), ordinals: new Uint32Array(0) }
  return [
    table,
    new InRange(from, to),
    new AtLeast(column, from),
    new InLists(starts, values, isWanted),
    new Listed(table, new InRange(0, people.length)),
    new Passing((ordinal) => column[ordinal] === 0, people.length),
    new PrefixMatches(
      lists,
      { start: from, end: to },
      { 'suggest.name-starts': starts, 'suggest.name-terms': values },
    ),
  ]
}

it('keeps of some people, in their order, those whom a look at each finds', () => {
  const several = fc.array(person, { minLength: 1, maxLength: 40 })
  const kind = fc.nat(kinds - 1)
  fc.assert(
    fc.property(several, fc.array(kind), kind, kind, fc.nat(40), (people, wanted, a, b, most) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      const shown = people.map((_, ordinal) => ordinal).slice(0, most)
      for (const filter of filtersOf(people, wanted, from, to)) {
        const ordinals = Uint32Array.from(people, (_, ordinal) => ordinal)
        const kept = filter.retain(ordinals, shown.length)
        const held = shown.filter((each) => filter.mayContain(each) && filter.contains(each))
        expect([...ordinals.subarray(0, kept)]).toEqual(held)
      }
    }),
  )
})
