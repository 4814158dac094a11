/**
 * Attacks a service as `test/support/abuse` does, small, from wherever this program runs: a line of JSON with the
 * name of an attack gives one with what is wrong. Its argument says where the service is to run.
 *
 *     node --import tsx attack-program.ts '{"host":"127.0.0.1","before":[]}'
 */
import { createInterface } from 'node:readline'
import { attacks } from '../../../support/abuse/catalog.ts'
import { tollOf, wrongsOf } from '../../../support/abuse/toll.ts'
import type { Site } from '../../../support/abuse/victim.ts'

/** What became of an attack. */
export interface Attacked {
  readonly wrongs: readonly string[]
  /** What the attack has seen, or why it cannot be done here. */
  readonly seen?: string
  readonly lack?: string
}

const site: Site = JSON.parse(process.argv[2]!)
const { signal } = new AbortController()

async function attacked(name: string): Promise<Attacked> {
  const attack = attacks.find((each) => each.name === name)
  if (attack === undefined) return { wrongs: [`no attack is named ${name}`] }
  const lack = attack.lack?.()
  if (lack !== undefined) return { wrongs: [], lack }
  try {
    const toll = await tollOf(attack, { size: 'tiny', signal, site })
    return { wrongs: wrongsOf(attack, toll), seen: toll.seen.seen }
  } catch (error) {
    return { wrongs: [error instanceof Error ? error.message : String(error)] }
  }
}

for await (const line of createInterface(process.stdin)) {
  const { name } = JSON.parse(line)
  console.log(JSON.stringify(await attacked(name)))
}
