/** What biographies say of offices and roles, and what is left alone. */
import { describe, expect, it } from 'vitest'
import { factsOf } from '../../../src/text/speech/biography.ts'

function told(biography: string): string[] {
  return factsOf(biography).map(({ key, value }) => `${key}:${value}`)
}

describe('a biography tells', () => {
  it.each<[string, string[]]>([
    [
      'U.S. Senator for Ohio (Whig), in this office since 2015.',
      ['office:Senator', 'region:Ohio', 'party:Whig'],
    ],
    [
      'State Representative for New Mexico, district 3 (Blue Dog), in this office since 1999.',
      ['office:Representative', 'region:New Mexico', 'party:Blue Dog'],
    ],
    ['She is the Mayor of Lyon.', ['office:Mayor', 'region:Lyon']],
    ['Member of Parliament for Bath.', ['office:Member of Parliament', 'region:Bath']],
    [
      'Chairwoman of the Committee on Fish, Fowl, and Game. Vice Chair of the Board of Trade.',
      ['chair:Committee on Fish, Fowl, and Game', 'vice-chair:Board of Trade'],
    ],
    ['Ranking Member of the Committee on Bees.', ['ranking-member:Committee on Bees']],
    [
      'Leads Parsers, Linters and Docs.rs. Writes.',
      ['head:Parsers', 'head:Linters', 'head:Docs.rs'],
    ],
    ['Head of machine learning at Acme, where she works.', ['head:machine learning at Acme']],
    ['Founder of Acme and director of Beta Labs.', ['founder:Acme', 'head:Beta Labs']],
    ['Former chair of Physics at Jena since 1999.', ['former-chair:Physics at Jena']],
    ['co-founder of the Tea Guild; editor of Leaves', ['co-founder:Tea Guild', 'editor:Leaves']],
  ])('%j', (biography, facts) => {
    expect(told(biography)).toEqual(facts)
  })
})

describe('a biography tells nothing', () => {
  it.each([
    '',
    'Sales Representative for Acme.',
    'Leads a quiet life by the sea.',
    'Paints a chair of oak.'.replace('of', 'from'),
    'Wrote about the head.',
    'Chairs.',
  ])('%j', (biography) => {
    expect(told(biography)).toEqual([])
  })

  it('of more than sixteen roles', () => {
    const teams = Array.from({ length: 30 }, (_, index) => `Team ${index}`).join(', ')
    expect(told(`Leads ${teams}.`).length).toBeLessThanOrEqual(16)
  })
})
