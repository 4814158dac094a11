/** The order among people of one name and one score. */
import { describe, expect, it } from 'vitest'
import { servedOf } from '../../../support/built.ts'
import { authority, topic } from '../../../support/records.ts'

/** Names with their biographies and scores; SDUs ascend. */
function searchOver(people: readonly (readonly [name: string, bio: string, score: number])[]) {
  const { search, catalog } = servedOf({
    authorities: people.map(([name, bio, authorityScore], index) =>
      authority({ sdu: String(100 + index), name, bio, authorityScore, topics: [topic('War')] }),
    ),
  })
  return (query: string) =>
    Array.from(
      search.find(query, 10).ordinals,
      (each) => people[Number(catalog.sduOf(each)) - 100]![0],
    )
}

describe('of people whose name is asked for', () => {
  it('with one score, who is named best comes first, then whose record is fuller', () => {
    const find = searchOver([
      ['Louis Napoleon Bonaparte', 'A very long biography, longer than all the others are.', 50],
      ['Napoleon II', 'Short.', 50],
      ['Napoleon I', 'Emperor of the French, with a longer biography.', 50],
    ])
    expect(find('napoleon')).toEqual(['Napoleon I', 'Napoleon II', 'Louis Napoleon Bonaparte'])
  })

  it('the higher score comes first, whatever the name', () => {
    const find = searchOver([
      ['Louis Napoleon Bonaparte', '', 60],
      ['Napoleon', '', 50],
    ])
    expect(find('napoleon')).toEqual(['Louis Napoleon Bonaparte', 'Napoleon'])
  })
})
