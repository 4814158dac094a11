/**
 * The records that are asked about: the default data, a table of well-known people and generated populations. Of those
 * that texts are drawn from, some people, other names and aliases are taken out before anything is indexed, to be
 * asked for.
 */
import { Random } from '../../test/support/random.ts'
import { readRecords, type SourceRecords } from '../shared/data/records.ts'
import { knownPeople, rowsOf } from './judged/questions.ts'
import { Names } from './names.ts'
import { population } from './population.ts'
import type { Drawn } from './question.ts'

/** How large generated populations are. */
interface Generated {
  readonly people: number
  readonly topics: readonly number[]
  readonly seed: number
}

/** One of so many people is taken out. */
const absentOf = 10

/** Records that are indexed as they are. */
export function wholeRecords(): ReadonlyMap<string, SourceRecords> {
  return new Map([
    ['default', readRecords('snapshots/source')],
    ['known', knownPeople()],
    ['trades', peopleOfTrades()],
  ])
}

/** How many people each trade has, and how many trades each person. */
const tradeSize = 12
const tradesOfOne = 2

/** People with names of one language and topics of a table, of whom nothing else is known. */
function peopleOfTrades(): SourceRecords {
  const names = new Names(new Random(9, 30))
  const topics = rowsOf('related/topics.tsv').map(([topic]) => topic!)
  const count = (topics.length * tradeSize) / tradesOfOne
  const authorities = Array.from({ length: count }, (_, at) => ({
    sdu: `${8_000_000_000_000_000n + BigInt(at) * 7_919n}`,
    name: names.draw('fi'),
    topics: [topics[at % topics.length]!, topics[(at * 7 + 3) % topics.length]!].filter(
      (topic, place, all) => all.indexOf(topic) === place,
    ),
  }))
  return { authorities, topics: [] }
}

/** Records that texts are drawn from, by their names. */
export function drawnRecords({ people, topics, seed }: Generated): ReadonlyMap<string, Drawn> {
  const written = (['default', 'known'] as const).map((name) => {
    const records = wholeRecords().get(name)!
    const { present, absent } = part(records, new Random(seed, 20))
    return [name, { ...hide(present), absent, ofOccupations: false }] as const
  })
  const generated = topics.map((count) => {
    const records = withMiddleNames(population({ people, topics: count, seed }))
    const { present, absent } = part(records, new Random(seed, 20))
    const name = `generated, ${count.toLocaleString('en')} topics`
    // Other names in a generated population are made up, and so are aliases: nothing leads to them.
    const nothing = { hiddenNames: [], hiddenAliases: [] }
    return [name, { present, indexed: present, absent, ofOccupations: true, ...nothing }] as const
  })
  return new Map<string, Drawn>([...written, ...generated])
}

function part({ authorities, topics }: SourceRecords, random: Random) {
  const order = random.permutation(authorities.length)
  const taken = new Set(order.subarray(0, Math.floor(authorities.length / absentOf)))
  return {
    present: { authorities: authorities.filter((_, at) => !taken.has(at)), topics },
    absent: authorities.filter((_, at) => taken.has(at)),
  }
}

/** What is indexed: without the other names of every second person and the aliases of every second topic. */
function hide(present: SourceRecords): Omit<Drawn, 'absent' | 'ofOccupations'> {
  const hiddenNames: { person: number; name: string }[] = []
  const hiddenAliases: { topic: string; alias: string }[] = []
  const authorities = present.authorities.map((record, person) => {
    const { also_known_as: others = [] } = record
    if (person % 2 === 0 || others.length === 0) return record
    for (const name of others) hiddenNames.push({ person, name })
    return { ...record, also_known_as: [] }
  })
  const topics = present.topics.filter(({ topic, aliases }, at) => {
    if (at % 2 === 0) return true
    for (const alias of aliases) hiddenAliases.push({ topic, alias })
    return false
  })
  return { present, indexed: { authorities, topics }, hiddenNames, hiddenAliases }
}

/** Every third name of two words in plain letters has the first word of the next one between them. */
function withMiddleNames({ authorities, topics }: SourceRecords): SourceRecords {
  const plain = /^[A-Za-z]+ [A-Za-z]+$/
  return {
    topics,
    authorities: authorities.map((person, at) => {
      const next = authorities[at + 1]?.name ?? ''
      if (at % 3 !== 0 || !plain.test(person.name) || !plain.test(next)) return person
      const [first, last] = person.name.split(' ')
      return { ...person, name: `${first} ${next.split(' ')[0]} ${last}` }
    }),
  }
}
