/** Every attack and accident, small: `npm run test:abuse` runs them as they are meant. */
import { expect, it } from 'vitest'
import { attacks } from '../../../../bench/abuse/bench.ts'
import { tollOf, wrongsOf } from '../../../../bench/abuse/toll.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it.each(attacks)('the service stands $name', async (attack) => {
  const lack = attack.lack?.()
  // The suite prints which attacks this machine cannot run.
  if (lack !== undefined) return console.warn(`not tried, ${attack.name}: ${lack}`)
  const toll = await tollOf(attack, tinyOptions())
  expect(wrongsOf(attack, toll)).toEqual([])
})
