/** Names in ready-made items: what their bytes tell at once is what the whole name says. */
import { describe, expect, it } from 'vitest'
import { Catalog } from '../../../src/engine/catalog.ts'
import { compareLastWord, nameWordsOf } from '../../../src/engine/person-names.ts'
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
    const told = ordinals.map((ordinal) => {
      const last = nameWordsOf(catalog, ordinal).at(-1)!
      const compared = compareLastWord(catalog, ordinal, last, 0)
      expect(['same', 'untold'], last).toContain(compared)
      expect(compareLastWord(catalog, ordinal, `${last}x`, 0)).not.toBe('same')
      return compared === 'same' ? last : undefined
    })
    expect(told.slice(0, 4)).toEqual(['lovelace', 'cher', 'jr', undefined])
  })

  it('tell whether its last word is of some letters', () => {
    const ofJr = (1 << ('j'.charCodeAt(0) - 0x61)) | (1 << ('r'.charCodeAt(0) - 0x61))
    const told = ordinals.map((ordinal) => compareLastWord(catalog, ordinal, 'x', ofJr))
    expect(told.slice(0, 4)).toEqual(['apart', 'apart', 'ofLetters', 'untold'])
  })
})
