/** People by attributes and by roles: of records and of biographies, and whom such a text does not mean. */
import { describe, expect, it } from 'vitest'
import { searchOver } from '../../searched.ts'

type Person = [name: string, bio: string, attributes?: Record<string, string>, topics?: string[]]

const people: readonly Person[] = [
  ['Ada Wells', 'Senator for West Virginia (Whig).'],
  ['Bo Texas', 'Painter.'],
  ['Cy Moor', 'Senator for Virginia (Whig). Ranking Member of the Senate Committee on Bees.'],
  [
    'Di Park',
    'U.S. Representative for Virginia, district 3 (Tory). Chair of the House Committee on Bees.',
  ],
  ['Ed Lund', 'Painter of Texas.', { party: 'Whig', state: 'Texas' }, ['Bees']],
  ['Fay Orr', 'Vice Chair of the House Committee on Bees. Leads Honey parsers.'],
  ['Gus Ray', 'Leads Honey.', { party: 'Tory' }],
  ['Hal Sims', 'Wrote of honey, of parsers and of those who lead. President of the Wax Guild.'],
]
const index = searchOver(
  people.map(([name, bio, attributes = {}, topics = ['Art']]) => ({
    name,
    bio,
    topics,
    attributes: Object.entries(attributes).map(([key, value]) => ({ key, value })),
  })),
)
const { search, catalog } = index

function found(query: string): string[] {
  return index.found(query).map((name) => name.split(' ')[0]!)
}

describe('attributes', () => {
  it.each<[string, string[]]>([
    ['virginia senators', ['Cy']],
    ['VA senators', ['Cy']],
    ['west virginia whig', ['Ada']],
    ['senator WV', ['Ada']],
    ['who represents Virginia', ['Cy', 'Di']],
    ['virginia delegation', ['Cy', 'Di']],
    ['va congressmen', ['Di']],
    ['tx', ['Ed']],
    ['TX whigs', ['Ed']],
    ['conservatives in virginia', ['Di']],
    ['whig bees', ['Ed', 'Cy']],
    ['house members from virginia', ['Di']],
    ['senate whigs', ['Ada', 'Cy']],
    ["virginia's 3rd district", ['Di']],
    ["virginia's third district", ['Di']],
    ['VA-3', ['Di']],
    ['va-03', ['Di']],
    ['the 3rd district of virginia', ['Di']],
    ['rep for VA-03', ['Di']],
    ['sens from virginia', ['Cy']],
    ['va reps', ['Di']],
    ['senators from virginia and texas', ['Cy']],
    ['whig or tory senators', ['Ada', 'Cy']],
    ['who sits on the bees committee', ['Cy', 'Di', 'Fay']],
  ])('%j', (text, names) => {
    expect(found(text)).toEqual(['words', ...names])
  })

  it('have meanings, and words that only ask are left out', () => {
    const { parts, leftOut } = search.find('who represents Virginia', 10)
    const meant = parts.flatMap(({ attribute }) =>
      attribute < 0 ? [] : catalog.attributeOf(attribute),
    )
    expect(meant).toEqual(['region:Virginia'])
    expect(leftOut).toEqual(['who', 'represents'])
  })

  it('are nobody’s where nobody has all of them', () => {
    expect(found('TX tories')).toEqual(['nobody'])
    expect(found('VA-4')).toEqual(['nobody'])
  })

  it('a number makes a code of a word that says nothing', () => {
    const biography = 'U.S. Representative for Alabama, district 2 (Tory).'
    const { found: find } = searchOver([
      { name: 'Ida Roe', bio: biography, topics: ['Art 2'] },
      { name: 'Una Fay', bio: biography.replace('Alabama', 'Indiana'), topics: ['Art 2'] },
    ])
    for (const text of ['AL 2', 'al-02']) expect(find(text), text).toEqual(['words', 'Ida Roe'])
    for (const text of ['IN-2', 'in-02', 'representatives IN'])
      expect(find(text), text).toEqual(['words', 'Una Fay'])
    expect(find('experts IN art 2')).toEqual(['words', 'Ida Roe', 'Una Fay'])
    expect(find('to 2')).toEqual(['nobody'])
  })

  it.each(['hi', 'in', 'ok', 'or art', 'in 3', 'third'])('are not the codes in %j', (text) => {
    const { parts } = search.find(text, 10)
    expect(parts.some(({ attribute }) => attribute >= 0)).toBe(false)
  })

  it('give way to a name', () => {
    expect(found('bo texas')).toEqual(['name', 'Bo'])
  })

  it('of a key that the record has are not read from the biography', () => {
    const attributes = [{ key: 'party', value: 'Tory' }]
    const { catalog: only } = searchOver([{ bio: 'Senator for Ohio (Whig).', attributes }])
    const held = Array.from(only.attributesOf(0), (attribute) => only.attributeOf(attribute))
    expect(held).toEqual(['party:Tory', 'office:Senator', 'region:Ohio'])
  })
})

describe('a role of a body', () => {
  it.each<[string, string[]]>([
    ['who chairs the bees committee?', ['Di']],
    ['chairwoman of the House Committee on Bees', ['Di']],
    ['vice chair bees', ['Fay']],
    ['bees ranking member', ['Cy']],
    ['who leads the bees committee', ['Di']],
    ['honey lead', ['Gus']],
    ['honey team lead', ['Gus']],
    ['head of honey parsers', ['Fay']],
    ["who's the director of honey", ['Gus']],
    ['head of the wax guild', ['Hal']],
  ])('%j', (text, names) => {
    expect(found(text)).toEqual(['words', ...names])
  })

  it.each(['editor of bees', 'treasurer honey', 'who chairs the sparrow committee'])(
    'that nobody has is not guessed: %j',
    (text) => {
      expect(found(text)).toEqual(['nobody'])
    },
  )

  it('is an attribute that a filter knows, and no phrase', () => {
    const labels = Array.from({ length: catalog.counts.attributes }, (_, each) =>
      catalog.attributeOf(each),
    )
    expect(labels).toContain('chair:House Committee on Bees')
    expect(
      search.find('House Committee on Bees', 10).parts.every(({ attribute }) => attribute < 0),
    ).toBe(true)
  })
})
