/** Every attack and accident, small; `ABUSE=full` runs them as they are meant, on a machine at rest. */
import { expect, it } from 'vitest'
import { attacks } from '../../../support/abuse/catalog.ts'
import { tollOf, waitMsMax, wrongsOf } from '../../../support/abuse/toll.ts'

const size = process.env.ABUSE === 'full' ? 'full' : 'tiny'
const { signal } = new AbortController()

it.each(attacks)('the service stands $name', async (attack) => {
  const lack = attack.lack?.()
  // The suite prints which attacks this machine cannot run.
  if (lack !== undefined) return console.warn(`not tried, ${attack.name}: ${lack}`)
  const toll = await tollOf(attack, { size, signal })
  expect(wrongsOf(attack, toll)).toEqual([])
  if (size === 'tiny') return
  const waitMs = toll.waitsMs[Math.ceil(toll.waitsMs.length * 0.99) - 1]
  expect(waitMs).toBeLessThanOrEqual(waitMsMax)
})
