/** What made-up records get by topics, and by names, that mean something else already. */
import { describe, expect, it } from 'vitest'
import { openEngine } from '../../../src/engine/open.ts'
import { loadSnapshot } from '../../../src/snapshot/store/directory.ts'
import { SyncedInProcess } from '../../support/synced-in-process.ts'
import { sectionsOf } from '../../support/table-sections.ts'

interface Made {
  readonly name: string
  readonly topics: readonly string[]
  readonly [field: string]: unknown
}

function members(topic: string, count: number, more: object = {}): Made[] {
  return Array.from({ length: count }, (_, index) => {
    return { name: `Member${index} Of${topic.replaceAll(' ', '')}`, topics: [topic], ...more }
  })
}

const honest: readonly Made[] = [
  { name: 'Ted Cruz', also_known_as: ['Rafael Cruz'], topics: ['Judiciary'], bio: 'Of Texas.' },
  { name: 'Ted Lieu', topics: ['Judiciary'] },
  { name: 'Cher', topics: ['Singing'] },
  ...members('Xamarin', 3, { country_name: 'Germany', authority_score: 100 }),
  ...members('Machine learning', 12, { bio: 'Works on any machine, and on learning.' }),
  ...members('Taxation', 9),
  ...members('Beekeeping', 1),
  ...['Ann', 'Bob', 'Cy', 'Di', 'Ed', 'Flo', 'Gus'].map((given) => {
    return { name: `${given} Okafor`, topics: ['Judiciary'] }
  }),
]
const topics = [
  { topic: 'Machine learning', aliases: ['deep nets'] },
  { topic: 'Artificial intelligence', aliases: ['AI'], broader: ['Machine learning'] },
  { topic: 'Levies', aliases: ['taxes'], broader: ['Taxation'] },
]

/** What a search of the honest people with so many more answers: way, first person, topics understood. */
async function answersOf(
  made: readonly Made[],
  texts: readonly string[],
  more: Parameters<SyncedInProcess['sync']>[1] & { readonly declared?: readonly object[] } = {},
) {
  const { declared = [], ...options } = more
  const authorities = [...honest, ...made].map((each, index) => ({
    sdu: String(index + 1),
    ...each,
  }))
  const lines = { authorities, topics: [...topics, ...declared] }
  const outcome = await new SyncedInProcess().taken(lines, options)
  const { catalog, search } = openEngine(loadSnapshot(outcome.path))
  const answers = texts.map((text) => {
    const found = search.find(text, 50)
    const names = Array.from(found.ordinals, (each) => {
      return JSON.parse(catalog.profiles.textAt(each)).name as string
    })
    return { way: found.way, names, topics: search.understood(found, text).topics }
  })
  return { answers, notes: outcome.notes }
}

/** People made up for a topic; they would be first by followers wherever they count. */
function fakes(count: number, taken: readonly string[], sources = 2): Made[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `Fake${index} Person${index}`,
    topics: taken,
    source: `https://example.com/${index % sources}`,
    socials: { twitter: { handle: `fake${index}`, followers: 1_000_000 } },
  }))
}

const [always = [], untilSources = [], untilMany = []] = sectionsOf(
  new URL('taken-names.tsv', import.meta.url),
).map(({ rows }) => rows)

describe.each([
  ['one made-up record', 1, 2, [...always, ...untilSources, ...untilMany]],
  ['four made-up records', 4, 2, [...always, ...untilSources, ...untilMany]],
  ['six made-up records of one source', 6, 1, [...always, ...untilSources]],
  ['six made-up records of two sources', 6, 2, always],
] as const)('%s with a topic that means something else', (_, count, sources, rows) => {
  it('do not come first, and are reported', async () => {
    const claimed = [...new Set(rows.map(([topic = '']) => topic))]
    const texts = rows.map(([, text = '']) => text)
    const { answers, notes } = await answersOf(fakes(count, claimed, sources), texts)
    expect(
      answers.map(({ names, ...answer }, index) => ({
        ...answer,
        text: texts[index],
        isFirst: new RegExp(rows[index]![3]!).test(names[0]!),
      })),
    ).toEqual(rows.map(([, text, way, , ...topics]) => ({ text, way, topics, isFirst: true })))
    const line = notes.find((note) => note.includes('mean something else in a search'))
    expect(line).toContain(`"ted cruz" (members: ${count}) is a name`)
    expect(line).toContain(`"germany" (members: ${count}) is a country`)
  })
})

describe('a topic that is called like something else', () => {
  const claimed = ['Ted Cruz', 'Germany', 'Who']
  const texts = ['ted cruz', 'germany', 'who', 'wer ist ted cruz?']
  const declared = claimed.map((topic) => ({ topic }))
  const waysOf = async (made: readonly Made[], more: Parameters<typeof answersOf>[2]) =>
    (await answersOf(made, texts, more)).answers.map(({ way, topics: all }) => [way, ...all])

  it('means its members where the source is trusted for topics and has it from two sources', async () => {
    const trusted = { declared, trust: ['topics'] } as const
    const { answers } = await answersOf(fakes(6, claimed), texts, trusted)
    expect(answers.map(({ way, topics: all }) => [way, ...all])).toEqual([
      ['name', 'Ted Cruz'],
      ['topic', 'Germany'],
      ['topic', 'Who'],
      ['name'],
    ])
    expect(answers[0]!.names).toHaveLength(7)
  })

  it.each([
    ['is too small', fakes(4, claimed), { declared, trust: ['topics'] }],
    ['is not declared', fakes(6, claimed), { trust: ['topics'] }],
    ['is of a source that is not trusted', fakes(6, claimed), { declared }],
    [
      'has the members of one source only',
      fakes(6, claimed).map((each) => ({ ...each, source: 'https://example.com/0' })),
      { declared, trust: ['topics'] },
    ],
  ] as const)('does not mean them where it %s', async (_, made, more) => {
    expect(await waysOf(made, more)).toEqual([['name', 'Ted Cruz'], ['words'], ['words'], ['name']])
  })
})

describe('a topic of one source that means something else', () => {
  const claimed = ['AI', 'Taxes', 'Deep nets', 'Okafor']
  const texts = ['ai', 'taxes', 'deep nets', 'okafor']
  /** The alias of the declared topic is rejected. */
  const lenient = { rejectShareMax: 1, fileRejectShareMax: 1 }
  const own = texts.map((_, index) => ['topic', claimed[index]])
  const readingsOf = async (made: readonly Made[], more?: Parameters<typeof answersOf>[2]) =>
    (await answersOf(made, texts, more)).answers.map(({ way, topics: all }) => [way, ...all])

  it.each([
    ['is declared', fakes(6, claimed, 1), { declared: claimed.map((topic) => ({ topic })) }],
    ['has members of two sources', fakes(6, claimed), lenient],
    ['has more members than the other meaning', fakes(13, claimed, 1), lenient],
  ] as const)('means its members where it %s', async (_, made, more) => {
    expect(await readingsOf(made, more)).toEqual(own)
  })
})

describe('a made-up person', () => {
  it.each([
    ['called like a subject', { name: 'Machine Learning' }],
    ['also called like a subject', { name: 'Fake Person', also_known_as: ['Machine Learning'] }],
    ['of a country that is called like a subject', { name: 'Fake', country_name: 'Taxation' }],
    ['called by one word like a subject', { name: 'Taxation' }],
  ])('%s does not come before its members', async (_, fake) => {
    const made = [{ ...fakes(1, ['Other'])[0]!, ...fake }]
    const { answers } = await answersOf(made, ['machine learning', 'taxation'])
    expect(answers.map(({ way }) => way)).toEqual(['topic', 'topic'])
    for (const { names } of answers) expect(names).not.toContain(fake.name)
  })
})

it('A small topic that means nothing else answers with its members and is not reported', async () => {
  const { answers, notes } = await answersOf([], ['beekeeping', 'xamarin'])
  expect(answers.map(({ way }) => way)).toEqual(['topic', 'topic'])
  expect(notes.join()).not.toContain('something else')
})
