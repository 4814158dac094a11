/** Names that are written as they sound, in Latin letters and in other scripts. */
import { describe, expect, it } from 'vitest'
import { searchOver } from '../searched.ts'

const names = [
  'Fyodor Dostoevsky',
  'Muammar Gaddafi',
  'Pyotr Tchaikovsky',
  'Mao Zedong',
  'Xi Jinping',
  'Park Ji-sung',
  'Vladimir Putin',
  'Лев Толстой',
  'むらかみ はるき',
  '김민준',
  'John Smyth',
  'Maria Petrova',
  'Barack Obama',
  'Nikita Khrushchev',
  'Γιώργος Παπαδόπουλος',
  'רונלד רייגן',
  'Stefan Banting',
  'Ivan Sokolov',
  'Petr Sokolow',
  'Olga Sokoloff',
  'Anna Sokolof',
  'Автоном Блохин',
]
const { found } = searchOver(names.map((name) => ({ name, topics: ['Physics'] })))

describe('a name that is written as it sounds', () => {
  it.each([
    ['Dostojewskij', 'Fyodor Dostoevsky'],
    ['Kadhafi', 'Muammar Gaddafi'],
    ['Tschaikowski', 'Pyotr Tchaikovsky'],
    ['Nikita Chruschtschow', 'Nikita Khrushchev'],
    ['Wladymyr Poutine', 'Vladimir Putin'],
  ])('in Latin letters, %j, is guessed to be %s', (text, name) => {
    expect(found(text)).toEqual(['corrected', name])
  })

  it.each([
    ['Мао', 'Mao Zedong'],
    ['習近平', 'Xi Jinping'],
    ['박지성', 'Park Ji-sung'],
    ['Путин', 'Vladimir Putin'],
    ['القذافي', 'Muammar Gaddafi'],
    ['باراك اوباما', 'Barack Obama'],
    ['tolstoi', 'Лев Толстой'],
    ['murakami haruki', 'むらかみ はるき'],
    ['haruki murakami', 'むらかみ はるき'],
    ['kim minjun', '김민준'],
    ['giorgos papadopoulos', 'Γιώργος Παπαδόπουλος'],
    ['ronald reagan', 'רונלד רייגן'],
    ['blochin', 'Автоном Блохин'],
    ['avtonom blokhyn', 'Автоном Блохин'],
  ])('in another script, %j, is guessed to be %s', (text, name) => {
    expect(found(text)).toEqual(['corrected', name])
  })

  it('is nobody’s where more than three people are called so', () => {
    expect(found('Zokkoloph')).toEqual(['nobody'])
  })

  it.each([
    ['another vowel at the end', 'Marie Petroff'],
    ['a common word', 'putting'],
    ['three letters more than a name in another script', 'blockchain'],
    ['a short word', 'mawo'],
    ['quotation marks', '"Kadhafi"'],
    ['a word of the name that is missing', 'Kadhafi Klonowski'],
    ['two words that only sound nearly so', 'Wolodimer Poutine'],
  ])('is nobody’s with %s: %j', (_, text) => {
    expect(found(text)).toEqual(['nobody'])
  })
})
