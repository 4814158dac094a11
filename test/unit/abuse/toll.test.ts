/** What the suite of attacks holds against an attack: memory, the bystander's answers, the books. */
import { expect, it } from 'vitest'
import { boundsMs } from '../../../bench/abuse/single/requests.ts'
import { singleWrongs, type Toll, tollBytesMax, wrongsOf } from '../../../bench/abuse/toll.ts'

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

it.each(['refusal', 'answer'] as const)(
  'a single %s that costs more than its bound is wrong',
  (kind) => {
    const right = { name: 'any', kind, ms: boundsMs[kind], otherStatuses: [] }
    expect(singleWrongs(right)).toEqual([])
    expect(singleWrongs({ ...right, ms: boundsMs[kind] + 0.1 })).not.toEqual([])
    expect(singleWrongs({ ...right, otherStatuses: [500] })).not.toEqual([])
  },
)
