/** A slip that makes a name's word another word that somebody has, in long names and short ones. */
import { expect, it } from 'vitest'
import { servedOf } from '../../../../support/built.ts'
import { authority } from '../../../../support/records.ts'

const names = [
  'Mariana Dorn Quell Basque Lindqvist',
  'Marana Voss',
  'Bryan Shields',
  'Ryan Cole',
  'Nicholas B. Orme III',
  'Nicolas Vane',
]
const { search } = servedOf({
  authorities: names.map((name, index) =>
    authority({ sdu: String(100 + index), name, authorityScore: 90 - index }),
  ),
})

function found(query: string): string[] {
  return Array.from(search.find(query, 10).ordinals, (ordinal) => names[ordinal]!)
}

it.each([
  ['marana lindqvist', 'Mariana Dorn Quell Basque Lindqvist'],
  ['ryan shields', 'Bryan Shields'],
  ['nicolas iii', 'Nicholas B. Orme III'],
])('of first and last name finds the person: %j', (text, name) => {
  expect(found(text)).toEqual([name])
})

it.each(['marana basque', 'marana quell', 'ryan orme', 'voss lindqvist'])(
  'of other words of a long name, or of two people, finds nobody: %j',
  (text) => {
    expect(found(text)).toEqual([])
  },
)
