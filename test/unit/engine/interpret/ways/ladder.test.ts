/** What people type around what they mean, and each of the later ways: whom they find, and when nobody. */
import { describe, expect, it } from 'vitest'
import { ladder } from '../../../../../src/engine/interpret/ways/ladder.ts'
import { social } from '../../../../support/records.ts'
import { searchOver } from '../../searched.ts'

const people: readonly (readonly [name: string, topics: readonly string[], bio: string])[] = [
  ['Margaret Elena Hollis', ['Rust', 'Poetry'], 'Senator for Ohio.'],
  ['Peter Hollis', ['Gardens'], 'Carpenter.'],
  ['Teresa Marquand', ['Rust'], 'Writer from Lyon.'],
  ['Theresa Blum', ['Gardens'], 'Cook.'],
  ['王小明', ['Gardens'], ''],
  ['Rust Gardens', ['Cooking'], ''],
  ['William Okonjo', ['Cooking', 'Gardens'], ''],
  ['Ruth A. Lindqvist', ['Weaving'], ''],
  ['W. Gregory Talbot', ['Weaving'], ''],
  ['Ada Farmer', ['Weaving'], ''],
]
const socials = { 'Peter Hollis': [social('github', 'p_hollis'), social('twitter', 'hollyhock')] }

function finder(ways?: readonly string[]) {
  const { found } = searchOver(
    people.map(([name, topics, bio], index) => ({
      name,
      bio,
      topics,
      countryName: index === 2 ? 'France' : '',
      website: index === 3 ? 'https://www.theresablum.example/' : null,
      socials: socials[name as keyof typeof socials] ?? [],
    })),
    [{ topic: 'Gardens', aliases: ['rust gardens'] }],
    ways,
  )
  return found
}

const found = finder()

describe('a name', () => {
  it.each([
    'Dr. Peter Hollis',
    'Herr Peter Hollis',
    'wer ist Peter Hollis?',
    '¿quién es peter hollis?',
    "what's peter hollis known for",
    "peter hollis's website",
    'please find peter hollis, thanks',
    'qui est-ce que peter hollis',
    'peter hollisさんは誰ですか',
    '谁是 peter hollis',
    'peter hollis은 누구인가요?',
  ])('is found inside %j', (text) => {
    expect(found(text)).toEqual(['name', 'Peter Hollis'])
  })

  it('of one word behind the title of an office is whoever holds it', () => {
    expect(found('sen. hollis')).toEqual(['name', 'Margaret Elena Hollis'])
    expect(found('Mr. Hollis')).toEqual(['name', 'Margaret Elena Hollis', 'Peter Hollis'])
    expect(found('president hollis')).toEqual(['nobody'])
    expect(found('captain margaret')).toEqual(['nobody'])
  })

  it('comes before a topic that is called the same', () => {
    expect(found('rust gardens').slice(0, 2)).toEqual(['name', 'Rust Gardens'])
  })

  it('is found by first letters and by a nickname, of given names only', () => {
    for (const text of ['m e hollis', 'M. E. Hollis', 'maggie hollis', 'Hollis, M.']) {
      expect(found(text), text).toEqual(['name', 'Margaret Elena Hollis'])
    }
    expect(found('bill okonjo')).toEqual(['name', 'William Okonjo'])
    expect(found('okonjo bill')).toEqual(['name', 'William Okonjo'])
    expect(found('q hollis')).toEqual(['nobody'])
  })

  it('is found by a nickname beside its full form, of a second given name, and by the beginning of a name', () => {
    expect(found('Margaret (Peggy) Hollis')).toEqual(['name', 'Margaret Elena Hollis'])
    expect(found('greg talbot')).toEqual(['name', 'W. Gregory Talbot'])
    expect(found('marg hollis')).toEqual(['corrected', 'Margaret Elena Hollis'])
    expect(found('betty talbot')).toEqual(['nobody'])
  })

  it('is found with an initial that the record leaves out, never with another than the record has', () => {
    expect(found('Peter Q. Hollis')).toEqual(['name', 'Peter Hollis'])
    expect(found('Margaret Q. Hollis')).toEqual(['nobody'])
    expect(found('Ruth Aurelia Lindqvist')).toEqual(['name', 'Ruth A. Lindqvist'])
  })

  it('is not found by a name of which the record has the first letter alone, without the given name', () => {
    expect(found('aurelia lindqvist')).toEqual(['nobody'])
    expect(found('beata lindqvist')).toEqual(['nobody'])
    expect(found('aurelia hollis')).toEqual(['nobody'])
  })

  it('with a slip that is another known word is found where the rest is somebody’s', () => {
    expect(found('theresa marquand')).toEqual(['corrected', 'Teresa Marquand'])
    expect(found('theresa hollis')).toEqual(['nobody'])
  })

  it('with two slips of which one is in its first letter is another name', () => {
    expect(found('peter hlolsi')).toEqual(['nobody'])
    expect(found('teresa marqeaund')).toEqual(['corrected', 'Teresa Marquand'])
    expect(found('teresa barquant')).toEqual(['nobody'])
    expect(found('teresa barquand')).toEqual(['corrected', 'Teresa Marquand'])
  })

  it('is not guessed from two words of which one is near to a word of a biography', () => {
    expect(found('writir lyom')).toEqual(['nobody'])
    expect(found('writir lyon')).toEqual(['corrected', 'Teresa Marquand'])
    expect(found('teress marquond')).toEqual(['corrected', 'Teresa Marquand'])
    expect(found('tersea poerty')[0]).toBe('nobody')
    expect(found('margaert poerty')).toEqual(['nobody'])
    expect(found('margaret poerty')).toEqual(['corrected', 'Margaret Elena Hollis'])
  })

  it('is found without the space between its words, also behind a sign', () => {
    expect(found('peterhollis')).toEqual(['name', 'Peter Hollis'])
    expect(found('#TeresaMarquand')).toEqual(['name', 'Teresa Marquand'])
    expect(found('peterblum')).toEqual(['nobody'])
  })

  it('is not found by the other number of a common word', () => {
    expect(found('farmer')).toEqual(['name', 'Ada Farmer'])
    expect(found('farmers')).toEqual(['nobody'])
  })

  it('is not guessed from a title and a given name, nor from two initials', () => {
    expect(found('mother teressa')).toEqual(['nobody'])
    expect(found('js talbot')).toEqual(['nobody'])
    expect(found('Dr. Markand')).toEqual(['corrected', 'Teresa Marquand'])
  })

  it('in a script without spaces is found without the particles around it', () => {
    expect(found('王小明是谁')).toEqual(['name', '王小明'])
    expect(found('王小明さんについて')).toEqual(['name', '王小明'])
  })
})

describe('a topic', () => {
  it.each(['who should I follow on cooking?', 'top 10 cooking specialists', 'expertos en cooking'])(
    'is found inside %j',
    (text) => {
      expect(found(text).slice(1)).toEqual(['Rust Gardens', 'William Okonjo'])
    },
  )

  it('is not what is left of a country whose people practise something else', () => {
    expect(found('french engineers')).toEqual(['nobody'])
  })
})

describe('a common word that stands alone', () => {
  it('is not taken for a name that is near to it or begins with it', () => {
    expect(found('tear')).toEqual(['nobody'])
    expect(found('pet')).toEqual(['nobody'])
    expect(found('terasa')[0]).toBe('corrected')
  })
})

describe('several things', () => {
  it('are those of each where nobody is all of it', () => {
    expect(found('peter hollis and theresa blum')).toEqual([
      'words',
      'Peter Hollis',
      'Theresa Blum',
    ])
    expect(found('poetry vs cooking').slice(1).sort()).toEqual([
      'Margaret Elena Hollis',
      'Rust Gardens',
      'William Okonjo',
    ])
  })

  it.each([
    'poetry/cooking',
    'poetry & cooking',
    'poetry|cooking',
    'poetry · cooking',
    'poetry;cooking',
  ])('are parted by a sign, with and without spaces: %j', (text) => {
    expect(found(text).slice(1).sort()).toEqual([
      'Margaret Elena Hollis',
      'Rust Gardens',
      'William Okonjo',
    ])
  })

  it('are those who are all of it where there are any', () => {
    expect(found('cooking und gardens')).toEqual(['words', 'William Okonjo', 'Rust Gardens'])
  })

  it('share what only one of them says', () => {
    expect(found('margaret and peter hollis').slice(1)).toEqual([
      'Margaret Elena Hollis',
      'Peter Hollis',
    ])
    // Nobody of Gardens is in France, so that all who are found write on Rust there.
    expect(found('gardens and rust in france')).toEqual(['words', 'Teresa Marquand'])
  })

  it('are nobody where one of them is unknown', () => {
    expect(found('peter hollis and zzyzx')).toEqual(['nobody'])
  })

  it('may be joined and excluded by operators', () => {
    expect(found('poetry OR cooking')[0]).toBe('words')
    expect(found('rust')).toContain('Margaret Elena Hollis')
    expect(found('rust -poetry').slice(0, 2)).toEqual(['words', 'Teresa Marquand'])
    expect(found('rust -poetry')).not.toContain('Margaret Elena Hollis')
    expect(found('gardens NOT cooking').slice(1)).not.toContain('William Okonjo')
    expect(found('zzyzx OR cooking').slice(1).sort()).toEqual(['Rust Gardens', 'William Okonjo'])
    expect(found('-cooking')).toEqual(['nobody'])
  })
})

describe('an identity', () => {
  it.each(['p_hollis', '#p_hollis', 'hollyhock', 'hollyhock on twitter', 'github/p_hollis'])(
    'is read in %j',
    (text) => {
      expect(found(text)).toEqual(['identity', 'Peter Hollis'])
    },
  )

  it.each([
    '<https://github.com/p_hollis>',
    '[Peter Hollis](https://github.com/p_hollis)',
    '«@hollyhock»',
    '(github:p_hollis)',
    'https://x.com/hollyhock%20',
    'hollyhock@twitter.com',
  ])('is read with what was copied along: %j', (text) => {
    expect(found(text)).toEqual(['identity', 'Peter Hollis'])
  })

  it.each(['theresablum.example', 'www.theresablum.example', 'https://theresablum.example/about'])(
    'is the address of a website: %j',
    (text) => {
      expect(found(text)).toEqual(['identity', 'Theresa Blum'])
    },
  )

  it('is not a handle on another platform', () => {
    expect(found('hollyhock on github')).toEqual(['nobody'])
  })
})

it('a flag is its country', () => {
  expect(found('🇫🇷 rust')).toEqual(['words', 'Teresa Marquand'])
})

it('each way has a name of its own, and may be left out', () => {
  const names = ladder.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  const without = finder(names.filter((name) => !['named', 'guessed'].includes(name)))
  expect(without('wer ist peter hollis')).toEqual(['nobody'])
})
