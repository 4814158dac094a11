/** A cache with a bound. */
import { expect, it } from 'vitest'
import { BoundedCache } from '../../../src/engine/bounded-cache.ts'

it('makes a value once while there is room, and again when too many others came', () => {
  const made: string[] = []
  const cache = new BoundedCache<string, string>(2)
  const get = (key: string) =>
    cache.get(key, () => {
      made.push(key)
      return key.toUpperCase()
    })
  expect(['a', 'b', 'a', 'b'].map(get)).toEqual(['A', 'B', 'A', 'B'])
  expect(made).toEqual(['a', 'b'])
  expect(['c', 'a', 'c'].map(get)).toEqual(['C', 'A', 'C'])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})
