/**
 * What people ask, and who is meant: the tables in `asked/`. Records of an index, one a line, come before what is asked
 * of it: a text, the way with what was corrected, the names in their order, of which `…` stands for more, and why.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ladder } from '../../../src/engine/interpret/ways/ladder.ts'
import { abbreviations } from '../../../src/text/related/abbreviations.ts'
import { familyOf } from '../../../src/text/related/word-families.ts'
import { social } from '../../support/records.ts'
import { searchOver } from './searched.ts'

type Index = ReturnType<typeof searchOver>

interface Question {
  readonly text: string
  readonly way: string
  readonly names: string[]
}

interface Group {
  readonly title: string
  readonly index: () => Index
  readonly questions: Question[]
}

const folder = join(import.meta.dirname, 'asked')

function indexOf(records: readonly string[], ways?: readonly string[]): Index {
  const all = records.map((line) => JSON.parse(line))
  const people = all
    .filter(({ name }) => name !== undefined)
    .map(({ socials = [], ...person }) => ({
      ...person,
      socials: socials.map((each: Account) => social(each.platform, each.handle)),
    }))
  return searchOver(
    people,
    all.filter(({ topic }) => topic !== undefined),
    ways,
  )
}

interface Account {
  readonly platform: string
  readonly handle: string
}

/** An index is made when the first of its questions is asked. */
function groupsOf(file: string): Group[] {
  const groups: Group[] = []
  let records: string[] = []
  let index: Group['index'] = () => expect.unreachable()
  for (const line of readFileSync(join(folder, file), 'utf8').trim().split('\n')) {
    if (line.startsWith('{')) {
      records.push(line)
    } else if (line.startsWith('# ')) {
      if (records.length > 0) index = once(records)
      records = []
      groups.push({ title: line.slice(2), index, questions: [] })
    } else {
      const [text = '', way = '', names = ''] = line.replaceAll('\\u00ad', '\u00ad').split('\t')
      groups.at(-1)!.questions.push({ text, way, names: names === '' ? [] : names.split('; ') })
    }
  }
  return groups
}

function once(records: readonly string[]): () => Index {
  let index: Index | undefined
  return () => {
    index ??= indexOf(records)
    return index
  }
}

const tables = Object.fromEntries(readdirSync(folder).map((name) => [name, groupsOf(name)]))
const firstOf = (name: string) => tables[name]![0]!.index()

/** What is found, in as many words as the table has. */
function answerTo({ search, catalog }: Index, { text, way: expected, names }: Question): Question {
  const { way, ordinals, corrected } = search.find(text, 10)
  const shown = Array.from(ordinals, (ordinal) => catalog.nameOf(ordinal))
  if (names.at(-1) === '…') shown.splice(names.length - 1, Number.POSITIVE_INFINITY, '…')
  const told = expected.includes('→') ? corrected.map(({ from, to }) => `${from}→${to}`) : []
  return { text, way: [way, ...told].join(' '), names: shown }
}

describe.each(Object.entries(tables))('%s', (_, groups) => {
  it.each(groups)('$title', ({ index, questions }) => {
    expect(questions.map((each) => answerTo(index(), each))).toEqual(questions)
  })
})

describe('a search', () => {
  it('ranks by the one topic that was understood, and else by the positions', () => {
    const { search } = firstOf('search.tsv')
    const ranks = (query: string) => {
      const { ordinals, ranks: shown } = search.find(query, 10)
      return Array.from(ordinals, (_, index) => shown[index]!)
    }
    const physics = Array.from(search.find('physics', 10).ordinals)
    expect(ranks('germans in physics')).toEqual([physics.indexOf(3) + 1])
    expect(ranks('physics netherlands')).toEqual([physics.indexOf(5) + 1])
    expect(ranks('french')).toEqual([1, 2, 3, 4])
    expect(ranks('physics chemistry')).toEqual([1])
  })

  it('says in words what was understood', () => {
    const { search } = firstOf('search.tsv')
    const understood = (query: string) => search.understood(search.find(query, 10), query)
    expect(understood('the best french chemists')).toEqual({
      way: 'words',
      words: ['french', 'chemists'],
      corrected: [],
      left_out: ['the', 'best'],
      country: 'France',
      topics: ['Chemistry'],
    })
    const corrected = { way: 'corrected', words: ['ted', 'cruz'], left_out: ['who', 'is'] }
    expect(understood('who is ted crus?')).toMatchObject(corrected)
    expect(understood('phsyics')).toMatchObject({ way: 'corrected', topics: ['Physics'] })
    expect(understood('physicists')).toMatchObject({ way: 'topic', topics: ['Physics'] })
    expect(understood('xyzzy')).toMatchObject({ way: 'nobody', words: [], topics: [] })
    expect(firstOf('names.tsv').search.find('Theodore Cruz FRS', 10).leftOut).toEqual(['frs'])
  })

  it('holds fewer than everybody where a text without words stands beside OR', () => {
    const { search, catalog } = firstOf('search.tsv')
    const { words } = search.matched(search.find('!? OR Physics', 1))
    expect(words[0]!.size).toBeLessThan(catalog.counts.authorities)
  })

  it('is not for related topics where `related` is false', () => {
    const { found } = firstOf('related.tsv')
    expect(found('climate change', 10, { related: false })).toEqual(['nobody'])
  })

  it('goes ways of which each has a name of its own, and may be left out', () => {
    const names = ladder.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const some = names.filter((name) => !['named', 'guessed'].includes(name))
    const { found } = indexOf(['{"name":"Peter Hollis","topics":["Gardens"]}'], some)
    expect(found('wer ist peter hollis')).toEqual(['nobody'])
  })

  it('finds no stranger by a slip beside a beginning, where both fit many', () => {
    const people = [{ name: 'Carl Winter' }]
    for (let number = 0; number < 40; number += 1) {
      const others = [`Carol Harper${number}`, `Carl Fisher${number}`, 'Anna Winter']
      people.push(...others.map((name) => ({ name })))
    }
    const many = searchOver(people.map((person) => ({ ...person, authorityScore: undefined })))
    expect(many.found('carol win')).toHaveLength(1)
    expect(many.found('carl win')[1]).toBe('Carl Winter')
  })
})

describe('attributes', () => {
  it('have meanings, and words that only ask are left out', () => {
    const { search, catalog } = firstOf('attributes.tsv')
    const { parts, leftOut } = search.find('who represents Virginia', 10)
    const meant = parts.flatMap(({ attribute }) =>
      attribute < 0 ? [] : catalog.attributeOf(attribute),
    )
    expect(meant).toEqual(['region:Virginia'])
    expect(leftOut).toEqual(['who', 'represents'])
  })

  it.each(['hi', 'in', 'ok', 'or art', 'in 3', 'third', 'House Committee on Bees'])(
    'are not meant by %j',
    (text) => {
      const { parts } = firstOf('attributes.tsv').search.find(text, 10)
      expect(parts.some(({ attribute }) => attribute >= 0)).toBe(false)
    },
  )

  it('of a key that the record has are not read from the biography, and are known to filters', () => {
    const bio = 'Senator for Ohio (Whig). Chair of the House Committee on Bees.'
    const { catalog } = searchOver([{ bio, attributes: [{ key: 'party', value: 'Tory' }] }])
    const held = Array.from(catalog.attributesOf(0), (attribute) => catalog.attributeOf(attribute))
    const ofBody = 'chair:House Committee on Bees'
    expect(held.toSorted()).toEqual([ofBody, 'office:Senator', 'party:Tory', 'region:Ohio'])
  })
})

it('physicians are kept from physics', () => {
  expect(familyOf('physician')).not.toContain('physics')
  expect(familyOf('physics')).not.toContain('physician')
})

it('has several names in each row of abbreviations', () => {
  const rows = abbreviations()
  expect(rows.length).toBeGreaterThan(50)
  expect(rows.filter((names) => names.length < 2 || names.some((name) => !name.trim()))).toEqual([])
})
