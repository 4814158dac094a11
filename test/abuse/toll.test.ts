/** What the suite of attacks holds against an attack: memory, the bystander's answers, the books. */
import { expect, it } from 'vitest'
import { type Toll, tollBytesMax, wrongsOf } from '../../bench/abuse/toll.ts'

const toll: Toll = {
  aboveRestBytes: tollBytesMax,
  waitsMs: [1, 2],
  statuses: { 200: 10 },
  charged: 10,
  seen: { seen: '' },
}

const attack = { name: 'any', run: async () => ({ seen: '' }) }

it.each<Partial<Toll>>([
  { aboveRestBytes: tollBytesMax + 1 },
  { charged: 9 },
  { charged: 11 },
  { statuses: { none: 10 } },
  { statuses: { 200: 10, 503: 1 } },
  { statuses: { 200: 10, none: 1 } },
  { statuses: { 200: 8, again: 1 } },
])('a toll with %j is wrong', (violation) => {
  expect(wrongsOf(attack, toll)).toEqual([])
  expect(wrongsOf(attack, { ...toll, ...violation })).not.toEqual([])
})
