import { describe, expect, it } from 'vitest'
import { hashText, valuesOf } from '../../../../src/memory/hash-buckets.ts'
import { bucketsOf } from '../../../../src/snapshot/text-tables.ts'
import { latinOf } from '../../../../src/text/sound/latin.ts'
import { soundDistance, soundKey, soundsOf } from '../../../../src/text/sound/sounds.ts'
import { servedOf } from '../../../support/built.ts'
import { authority, topic } from '../../../support/records.ts'

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
const { search, catalog } = servedOf({
  authorities: names.map((name, index) =>
    authority({
      sdu: String(100 + index),
      name,
      topics: [topic('Physics')],
      authorityScore: 90 - index,
    }),
  ),
})

function found(query: string): [way: string, ...names: string[]] {
  const { way, ordinals } = search.find(query, 10)
  return [way, ...Array.from(ordinals, (ordinal) => names[ordinal]!)]
}

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

describe('the sounds of words', () => {
  it.each([
    ['schostakowitsch', 'shostakovich'],
    ['zelensky', 'selenskyj'],
    ['rachmaninoff', 'rakhmaninov'],
    ['einstein', 'eynshteyn'],
  ])('of %s and %s have a key in common and are near', (one, other) => {
    const [a, b] = [one, other].map((word) => [soundsOf(word), soundsOf(word, true)])
    expect(a!.map(soundKey).some((key) => b!.map(soundKey).includes(key))).toBe(true)
    expect(Math.min(...a!.flatMap((x) => b!.map((y) => soundDistance(x, y))))).toBeLessThanOrEqual(
      0.5,
    )
  })

  it('keep Maria from Marie, and Petrov from Petrova', () => {
    expect(soundDistance(soundsOf('maria'), soundsOf('marie'))).toBe(1)
    expect(soundDistance(soundsOf('petrov'), soundsOf('petrova'))).toBe(1)
  })

  it('find every name by its own key', () => {
    const table = bucketsOf(catalog.sections, 'sound')
    const key = soundKey(soundsOf(latinOf('gaddafi')))
    const texts = valuesOf(table, hashText(key), 10)
    expect(texts.length).toBeGreaterThan(0)
    expect(valuesOf(table, hashText('no such key'), 10)).toEqual([])
  })
})
