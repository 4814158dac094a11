/** The ways of search, each with what it is for, and with whom it must not answer. */
import { describe, expect, it } from 'vitest'
import { social } from '../../../support/records.ts'
import { searchOver } from '../searched.ts'

const people: [name: string, country: string, topics: string[], bio?: string, others?: string[]][] =
  [
    ['Ted Cruz', 'United States', ['Commerce', 'Tax policy'], 'Senator for Texas.'],
    ['Marie Curie', 'France', ['Physics', 'Chemistry'], 'Born in Warsaw.', ['Maria Skłodowska']],
    ['Louis Pasteur', 'France', ['Chemistry'], 'Best known for a vaccine.'],
    ['Max Planck', 'Germany', ['Physics'], 'Writes in German.'],
    ['Ángela Ruiz de Robles', 'Spain', ['Inventor'], 'A French writer said so.'],
    ['Rosa Fransen', 'Netherlands', ['Writer', 'Physics'], 'Data and people operations.'],
    ['Ada Lovelace', 'UK', ['Analytical engines', 'Internet of things'], 'In love with numbers.'],
    ['Иван Петров', 'Bulgaria', ['Mobile development', 'Xamarin Forms'], ''],
    ['李小明', 'China', ['Foreign policy'], '', ['김민수']],
    ['สมชัย ใจดี', 'Thailand', ['Chemistry'], ''],
    ['Jean Baker', 'Canada', ['Vaccines'], 'French speaking.'],
    ['John Baker', '', ['Vaccines'], ''],
    ['Bo Li', '', ['Vaccines'], ''],
    ['An Li', '', ['Vaccines'], ''],
    ['王明', 'China', ['Vaccines'], ''],
    ['明王', 'China', ['Vaccines'], ''],
    ['김민준', 'South Korea', ['Vaccines'], ''],
    ['김민서', 'South Korea', ['Vaccines'], ''],
    ['박은정', 'South Korea', ['Vaccines'], ''],
    ['ジョン・スミス', 'Japan', ['Vaccines'], ''],
    ['მარიამ ბერიძე', 'Georgia', ['Vaccines'], ''],
    ['Արամ Խաչատրյան', 'Armenia', ['Vaccines'], ''],
  ]

const handles: Readonly<Record<string, ReturnType<typeof social>[]>> = {
  'Ted Cruz': [social('twitter', 'SenTedCruz')],
  'Max Planck': [social('orcid', '0000-0002-1825-0097')],
}

const { search, catalog, found } = searchOver(
  people.map(([name, countryName, topics, bio = '', alsoKnownAs = []]) => ({
    name,
    countryName,
    topics,
    bio,
    alsoKnownAs,
    socials: handles[name] ?? [],
  })),
  [
    { topic: 'Physics', aliases: ['physicist'] },
    { topic: 'Chemistry', aliases: ['chemist'] },
  ],
)

function ranks(query: string): number[] {
  const { ordinals, ranks: shown } = search.find(query, 10)
  return Array.from(ordinals, (_, index) => shown[index]!)
}

describe('an identity', () => {
  it.each(['@SenTedCruz', 'twitter:sentedcruz', 'https://x.com/SenTedCruz', 'x.com/sentedcruz'])(
    'in %j is its owner',
    (text) => {
      expect(found(text)).toEqual(['identity', 'Ted Cruz'])
    },
  )

  it('may be an SDU, and may be asked for', () => {
    expect(found('103')).toEqual(['identity', 'Max Planck'])
    expect(found('who is @sentedcruz?')).toEqual(['identity', 'Ted Cruz'])
  })

  it.each(['@physics', 'https://example.com/physics', 'github.com/physics', 'twitter:physics'])(
    'that nobody has is nobody’s, whatever it is made of: %j',
    (text) => {
      expect(found(text)).toEqual(['nobody'])
    },
  )

  it('may be an identifier as it is printed', () => {
    expect(found('0000-0002-1825-0097')).toEqual(['identity', 'Max Planck'])
    expect(found('https://orcid.org/0000-0002-1825-0097')).toEqual(['identity', 'Max Planck'])
    expect(found('0000-0001-5109-3700')).toEqual(['nobody'])
  })

  it('may be a handle without a sign, but not words around one', () => {
    expect(found('numbers.love/in')).toEqual(['words', 'Ada Lovelace'])
    expect(found('sentedcruz')).toEqual(['identity', 'Ted Cruz'])
    expect(found('physics/chemistry')).toEqual(['words', 'Marie Curie'])
  })
})

describe('a topic', () => {
  it.each(['Physics', 'physicist', 'physicists', 'PHYSICS!'])('is found by %j', (text) => {
    expect(found(text)[0]).toBe('topic')
    expect(found(text).slice(1).sort()).toEqual(['Marie Curie', 'Max Planck', 'Rosa Fransen'])
  })

  it.each(['xamarin forms', 'xamarinforms', 'xamarin form', 'XamarinForm'])(
    'is found without spaces and in either number: %j',
    (text) => {
      expect(found(text)).toEqual(['topic', 'Иван Петров'])
    },
  )
})

describe('a name', () => {
  it.each([
    ['ted cruz', 'Ted Cruz'],
    ['Cruz, Ted', 'Ted Cruz'],
    ['angela ruiz', 'Ángela Ruiz de Robles'],
    ['maria sklodowska', 'Marie Curie'],
    ['who is Ted Cruz?', 'Ted Cruz'],
    ['ted cru', 'Ted Cruz'],
    ['show me ted cru please', 'Ted Cruz'],
    ['who is an li?', 'An Li'],
    ['петров', 'Иван Петров'],
    ['李小明', '李小明'],
    ['小明', '李小明'],
    ['김민수', '李小明'],
  ])('is found as it is typed: %s', (text, name) => {
    expect(found(text)).toEqual(['name', name])
  })

  it('is not made of the characters of several names of one person', () => {
    expect(found('李민')).toEqual(['nobody'])
  })

  it('comes before whoever only holds the word', () => {
    expect(found('curie')).toEqual(['name', 'Marie Curie'])
    expect(found('baker')).toEqual(['name', 'Jean Baker', 'John Baker'])
  })
})

describe('a name in a script without spaces', () => {
  it('comes first as it is written, then those with its characters anywhere', () => {
    expect(found('明王')).toEqual(['name', '明王', '王明'])
    expect(found('who is 王明?')).toEqual(['name', '王明', '明王'])
  })

  it.each([
    ['김 민준', '김민준'],
    ['민준 김', '김민준'],
    ['ジョンスミス', 'ジョン・スミス'],
    ['スミス ジョン', 'ジョン・スミス'],
    ['ใจดี สมชัย', 'สมชัย ใจดี'],
    ['สมชัยใจดี', 'สมชัย ใจดี'],
    ['김준', '김민준'],
    ['김준민', '김민준'],
    ['李明小', '李小明'],
    ['მარიამ ბერიძე', 'მარიამ ბერიძე'],
    ['խաչատրյան', 'Արամ Խաչատրյան'],
  ])('is found with other spaces, in another order, with characters missing: %s', (text, name) => {
    expect(found(text)).toEqual(['name', name])
  })

  it.each([
    ['李小朋', '李小明'],
    ['李大小明', '李小明'],
    ['김민쥰', '김민준'],
    ['김민즌', '김민준'],
    ['김미서', '김민서'],
    ['김 민쥰', '김민준'],
    ['민쥰 김', '김민준'],
    ['바근정', '박은정'],
    ['김민ㅈㅜㄴ', '김민준'],
    ['ジヨンスミス', 'ジョン・スミス'],
    ['სმარიამ ბერიძე', 'მარიამ ბერიძე'],
    ['Խաչատրյն', 'Արամ Խաչատրյան'],
  ])('is found with a wrong, missing or added character or letter: %s', (text, name) => {
    expect(found(text).slice(0, 2)).toEqual(['corrected', name])
  })

  it('is nobody’s where too little of it is left', () => {
    for (const text of ['李朋', '김희선', '李大明明小朋', 'ジヨ']) {
      expect(found(text), text).toEqual(['nobody'])
    }
  })
})

describe('words', () => {
  it.each([
    ['physicist France', ['Marie Curie']],
    ['french chemists', ['Louis Pasteur', 'Marie Curie']],
    ['chemists from France', ['Louis Pasteur', 'Marie Curie']],
    ['the best chemists in france', ['Louis Pasteur', 'Marie Curie']],
    ['who are the top german physicists', ['Max Planck']],
    ['American senators', ['Ted Cruz']],
    ['USA senator', ['Ted Cruz']],
    ['british numbers', ['Ada Lovelace']],
    ['physics chemistry', ['Marie Curie']],
    ['people operations', ['Rosa Fransen']],
    ['internet of things UK', ['Ada Lovelace']],
    ['chemistry th', ['สมชัย ใจดี']],
    ['warsaw', ['Marie Curie']],
    ['bulgarian', ['Иван Петров']],
  ])('of %j mean those who hold them all, by word or by meaning', (text, names) => {
    expect(found(text)).toEqual(['words', ...names])
  })

  it('that are found literally are found beside those who are meant', () => {
    expect(found('french writer')).toEqual(['words', 'Ángela Ruiz de Robles'])
    expect(found('french').slice(1)).toEqual([
      'Marie Curie',
      'Louis Pasteur',
      'Ángela Ruiz de Robles',
      'Jean Baker',
    ])
  })

  it('that hold a sentence together decide nothing: a bio with “best … in” hides nobody', () => {
    expect(found('best chemists in France').slice(1)).toEqual(found('chemists France').slice(1))
  })

  it('are not countries as codes of two letters, unless nobody is found otherwise', () => {
    expect(found('in de')).toEqual(['name', 'Ángela Ruiz de Robles'])
    expect(found('physics de')).toEqual(['words', 'Max Planck'])
    expect(found('fr')).toEqual(['words', 'Marie Curie', 'Louis Pasteur'])
    expect(found('ted fr')).toEqual(['nobody'])
  })

  it('of one and two letters are nobody’s beginning', () => {
    expect(found('te')).toEqual(['nobody'])
    expect(found('vacc', 3)).toEqual(['words', 'Louis Pasteur', 'Jean Baker', 'John Baker'])
  })

  it('are ranked by the one topic that was understood, and else by their positions', () => {
    const physics = Array.from(search.find('physics', 10).ordinals)
    expect(ranks('germans in physics')).toEqual([physics.indexOf(3) + 1])
    expect(ranks('physics netherlands')).toEqual([physics.indexOf(5) + 1])
    expect(ranks('french')).toEqual([1, 2, 3, 4])
    expect(ranks('physics chemistry')).toEqual([1])
  })

  it('in quotation marks are literal, whole and not corrected', () => {
    expect(found('"french"')).toEqual(['words', 'Ángela Ruiz de Robles', 'Jean Baker'])
    expect(found('“french” chemistry')).toEqual(['nobody'])
    expect(found('"senators"')).toEqual(['nobody'])
    expect(found('"ted" cruz')).toEqual(['name', 'Ted Cruz'])
    expect(found('"tedd" cruz')).toEqual(['nobody'])
    expect(found('"physics"')[0]).toBe('words')
  })
})

describe('a slip', () => {
  it.each([
    ['ted crus', 'Ted Cruz', ['crus', 'cruz']],
    ['tde cruz', 'Ted Cruz', ['tde', 'ted']],
    ['lovelcae', 'Ada Lovelace', ['lovelcae', 'lovelace']],
    ['Иван Пертов', 'Иван Петров', ['пертов', 'петров']],
    ['สมชยั ใจดี', 'สมชัย ใจดี', ['สมชยั', 'สมชัย']],
    ['who is marie cure', 'Marie Curie', ['cure', 'curie']],
    ['german phsyicist', 'Max Planck', ['phsyicist', 'physicist']],
    ['frnch chemist', 'Louis Pasteur', ['frnch', 'french']],
  ])('in %j is corrected', (text, name, [from, to]) => {
    expect(found(text).slice(0, 2)).toEqual(['corrected', name])
    expect(search.find(text, 1).corrected).toEqual([{ from, to }])
  })

  it('in a topic gives its ranking', () => {
    const { way, topic: number } = search.find('phsyics', 10)
    expect([way, catalog.labelOf(number)]).toEqual(['corrected', 'Physics'])
  })

  it('of two letters is corrected from eight letters', () => {
    expect(found('lovelcea').slice(0, 2)).toEqual(['corrected', 'Ada Lovelace'])
    expect(found('planzx')).toEqual(['nobody'])
  })

  it('in a lone word of four letters is no name’s', () => {
    expect(found('cruc')).toEqual(['nobody'])
    expect(found('ted cruc').slice(0, 2)).toEqual(['corrected', 'Ted Cruz'])
  })

  it('is not seen in words that are known', () => {
    expect(found('max baker')).toEqual(['nobody'])
    expect(found('jean cruz')).toEqual(['nobody'])
  })
})

describe('a likely topic', () => {
  it('is one that the text says half', () => {
    expect(found('mobi devel')).toEqual(['likely-topic', 'Иван Петров'])
  })

  it.each([
    'border policy',
    'oil and gas',
    'ted planck physics',
    'physics xyzzy',
    'foreign',
    'chemistry spain',
    'xyzzy',
    '?!',
  ])('is not made of a text about something else: %j', (text) => {
    const [way, ...names] = found(text)
    if (text === 'foreign') expect([way, ...names]).toEqual(['words', '李小明'])
    else expect([way, ...names]).toEqual(['nobody'])
  })
})

describe('what was understood', () => {
  function understood(query: string) {
    return search.understood(search.find(query, 10), query)
  }

  it('is told in words', () => {
    expect(understood('the best french chemists')).toEqual({
      way: 'words',
      words: ['french', 'chemists'],
      corrected: [],
      leftOut: ['the', 'best'],
      countries: ['France'],
      topics: ['Chemistry'],
    })
    expect(understood('who is ted cruz?')).toEqual({
      way: 'name',
      words: ['ted', 'cruz'],
      corrected: [],
      leftOut: ['who', 'is'],
      countries: [],
      topics: [],
    })
    expect(understood('ted crus')).toMatchObject({ way: 'corrected', words: ['ted', 'cruz'] })
    expect(understood('physicists')).toMatchObject({ way: 'topic', topics: ['Physics'] })
    expect(understood('xyzzy')).toMatchObject({ way: 'nobody', words: [], topics: [] })
  })
})

describe('a text without words', () => {
  it.each(['!?', '—', '🦀', '()'])('%j is nobody beside OR, and takes nobody away', (text) => {
    const [, ...physicists] = found('Physics')
    expect(physicists.length).toBeGreaterThan(1)
    for (const query of [`${text} OR Physics`, `Physics OR ${text}`]) {
      expect(found(query).slice(1)).toEqual(physicists)
    }
    expect(found(`Physics -${text}`).slice(1)).toEqual(physicists)
    const { words } = search.matched(search.find(`${text} OR Physics`, 1))
    expect(words[0]!.size).toBeLessThan(people.length)
  })
})
