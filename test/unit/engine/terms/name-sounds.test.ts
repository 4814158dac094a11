/** Names that sound like a text: which are found, in which scripts, and what is never taken for a name. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { soundSections } from '../../../../src/indexer/sound-sections.ts'
import { hashText, inBuckets, valuesOf } from '../../../../src/memory/hash-buckets.ts'
import { textAt } from '../../../../src/memory/text-table.ts'
import type { Sections } from '../../../../src/snapshot/sections.ts'
import { loadSnapshot, pathOf } from '../../../../src/snapshot/store/directory.ts'
import { readPointer } from '../../../../src/snapshot/store/states.ts'
import { bucketsOf } from '../../../../src/snapshot/text-tables.ts'
import { isForeign, isVowelless, latinOf } from '../../../../src/text/sound/latin.ts'
import { keysOf, latinKey } from '../../../../src/text/sound/sound-keys.ts'
import { soundDistance, soundKey, soundsOf } from '../../../../src/text/sound/sounds.ts'
import { servedOf } from '../../../support/built.ts'
import { codePoint } from '../../../support/code-points.ts'
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

/** The keys of a term by its text. */
function textKeysOf(text: string): string[] {
  if (!/^[\p{L}\p{M}]{2,}$/u.test(text)) return []
  const latin = latinOf(text)
  const keys = keysOf({ latin, isVowelless: isVowelless(text) })
  return isForeign(text) && latin.length > 1 && latin.length <= 32
    ? [...keys, latinKey(latin)]
    : keys
}

/** Terms, of which every second one stands in no name where `isSparse`. */
function sectionsOf(terms: readonly string[], isSparse = false): Sections {
  const texts = terms.map((term) => Buffer.from(term))
  let end = 0
  const starts = [0]
  terms.forEach((_, term) => {
    starts.push(starts.at(-1)! + (isSparse && term % 2 === 1 ? 0 : 1))
  })
  return {
    'term.text': new Uint8Array(Buffer.concat(texts)),
    'term.ends': Uint32Array.from(texts, ({ length }) => (end += length)),
    'name.starts': Uint32Array.from(starts),
  } as unknown as Sections
}

function slowTableOf(sections: Sections) {
  const texts = { text: sections['term.text'], ends: sections['term.ends'] }
  const starts = sections['name.starts']
  const entries = Array.from(texts.ends, (_, term) => term)
    .filter((term) => starts[term] !== starts[term + 1])
    .flatMap((term) => textKeysOf(textAt(texts, term)).map((key) => [hashText(key), term] as const))
  return inBuckets(
    entries.map(([hash]) => hash),
    entries.map(([, term]) => term),
  )
}

describe('the table of sounds', () => {
  const pieces = fc.constantFrom(
    ...[
      'ch',
      'sch',
      'v',
      'w',
      'a',
      'i',
      'z',
      'Z',
      'ü',
      '9',
      "'",
      'ا',
      'ل',
      'ف',
      'و',
      'ر',
      'ו',
      'ב',
    ],
    ...[
      'х',
      'ч',
      'в',
      'α',
      'φ',
      'ก',
      'ิ',
      '丽',
      '黄',
      '\u{20000}',
      '박',
      '지',
      'ᄇ',
      'か',
      'ー',
      'e\u0301',
    ],
  )
  const word = fc.oneof(
    fc.array(pieces, { maxLength: 8 }).map((some) => some.join('')),
    fc.constantFrom(
      'ال',
      'الحك',
      'الحكم',
      'القذافي',
      'الو',
      'والقذافي',
      'schwarzenegger',
      'ч'.repeat(17),
      'a'.repeat(33),
    ),
    fc.array(codePoint, { maxLength: 4 }).map((some) => some.join('')),
  )

  it('has of terms in all scripts the keys that their texts have', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.boolean(), (terms, isSparse) => {
        const sections = sectionsOf(terms, isSparse)
        expect(bucketsOf(soundSections(sections), 'sound')).toEqual(slowTableOf(sections))
      }),
      { numRuns: 300 },
    )
  })

  it('has of the default snapshot the keys that the texts of its terms have', () => {
    const { sections } = loadSnapshot(pathOf('snapshots', readPointer('snapshots', 'CURRENT')!))
    const table = bucketsOf(sections, 'sound')
    expect(table.values.length).toBeGreaterThan(1_000)
    expect(table).toEqual(slowTableOf(sections))
  })
})
