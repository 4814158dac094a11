/** The order among people of one name and one score. */
import { describe, expect, it } from 'vitest'
import { searchOver } from '../searched.ts'

/** Names with their biographies and scores; SDUs ascend. */
function namesOver(people: readonly (readonly [name: string, bio: string, score: number])[]) {
  const { found } = searchOver(
    people.map(([name, bio, authorityScore]) => ({ name, bio, authorityScore, topics: ['War'] })),
  )
  return (query: string) => found(query).slice(1)
}

describe('of people whose name is asked for', () => {
  it('with one score, who is named best comes first, then whose record is fuller', () => {
    const find = namesOver([
      ['Louis Napoleon Bonaparte', 'A very long biography, longer than all the others are.', 50],
      ['Napoleon II', 'Short.', 50],
      ['Napoleon I', 'Emperor of the French, with a longer biography.', 50],
    ])
    expect(find('napoleon')).toEqual(['Napoleon I', 'Napoleon II', 'Louis Napoleon Bonaparte'])
  })

  it('the higher score comes first, whatever the name', () => {
    const find = namesOver([
      ['Louis Napoleon Bonaparte', '', 60],
      ['Napoleon', '', 50],
    ])
    expect(find('napoleon')).toEqual(['Louis Napoleon Bonaparte', 'Napoleon'])
  })
})
