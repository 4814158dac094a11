/** What of a typed text its writing says. What is a token: `../../text/readings.tsv`. */
import { expect, it } from 'vitest'
import { tokensOf } from '../../../../src/engine/match/tokens.ts'

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
