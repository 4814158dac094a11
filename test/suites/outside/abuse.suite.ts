/**
 * Every attack of `test/support/abuse` through an Ethernet, small, with the bounds that it has on loopback: memory,
 * what a client with manners is answered, and the books.
 */
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { attacks } from '../../support/abuse/catalog.ts'
import type { Attacked } from './support/attack-program.ts'
import { isFull } from './support/counts.ts'
import { LineProgram } from './support/lines.ts'
import { type Ethernet, openEthernet } from './support/network.ts'

/** What the others do, no network has a part in: `npm run suite -- long` does them; here only the full suite. */
const ofNetwork = /connection|request|reader|writer|client|head|chunk|batch|key|MCP/i
const chosen = attacks.filter(({ name }) => isFull || ofNetwork.test(name))

const scene: { ethernet?: Ethernet; program?: LineProgram } = {}

beforeAll(() => {
  const ethernet = openEthernet()
  console.log(ethernet.notes.join('; '))
  const left = attacks.length - chosen.length
  if (left > 0) console.log(`left to OUTSIDE=full: ${left} attacks that no network has a part in`)
  const site = JSON.stringify({ host: ethernet.serviceHost, before: ethernet.besideService })
  const file = join(import.meta.dirname, 'support', 'attack-program.ts')
  const node = [process.execPath, '--import', 'tsx', file, site]
  scene.ethernet = ethernet
  scene.program = new LineProgram([...ethernet.besideClients, ...node])
})

afterAll(async () => {
  await scene.program?.close()
  scene.ethernet?.close()
})

it.each(chosen)('the service stands $name', async ({ name }) => {
  const attacked = scene.program!.next<Attacked>()
  scene.program!.tell({ name })
  const { wrongs, lack } = await attacked
  if (lack !== undefined) return console.warn(`not tried, ${name}: ${lack}`)
  expect(wrongs).toEqual([])
})
