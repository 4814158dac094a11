/** Names in ready-made items: what their bytes tell at once is what the whole name says. */
import { describe, expect, it } from 'vitest'
import { Catalog } from '../../../src/engine/catalog.ts'
import { firstLetterOf, lastWordOf, nameWordsOf } from '../../../src/engine/person-names.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority } from '../../support/records.ts'

const names = [
  'Ada Lovelace',
  'Cher',
  'Sammy Davis JR',
  "Conan O'Brien",
  'O’Brien',
  'Jean-Luc Picard',
  'Jean-Luc',
  'José Núñez',
  'Núñez Jose',
  'Ann "Bo" Lee',
  'Back\\slash Lee',
  'Lee \\n',
  '李明 Li',
  'Li 李明',
  'Ms. C++',
  'R2 D2',
  'X.',
  'É Lee',
]
const authorities = names.map((name, at) => authority({ sdu: String(at + 1), name }))
const catalog = new Catalog(snapshotOf({ authorities }))
const ordinals = names.map((_, at) => catalog.findSdu(String(at + 1)))

describe('the bytes of a name', () => {
  it('tell its last word only where the analyzer reads the same', () => {
    for (const [at, ordinal] of ordinals.entries()) {
      const last = lastWordOf(catalog, ordinal)
      if (last !== undefined) expect(last, names[at]).toBe(nameWordsOf(catalog, ordinal).at(-1))
    }
    const told = ordinals.map((ordinal) => lastWordOf(catalog, ordinal))
    expect(told.slice(0, 4)).toEqual(['lovelace', 'cher', 'jr', undefined])
  })

  it('tell its first letter only where the first word begins with it', () => {
    for (const [at, ordinal] of ordinals.entries()) {
      const first = firstLetterOf(catalog, ordinal)
      if (first !== undefined) expect(first, names[at]).toBe(nameWordsOf(catalog, ordinal)[0]![0])
    }
    expect(firstLetterOf(catalog, ordinals[0]!)).toBe('a')
    expect(firstLetterOf(catalog, ordinals.at(-1)!)).toBeUndefined()
  })
})
