/** Names inside longer texts, behind a title with a slip, cut otherwise, heard in another script; topics without a place. */
import { expect, it } from 'vitest'
import { searchOver } from '../../searched.ts'

const { found } = searchOver([
  { name: 'Norah Velde', bio: 'U.S. Senator for Ohio.', topics: ['Rust'], countryName: '' },
  { name: 'Ilse Marwick', bio: 'Engineer.', topics: ['Rust', 'Maps'], countryName: '' },
  { name: 'Rufus DelMonte', bio: 'Writer.', topics: ['Rust'], countryName: 'Canada' },
  { name: 'Karin Oster-Lund', bio: 'Writer.', topics: ['Maps', 'C#'], countryName: 'Canada' },
  { name: 'Charles Robert Brisk', bio: 'Writer.', topics: ['Maps'], countryName: 'France' },
  { name: 'Alfred King', bio: 'Writer.', topics: ['Maps'], countryName: 'France' },
  { name: 'Phone Number', bio: 'A hostile record.', topics: ['Maps'], countryName: 'France' },
])

it.each([
  'norah velde phone number',
  "norah velde's favourite recipes",
  'wie alt ist eigentlich Norah Velde',
  'кто такая norah velde?',
  "velde's travel diary",
  'veldes 9th diary',
  'norah velde ohio office phone',
  'norah velde okonjo recipes',
  'was velde left-handed?',
  'velde museum',
  'Sen. Norah Velde (D-OH)',
  'norah velde (d-oh)',
  'senator norah velde oh',
  'who is norah velde oh',
  'kim jest norah velde',
])('a whole name, or a surname that is asked about, is found inside a text: %j', (text) => {
  expect(found(text)).toEqual(['name', 'Norah Velde'])
})

it.each([
  'norah velde lund',
  'norah velde okonjo',
  "velde's law",
  'norah recipes',
  "king's travel diary",
  'kings diary',
  'was king tall?',
  'velde paint',
])('a text that may name another person finds nobody: %j', (text) => {
  expect(found(text)).toEqual(['nobody'])
})

it('records that are called as people ask take nothing from who is meant', () => {
  expect(found('norah velde phone number')).toEqual(['name', 'Norah Velde'])
  expect(found('ilse oberlin phone number')).toEqual(['nobody'])
  expect(found('phone number')).toEqual(['name', 'Phone Number'])
})

it('words of several names of one person are no name by guesses', () => {
  const { found: find } = searchOver([
    { name: 'Aaron Bean', alsoKnownAs: ['Paul Bean'] },
    { name: 'Christopher Deluzio', alsoKnownAs: ['Chris Deluzio', 'Raphael Deluzio'] },
  ])
  for (const text of ['ron paul', 'Rafael Cruz']) expect(find(text), text).toEqual(['nobody'])
  expect(find('poul bean')).toEqual(['corrected', 'Aaron Bean'])
})

it('a name without a space is found by two words', () => {
  const { found: find } = searchOver([{ name: 'Keigo Higashino', alsoKnownAs: ['東野圭吾'] }])
  expect(find('東野 圭吾')).toEqual(['name', 'Keigo Higashino'])
})

it('a surname that stands first, as in China, is found behind a title, too', () => {
  const { found: find } = searchOver(
    ['China', 'Peru'].map((countryName, index) => ({ name: `Guo M${index}ng`, countryName })),
  )
  expect(find('comrade guo')).toEqual(['name', 'Guo M0ng'])
})

it('common words are meant as they are typed, also where all of them are near to words of a record', () => {
  const { found: find } = searchOver([{ name: 'Ada Brisk', bio: 'Line testing.' }])
  expect(find('wine tasting')).toEqual(['nobody'])
  expect(find('ada tasting')[0]).toBe('corrected')
  // Two guesses that only texts hold are nobody's either.
  expect(find('lene tasting')).toEqual(['nobody'])
})

it('a slip in a surname behind the title of an office is corrected to one who holds it and sounds so', () => {
  expect(found('sen. felde')).toEqual(['corrected', 'Norah Velde'])
  expect(found('sen. vilda')).toEqual(['nobody'])
})

it('words of a name may be joined, parted or cut short', () => {
  expect(found('rufus del monte')).toEqual(['name', 'Rufus DelMonte'])
  expect(found('karin osterlund')).toEqual(['name', 'Karin Oster-Lund'])
  expect(found('ruf delm')).toEqual(['corrected', 'Rufus DelMonte'])
  expect(found('karin l')).toEqual(['name', 'Karin Oster-Lund'])
  expect(found('karin b')).toEqual(['nobody'])
})

it('two short forms of one given name are the same person', () => {
  expect(found('chuck brisk')).toEqual(['name', 'Charles Robert Brisk'])
})

it('a name is heard in katakana, hangul, Cyrillic and Greek', () => {
  for (const text of ['ノラ・ヴェルデ', '노라 벨데', 'Нора Вельде', 'Νόρα Βέλντε']) {
    expect(found(text), text).toEqual(['corrected', 'Norah Velde'])
  }
})

it.each([
  'who maintains Rust',
  'people who contribute to rust',
  'who is responsible for rust',
  'who is behind Rust',
  'owners of rust',
])('whoever does something for a topic is one of its people: %j', (text) => {
  expect(found(text)).toEqual(['topic', 'Norah Velde', 'Ilse Marwick', 'Rufus DelMonte'])
})

it('a sign that is read as letters is no slip', () => {
  expect(found('csharb')).toEqual(['corrected', 'Karin Oster-Lund'])
  expect(found('F#')).toEqual(['nobody'])
})

it('a topic beside a place where nobody of it is known to be finds those who may be there', () => {
  expect(found('rust developers in france')).toEqual(['words', 'Norah Velde', 'Ilse Marwick'])
  // Most people of this topic are known to be elsewhere.
  expect(found('maps experts in the united kingdom')).toEqual(['nobody'])
})
