/** Names in ready-made items: what their bytes tell at once holds of the whole name. */
import { describe, expect, it } from 'vitest'
import { Catalog } from '../../../src/engine/catalog.ts'
import {
  lettersOf,
  nameWordsOf,
  outlineOf,
  severalWords,
} from '../../../src/engine/person-names.ts'
import { snapshotOf } from '../../support/built.ts'
import { authority } from '../../support/records.ts'

const names = [
  'Ada Lovelace',
  'Cher',
  'Sammy Davis JR',
  'Sammy III.',
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

describe('the outline of a name', () => {
  const outlines = ordinals.map((ordinal) => outlineOf(catalog, ordinal))

  it('has the first letter of every word that the analyzer reads', () => {
    ordinals.forEach((ordinal, at) => {
      for (const word of nameWordsOf(catalog, ordinal)) {
        expect(lettersOf(word[0]!) & ~outlines[at]!, names[at]).toBe(0)
      }
    })
    expect(outlines[names.indexOf('Cher')]).toBe(lettersOf('c'))
    expect(outlines[names.indexOf('R2 D2')]).toBe(lettersOf('rd'))
    expect(outlines[names.indexOf('É Lee')]).toBe(lettersOf('el'))
    expect(outlines[names.indexOf('李明 Li')]).toBe(lettersOf('l'))
  })

  it('tells of several words only where one behind another is more than a generation', () => {
    const several = names.filter((_, at) => (outlines[at]! & severalWords) !== 0)
    expect(several).toEqual([
      'Ada Lovelace',
      'Sammy Davis JR',
      "Conan O'Brien",
      'Jean-Luc Picard',
      'José Núñez',
      'Núñez Jose',
      'Li 李明',
    ])
  })
})
