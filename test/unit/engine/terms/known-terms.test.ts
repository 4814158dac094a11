/** Terms that are kept by their letters. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readWords } from '../../../../src/engine/interpret/words.ts'
import { openEngine } from '../../../../src/engine/open.ts'
import { Postings } from '../../../../src/engine/postings/postings.ts'
import { KnownTerms, type QueryWord } from '../../../../src/engine/terms/query-word.ts'
import { snapshotOf } from '../../../support/built.ts'
import '../../../support/property-seed.ts'
import { authority } from '../../../support/records.ts'

const snapshot = snapshotOf({ authorities: [authority({ sdu: '1', name: 'Ada Lovelace' })] })

it('knows a term, however many others came between', () => {
  const terms = new KnownTerms(new Postings(snapshot.sections, snapshot.header.counts))
  const ada = terms.of('ada')
  expect(terms.of('ada')).toBe(ada)
  expect([ada.term, ada.name.size, ada.asWord.key]).toEqual(['ada', 1, 'ada'])
  // More than are kept.
  const names = Array.from({ length: 20_000 }, (_, number) => `a${number}`)
  expect(names.filter((name) => terms.of(name).term !== name)).toEqual([])
  expect([
    terms.of('ada').name.size,
    terms.of('adb').name.size,
    terms.of('lovelace').word.size,
  ]).toEqual([1, 0, 1])
})

/** What is to be known of words. */
function plain(words: readonly QueryWord[]) {
  return words.map(({ text, terms, key, isExact, isStop }) => ({
    text,
    terms,
    key,
    isExact,
    isStop,
  }))
}

it('reads the words of a text as they are read without it', () => {
  const { words } = openEngine(snapshot).search
  const signs = [' ', '\u0e33', '\u0301', '\u3000', '\u00a0']
  const pieces = 'Ada ada the C# O\'Neil José 李小明 " - 42 İ ß ΑΣ สมชาย ¨'.split(' ')
  const piece = fc.constantFrom(...pieces, ...signs)
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.array(piece, { maxLength: 12 }).map((all) => all.join('')),
  )
  fc.assert(
    fc.property(text, (query) => {
      expect(plain(words.read(query))).toEqual(plain(readWords(query)))
    }),
  )
})
