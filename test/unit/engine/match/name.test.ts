/** The ways in which a word is parts of a name. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  eachPlaceOf,
  highestPart,
  lowestPart,
  nameOfWords,
} from '../../../../src/engine/match/name.ts'

function placesOf(word: string, parts: readonly string[]): string[] {
  const places: string[] = []
  eachPlaceOf(word, nameOfWords(parts), (mask, joining) =>
    places.push(`${joining} ${mask.toString(2)}`),
  )
  return places
}

it('a word is one part, or several that turn their order once at most', () => {
  const name = ['jean', 'pierre', 'de', 'serre']
  expect(placesOf('pierre', name)).toEqual(['run 10'])
  expect(placesOf('jeanpierre', name)).toEqual(['run 11'])
  expect(placesOf('deserre', name)).toEqual(['run 1100'])
  expect(placesOf('jeanserre', name)).toEqual(['ends 1001'])
  expect(placesOf('serrejean', name)).toEqual(['reversed 1001'])
  expect(placesOf('jeandeserre', name)).toEqual(['ends 1101'])
  expect(placesOf('serrejeanpierre', name)).toEqual(['reversed 1011'])
  expect(placesOf('serrepierrejean', name)).toEqual([])
})

it('every run of a name has its place, and nothing that is longer than it has one', () => {
  const part = fc.stringMatching(/^[a-c]{1,4}$/)
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      fc.nat(),
      fc.nat(),
      (parts, a, b) => {
        const from = a % parts.length
        const to = Math.min(parts.length, from + 1 + (b % 4))
        const mask = ((1 << to) - (1 << from)).toString(2)
        expect(placesOf(parts.slice(from, to).join(''), parts)).toContain(`run ${mask}`)
        expect(placesOf(`${parts.join('')}d`, parts)).toEqual([])
      },
    ),
  )
})

it('particles inside a name and generations behind it need not be said', () => {
  const { core, initials } = nameOfWords(['t', 'van', 'rohe', 'jr'])
  expect([core, initials].map((mask) => mask.toString(2))).toEqual(['101', '1'])
  expect([lowestPart(core), highestPart(core)]).toEqual([0, 2])
})
