/** How much a snapshot may differ from the one before, and by which name each difference goes. */
import { describe, expect, it } from 'vitest'
import { type Gates, gates } from '../../../src/settings/gates.ts'
import { settings } from '../../../src/settings.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import type { AuthorityRecord, ConnectionRecord, TopicRecord } from '../../../src/source/schema.ts'
import { changeProblems } from '../../../src/sync/changes/changes.ts'
import { pairOf } from '../../../src/sync/changes/pair.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority, connection, social, topic } from '../../support/records.ts'
import { sectionsOf } from '../../support/table-sections.ts'

const count = 60
const limits = settings.gate.defaultValue
const zero = all(0)

function all(share: number): Gates {
  return Object.fromEntries(Object.keys(gates).map((name) => [name, share])) as Gates
}

function person(number: number, fields: Partial<AuthorityRecord> = {}): AuthorityRecord {
  return authority({
    sdu: String(number),
    name: `Given${number} Family${number}`,
    bio: `Wrote book${number}`,
    countryName: number % 2 === 0 ? 'France' : 'Peru',
    topics: [topic(`Topic ${number % 2}`), topic(`Side ${number % 5}`)],
    socials: [social('github', `person${number}`, number)],
    website: `https://person${number}.example`,
    authorityScore: number,
    ...fields,
  })
}

interface Parts {
  readonly numbers?: readonly number[]
  readonly other?: (number: number) => Partial<AuthorityRecord>
  readonly connections?: readonly ConnectionRecord[]
  readonly aliases?: readonly TopicRecord[]
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

const usualConnections = range(1, count).flatMap((number) => [
  connection(String(number), String((number % count) + 1)),
  connection(String(number), `github:friend${number}`),
])
const usualAliases = range(0, 4).map((number) => ({
  topic: `Side ${number}`,
  aliases: [`other${number}`],
}))

function made({ numbers = range(1, count), other = () => ({}), ...parts }: Parts = {}): Snapshot {
  return snapshotOf({
    authorities: numbers.map((number) => person(number, other(number))),
    connections: (parts.connections ?? usualConnections).filter((each) =>
      [each.from, each.to].every((end) => end.includes(':') || numbers.includes(Number(end))),
    ),
    topics: parts.aliases ?? usualAliases,
  })
}

const usual = made()

function problemsBetween(before: Snapshot, next: Snapshot, most: Gates): string[] {
  return changeProblems({ pair: pairOf(before, next), nowMs: 0 }, most)
}

/** What the problems are about, without their figures. */
function problemsOf(parts: Parts, most: Gates = limits, before = usual): string[] {
  return problemsBetween(before, made(parts), most).map((line) => line.replace(/[\d.]+ % /, ''))
}

function said(what: string, how: string, flag: string): string {
  return expect.stringMatching(new RegExp(`^${what}: ${how}, [\\d.]+ % at most \\(${flag}\\)$`))
}

describe('what lets everything through', () => {
  it('is no change at all, even when nothing may change', () => {
    expect(problemsBetween(usual, made(), zero)).toEqual([])
  })

  it('is another order of the same records', () => {
    expect(problemsBetween(usual, made({ numbers: range(1, count).reverse() }), zero)).toEqual([])
  })

  it('is another spelling of a topic', () => {
    const other = (number: number) => ({
      topics: [topic(`TOPIC  ${number % 2}`), topic(`side-${number % 5}`)],
    })
    expect(problemsBetween(usual, made({ other }), zero)).toEqual([])
  })

  it("is a day's work: few went, few came, few have other names, handles and bios", () => {
    const other = (number: number) =>
      number % 20 === 0 ? { name: `Other${number}`, bio: '', socials: [] } : {}
    expect(problemsOf({ numbers: range(4, count + 3), other })).toEqual([])
  })

  it('is a change as large as its limit', () => {
    const most = { ...all(10), authoritiesChangeMax: 0.2 }
    expect(problemsOf({ numbers: range(1, 48) }, most)).toEqual([])
    expect(problemsOf({ numbers: range(1, 72) }, most)).toEqual([])
    expect(problemsOf({ numbers: range(1, 73) }, most)).toEqual([
      'authorities: new, 20.0 % at most (--gate authorities-change-max)',
    ])
  })

  it('is whatever it is where there is no limit', () => {
    expect(problemsOf({ numbers: [1001, 1002] }, all(1_000))).toEqual([])
  })
})

describe('what holds a snapshot back', () => {
  const cases: Readonly<Record<string, Parts>> = {
    'people who are new': { numbers: range(1, 80) },
    'as many people of whom none was there before': { numbers: range(1001, 1000 + count) },
    'topics that were the second': {
      other: (number) => ({ topics: [topic(`Topic ${number % 2}`)] }),
    },
    'followers that are gone': {
      other: (number) => ({ socials: [social('github', `person${number}`)] }),
    },
    'handles of others': {
      other: (number) => ({ socials: [social('github', `person${(number % count) + 1}`, 1)] }),
    },
    'handles that nobody had': {
      other: (number) => ({
        socials: [social('github', `person${number}`, 1), social('twitter', `t${number}`)],
      }),
    },
    'connections that are gone with the handles they led to': {
      connections: usualConnections.filter(({ to }) => !to.includes(':')),
    },
    'topics that are new': { other: (number) => ({ topics: [topic(`Topic ${number % 7}`)] }) },
    'aliases of other topics': {
      aliases: range(0, 4).map((n) => ({ topic: `Side ${n}`, aliases: [`other${4 - n}`] })),
    },
    'scores of others': { other: (number) => ({ authorityScore: count + 1 - number }) },
    'scores that are all the same': { other: () => ({ authorityScore: 30 }) },
  }
  const [{ rows } = { rows: [] }] = sectionsOf(new URL('changes.tsv', import.meta.url))

  it.each(rows)('%s', (name, what, how, flag) => {
    expect(problemsOf(cases[name]!)).toContainEqual(said(what, how, `--gate ${flag}-change-max`))
  })

  it('is told with how much it is', () => {
    expect(problemsBetween(usual, made({ numbers: range(1, 40) }), all(10))).toEqual([])
    const most = { ...all(10), authoritiesChangeMax: 0.2 }
    expect(problemsBetween(usual, made({ numbers: range(1, 40) }), most)).toEqual([
      'authorities: 33.3 % gone, 20.0 % at most (--gate authorities-change-max)',
    ])
  })
})

describe('who went or came with somebody', () => {
  it('counts with that person: handles, peers and places among the first ten', () => {
    const most = { ...zero, authoritiesChangeMax: 1, scoresChangeMax: 1 }
    const inside = usualConnections.filter(({ to }) => !to.includes(':'))
    const before = made({ connections: inside })
    const after = { numbers: range(10, count + 5), connections: inside }
    expect(problemsOf(after, most, before)).toEqual([])
  })
})
