/** What of a typed text is a token, and what its writing says. */
import { expect, it } from 'vitest'
import { tokensOf } from '../../../../src/engine/match/tokens.ts'

function textsOf(query: string): string[] {
  return tokensOf(query).map(({ text }) => text)
}

it.each([
  ['Ted Cruz (R-TX)', ['ted', 'cruz']],
  ['Ted Cruz [D-CA]', ['ted', 'cruz']],
  ['Rep. Ted Cruz, D-N.Y.', ['rep', 'ted', 'cruz']],
  ['Ted Cruz (@tedcruz) / X', ['ted', 'cruz']],
  ['https://www.linkedin.com/in/ted-cruz', ['ted', 'cruz']],
  ['ted%20cruz', ['ted', 'cruz']],
  ['P!nk', ['pink']],
  ['C++ and C#', ['cplusplus', 'and', 'csharp']],
  ["Cruz's", ['cruz']],
  ["l'avocat", ['l', 'avocat']],
  ["O'Brien", ['obrien']],
  ['9th', ['9']],
  ['(R)', ['r']],
  ['!?', []],
])('%j is read as %j', (query, texts) => {
  expect(textsOf(query)).toEqual(texts)
})

it('a word has its German and its Latin spelling beside its own', () => {
  expect(tokensOf('Müller Достоевский').map(({ spellings }) => spellings)).toEqual([
    ['muller', 'mueller'],
    ['достоевскии', 'dostoevskii'],
  ])
})

it('a letter beside nothing but a name is an initial, beside other words what it is there', () => {
  expect(tokensOf('m e hollis').map(({ aside }) => aside)).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(tokensOf('who is a hollis')[2]!.aside).toBe('asks')
})

it('letters behind a name are known as such, also with full stops', () => {
  expect(tokensOf('ted cruz, m.d.').map(({ isBehind }) => isBehind)).toEqual([
    false,
    false,
    true,
    true,
  ])
})

it('a text of many words is read up to sixteen', () => {
  expect(tokensOf('word '.repeat(40)).length).toBe(16)
})
