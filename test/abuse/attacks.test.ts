/** Every attack and accident of the suite, small: `npm run test:abuse` runs them as they are meant. */
import { expect, it } from 'vitest'
import { attacks } from '../../bench/abuse/bench.ts'
import { type Toll, tollBytesMax, tollOf, wrongsOf } from '../../bench/abuse/toll.ts'
import { tinyOptions } from '../bench/tiny.ts'

it.each(attacks)('the service stands $name', async (attack) => {
  const lack = attack.lack?.()
  // What a machine cannot do is told, and left to one that can.
  if (lack !== undefined) return console.warn(`not tried, ${attack.name}: ${lack}`)
  const toll = await tollOf(attack, tinyOptions())
  expect(wrongsOf(attack, toll)).toEqual([])
})

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
