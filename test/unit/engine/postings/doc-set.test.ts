/** Document sets against brute force: the members of intersections, in every way to build the sets. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Best, firstOfMany } from '../../../../src/engine/postings/best.ts'
import {
  type DocSet,
  endless,
  forEachInAll,
  Intersection,
  isInAll,
  nobody,
  planWalk,
  retainAll,
  Union,
  walkChunks,
} from '../../../../src/engine/postings/doc-set.ts'
import { libraries, termOf, words } from '../interpret/libraries.ts'

/** How holders are made: of a word, or of any or each of some. */
type Plan =
  | { readonly word: string }
  | { readonly any: readonly Plan[] }
  | { readonly each: readonly Plan[] }

const { plan } = fc.letrec<{ plan: Plan; word: Plan; any: Plan; each: Plan }>((tie) => ({
  word: fc.record({ word: fc.constantFrom(...words) }),
  any: fc.record({ any: fc.array(tie('plan'), { maxLength: 4 }) }),
  each: fc.record({ each: fc.array(tie('plan'), { minLength: 1, maxLength: 3 }) }),
  plan: fc.oneof({ depthSize: 'small' }, tie('word'), tie('any'), tie('each')),
}))

const field = fc.constantFrom<'name' | 'word'>('name', 'word')

describe('those who are among all of some', () => {
  it('are shown one by one or many at a time, and the walk ends when told to', () => {
    const plans = fc.array(plan, { minLength: 1, maxLength: 4 })
    const most = fc.integer({ min: 1, max: 80 })
    fc.assert(
      fc.property(
        libraries,
        plans,
        field,
        most,
        ({ postings, all, people }, some, where, count) => {
          const holdersOf = (each: Plan): DocSet => {
            const number = 'word' in each ? postings.numberOf(termOf(each.word)) : -1
            if ('word' in each) return number < 0 ? nobody : postings.list(where, number)
            return 'any' in each
              ? new Union(each.any.map(holdersOf))
              : new Intersection(each.each.map(holdersOf))
          }
          const isIn = (each: Plan, ordinal: number): boolean => {
            if ('word' in each) return all(where, termOf(each.word)).includes(ordinal)
            return 'any' in each
              ? each.any.some((one) => isIn(one, ordinal))
              : each.each.every((one) => isIn(one, ordinal))
          }
          const holders = some.map(holdersOf)
          const found = new Best(count)
          forEachInAll(holders, (ordinal) => found.take(ordinal))
          const expected = people.filter((ordinal) => some.every((each) => isIn(each, ordinal)))
          expect(found.ordinals).toEqual(expected.slice(0, count))
          expect(people.filter((ordinal) => isInAll(holders, ordinal))).toEqual(expected)
          expect(firstOfMany(planWalk(holders), count)).toEqual(expected.slice(0, count))
          const shown = new Set<number>()
          walkChunks(planWalk(holders), (ordinals, length) => {
            for (const ordinal of ordinals.subarray(0, length)) shown.add(ordinal)
            return endless
          })
          expect([...shown].sort((a, b) => a - b)).toEqual(expected)
          const [start, end] = [count >>> 1, count]
          const part = new Set<number>()
          forEachInAll(
            holders.map((each) => each.slice(start, end)),
            (ordinal) => part.add(ordinal).size > 0,
          )
          const inRange = expected.filter((ordinal) => ordinal >= start && ordinal < end)
          expect([...part].sort((a, b) => a - b)).toEqual(inRange)
          const kept = Uint32Array.from(people)
          expect([...kept.subarray(0, retainAll(holders, kept, people.length))]).toEqual(expected)
        },
      ),
      { numRuns: 40 },
    )
  })
})
