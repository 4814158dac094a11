/** Checks of identities: each is an SDU and a name, and the table finds each by its SDU. */
import { valueEnd } from '../../memory/json-members.ts'
import { equal } from '../../memory/text-table.ts'
import { beforeSdu, betweenSduAndName, Identities, sduEnd, sduStart } from '../people/identities.ts'
import type { Counts, Sections } from '../sections.ts'
import { type Finding, type Rest, stepLength } from './contradiction.ts'
import { slotProblem } from './slot-problem.ts'

const begins = Buffer.from(beforeSdu)
const goesOn = Buffer.from(betweenSduAndName)

/** The first contradiction of the identities; their ends were checked. */
export function checkIdentities(sections: Sections, counts: Counts, rest: Rest): Finding {
  const [json, ends] = [sections['identity.json'], sections['identity.ends']]
  for (let ordinal = 0, start = 0; ordinal < counts.authorities; ordinal += 1) {
    if (ordinal % stepLength === 0) rest()
    const end = ends[ordinal]!
    if (!isIdentity(json, start, end)) {
      return { section: 'identity.json', problem: `that of ${ordinal} is no SDU and name` }
    }
    start = end
  }
  const section = 'identity.slots'
  const problem = slotProblem(sections[section], counts.authorities, rest)
  if (problem !== undefined) return { section, problem }
  const lost = new Identities({ sections }).firstLost(rest)
  return lost < 0 ? undefined : { section, problem: `text ${lost} is not found by it` }
}

function isIdentity(json: Uint8Array, start: number, end: number): boolean {
  const sduEnds = sduEnd(json, sduStart(start))
  const name = sduEnds + goesOn.length
  return (
    name < end &&
    equal(json, start, begins, 0, begins.length) &&
    equal(json, sduEnds, goesOn, 0, goesOn.length) &&
    valueEnd(json, name - 1) === end
  )
}
