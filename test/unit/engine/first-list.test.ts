/** Lists of a text that take the memory of the text before. */
import { expect, it } from 'vitest'
import { FirstList } from '../../../src/engine/first-list.ts'

it('fills in the first list of each text anew, and leaves the other lists of a text alone', () => {
  const lists = new FirstList<number>()
  const first = lists.of([1, 2, 3, 4], 3)
  const second = lists.of([5, 6], 2)
  expect([first, second]).toEqual([
    [1, 2, 3],
    [5, 6],
  ])
  lists.begin()
  expect(lists.of([7, 8], 2)).toBe(first)
  expect([first, second]).toEqual([
    [7, 8],
    [5, 6],
  ])
})

it('takes nothing for a list of none', () => {
  const lists = new FirstList<number>()
  const first = lists.of([1], 1)
  lists.begin()
  expect(lists.of([2], 0)).toEqual([])
  expect(first).toEqual([1])
  expect(lists.of([3], 1)).toBe(first)
})
