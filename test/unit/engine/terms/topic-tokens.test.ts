/** Tokens of topic keys: what they find, and that FlexSearch with the same tokens finds no other keys. */
import fc from 'fast-check'
import { Index } from 'flexsearch'
import { expect, it } from 'vitest'
import { keysWith } from '../../../../src/engine/terms/resolver.ts'
import { tokenSections } from '../../../../src/indexer/token-sections.ts'
import { encodeTexts } from '../../../../src/memory/text-table.ts'
import { bucketsOf } from '../../../../src/snapshot/text-tables.ts'

type TokenKind = 'topic-beginning' | 'topic-slip'

/** What FlexSearch has for the same. */
function flexSearchOf(kind: TokenKind, keys: readonly string[]): Index {
  const tokenize = kind === 'topic-slip' ? 'tolerant' : 'forward'
  const index = new Index({ tokenize, encode: (key: string) => key.split(' ') })
  for (const [number, key] of keys.entries()) index.add(number, key)
  return index
}

it('finds what FlexSearch finds, in its order', () => {
  const term = fc.string({ unit: fc.constantFrom(...'abcé東'), minLength: 1, maxLength: 6 })
  const key = fc.array(term, { minLength: 1, maxLength: 12 }).map((terms) => terms.join(' '))
  const all = fc.array(key, { minLength: 1, maxLength: 30 })
  const asked = fc.array(term, { minLength: 1, maxLength: 4 })
  const kinds = fc.constantFrom<TokenKind>('topic-beginning', 'topic-slip')
  fc.assert(
    fc.property(kinds, all, asked, fc.integer({ min: 1, max: 20 }), (kind, texts, terms, limit) => {
      const options = { limit, suggest: true }
      const expected = flexSearchOf(kind, texts).search(terms.join(' '), options)
      const tokens = bucketsOf(tokenSections(encodeTexts(texts)), kind)
      expect(keysWith(tokens, terms, limit)).toEqual(expected.map(Number))
    }),
    { numRuns: 300 },
  )
})
