/** Every attack and accident, small; `ABUSE=full` runs them as they are meant, on a machine at rest. */
import { expect, it } from 'vitest'
import { accidents } from '../../../support/abuse/attacks/accidents.ts'
import { bodyAttacks } from '../../../support/abuse/attacks/bodies.ts'
import { headAttacks } from '../../../support/abuse/attacks/heads.ts'
import { hostileAttacks } from '../../../support/abuse/attacks/hostile.ts'
import { unreadAttacks } from '../../../support/abuse/attacks/unread.ts'
import { tollOf, wrongsOf } from '../../../support/abuse/toll.ts'

const size = process.env.ABUSE === 'full' ? 'full' : 'tiny'
const attacks = [...unreadAttacks, ...headAttacks, ...bodyAttacks, ...hostileAttacks, ...accidents]

it.each(attacks)('the service stands $name', async (attack) => {
  const lack = attack.lack?.()
  // The suite prints which attacks this machine cannot run.
  if (lack !== undefined) return console.warn(`not tried, ${attack.name}: ${lack}`)
  expect(wrongsOf(attack, await tollOf(attack, size), size)).toEqual([])
})
