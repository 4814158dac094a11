/** The least of a range, against sorting it. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LeastInRange, leastLevels } from '../../../src/memory/least-in-range.ts'

describe('the least of a range', () => {
  it('come in ascending order, of equals the first, until enough are taken', () => {
    const numbers = fc.array(fc.nat(50), { maxLength: 700 })
    fc.assert(
      fc.property(numbers, fc.nat(700), fc.nat(700), fc.nat(30), (list, a, b, most) => {
        const given = Uint32Array.from(list)
        const [start, end] = [a, b].map((at) => Math.min(at, list.length)).sort((x, y) => x - y)
        const taken: number[] = []
        new LeastInRange(given, leastLevels(given)).ascending(start!, end!, (place) => {
          taken.push(place)
          return taken.length <= most
        })
        const places = Array.from(given, (_, place) => place).slice(start, end)
        const expected = places.sort((x, y) => given[x]! - given[y]! || x - y).slice(0, most + 1)
        expect(taken).toEqual(expected)
      }),
    )
  })
})
