/** When a yielding thread rests. */
import { expect, it } from 'vitest'
import { restingEvery } from '../../../src/process/giving-way.ts'

it('rests once it has worked for so long, and from then on not before it has again', () => {
  let nowMs = 100
  const restedAt: number[] = []
  const rest = restingEvery(
    5,
    () => {
      restedAt.push(nowMs)
      nowMs += 50
    },
    () => nowMs,
  )
  for (const workMs of [0, 4, 1, 4, 0.5, 0.5, 20]) {
    nowMs += workMs
    rest()
  }
  expect(restedAt).toEqual([105, 160, 230])
})
