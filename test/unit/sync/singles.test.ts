/** What one record, topic or kind of connection can do that no share of all shows. */
import { describe, expect, it } from 'vitest'
import { settings } from '../../../src/settings.ts'
import { changeProblems } from '../../../src/sync/changes/changes.ts'
import { pairOf } from '../../../src/sync/changes/pair.ts'
import { isPlaceholder, isSpoiled } from '../../../src/sync/changes/profile-changes.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority, connection, type Records, social, topic } from '../../support/records.ts'

const limits = settings.gate.defaultValue
const now = Date.UTC(2026, 10, 23)
const numbers = Array.from({ length: 200 }, (_, index) => index + 1)

/** Two hundred people of two topics, tied in a ring by two kinds of connections. */
function records(): {
  authorities: ReturnType<typeof authority>[]
  connections: ReturnType<typeof connection>[]
} {
  return {
    authorities: numbers.map((number) =>
      authority({
        sdu: String(number),
        name: `Person Number${number}`,
        bio: `Likes ${number % 2 === 0 ? 'lighthouses' : 'ferries'}.`,
        topics: [topic(number <= 150 ? 'Rust' : 'Go'), topic('All')],
        socials: [social('github', `person${number}`, number * 100)],
      }),
    ),
    connections: numbers.flatMap((number) => [
      connection(String(number), String((number % 200) + 1)),
      connection(String(number), String(((number * 7) % 200) + 1), { kind: 'coauthor' }),
    ]),
  }
}

function problemsOf(
  change: (next: ReturnType<typeof records>) => Partial<Records>,
  before = records(),
): string {
  const pair = pairOf(snapshotOf(before), snapshotOf(change(before)))
  return changeProblems({ pair, nowMs: now }, limits).join('\n')
}

/** The same where people have other fields. */
function problemsWith(
  fields: (index: number, person: ReturnType<typeof authority>) => object,
  before = records(),
): string {
  const changed = (person: ReturnType<typeof authority>, index: number) => ({
    ...person,
    ...fields(index, person),
  })
  return problemsOf((next) => ({ ...next, authorities: next.authorities.map(changed) }), before)
}

describe('the gates', () => {
  it('have nothing against the same records', () => {
    expect(problemsOf((next) => next)).toBe('')
  })

  it('see half of the followers in thousands', () => {
    const fewer = (one: { readonly followers: number }) => ({
      ...one,
      followers: Math.round(one.followers / 1_000),
    })
    const problems = problemsWith((index, { socials }) =>
      index % 2 === 0 ? {} : { socials: socials.map(fewer) },
    )
    expect(problems).toMatch(/followers: 50\.0 % ten times as many or a tenth/)
  })

  it('see weights of one kind times 1,000', () => {
    const heavy = problemsOf(({ authorities, connections }) => ({
      authorities,
      connections: connections.map((each) =>
        each.kind === 'coauthor' ? { ...each, weight: each.weight * 1_000 } : each,
      ),
    }))
    expect(heavy).toMatch(/endorsements of one kind: \d+\.\d % more of all/)
  })

  it('see one value fill a field, though fewer than half have another now', () => {
    const various = records()
    various.authorities = various.authorities.map((each, index) => ({
      ...each,
      ...{ bio: `Writes novel${index}.`, countryName: ['Norway', 'Chile', 'Peru'][index % 3]! },
    }))
    const with40 = (fields: (number: number) => object) =>
      problemsWith((index) => (index % 10 < 4 ? fields(index) : {}), various)
    expect(with40(() => ({ bio: 'To be written.' }))).toMatch(/one bio: 38\.5 % more have it/)
    expect(with40(() => ({ countryName: 'Norway' }))).toMatch(/one country: 2\d\.\d % more have it/)
    expect(with40(() => ({ website: 'https://a.example' }))).toMatch(/one website: 38\.5 % more/)
    expect(with40((number) => ({ bio: `Writes plays${number}.` }))).not.toContain('one ')
  })

  it('see dates in the future, and none in dates of this day', () => {
    const dated = (updatedAt: string, at: string | null) =>
      problemsWith((index) => (index % 20 === 0 ? { updatedAt, proof: { by: 'dns', at } } : {}))
    expect(dated('2999-01-01', null)).toMatch(/records: 5\.0 % of a date in the future/)
    expect(dated('2026-11-22', '2999-01-01')).toMatch(/records: 5\.0 % of a date in the future/)
    expect(dated('2026-11-23', '2026-11-23T23:59:59Z')).toBe('')
  })

  it('see a name of somebody become an alias of a topic', () => {
    const topics = [{ topic: 'Rust', aliases: ['person number7'] }]
    expect(problemsOf((next) => ({ ...next, topics }))).toContain(
      'called like some of the 1000 best now: Person Number7',
    )
  })

  it('let new people pass who are tied to others, or to nobody', () => {
    const added = (ties: (sdu: string) => ReturnType<typeof connection>[]) =>
      problemsOf(({ authorities, connections }) => {
        const fresh = numbers.slice(0, 30).map((number) => `77${number}`)
        const people = fresh.map((sdu) =>
          authority({ sdu, name: `New ${sdu}`, topics: [topic('All')] }),
        )
        return {
          authorities: [...authorities, ...people],
          connections: [...connections, ...fresh.flatMap(ties)],
        }
      })
    expect(added((sdu) => [connection(sdu, '3')])).not.toContain('new people')
    expect(added(() => [])).not.toContain('new people')
  })
})

describe('a text', () => {
  it.each(['JosÃ©', 'itâ€™s', 'Tom &amp; Ann', '&#39;', '&#x27;', '<b>Ann</b>', 'An\ufffdn'])(
    'is spoiled: %j',
    (text) => expect(isSpoiled(text)).toBe(true),
  )

  it.each(['José Â.', 'Ângela', 'AT&T; R&D', 'a < b > c', 'x <- y', 'São Paulo', 'Ãtna'])(
    'is not spoiled: %j',
    (text) => expect(isSpoiled(text)).toBe(false),
  )

  it('stands for none only where it is nothing else', () => {
    expect(['null', 'N/A', 'undefined', '-', '[object Object]'].every(isPlaceholder)).toBe(true)
    expect(['Null Island', 'Nan Goldin', '', 'None of the above'].some(isPlaceholder)).toBe(false)
  })
})
