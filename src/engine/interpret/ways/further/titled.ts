/**
 * A title of an office and a surname with a slip: `sen. kruz`. Those who hold the office and have a surname that
 * sounds the same, or one slip away where it is long.
 */

import { isForeign } from '../../../../text/sound/latin.ts'
import { soundSame } from '../../../../text/sound/sounds.ts'
import { asideOf, officeOf } from '../../../../text/speech/aside-words.ts'
import { firstOf } from '../../../postings/smallest-k.ts'
import { isSurname } from '../beside.ts'
import { foundPeople, type Tools, textsWithout, type WayOfSearch } from '../way.ts'

/** Letters of the shortest surname that is corrected, and of the shortest one that may be spelled as no other sounds. */
const letters = { min: 4, slippedMin: 6 } as const
/** Names that are compared, and people who may be meant. */
const triedMax = 32
const peopleMax = 2

/** See the file's comment. */
export const titled: WayOfSearch = {
  name: 'titled',
  find: (tools, text, limit) => {
    const [word, another] = text.core
    if (!text.isTitled || word === undefined || another !== undefined) return undefined
    if (word.isExact || word.terms.length > 1 || word.text.length < letters.min) return undefined
    const words = text.lastReading
    const offices = words.flatMap((each) =>
      asideOf(each.text) === 'title' ? (officeOf(each.text) ?? []) : [],
    )
    for (const office of offices) {
      const held = tools.words.formsHolding(office)
      if (held.size === 0) continue
      for (const to of nearTo(tools, word.text)) {
        const holders = [tools.words.formNamed(to), held]
        const people = firstOf(holders, peopleMax + 1).filter((each) => isSurname(tools, each, to))
        if (people.length === 0 || people.length > peopleMax) continue
        const corrected = [{ from: word.text, to }]
        const found = foundPeople('corrected', people, limit, { words: [word], corrected })
        return { ...found, leftOut: textsWithout(words, [word]) }
      }
    }
    return undefined
  },
}

/** Words of names that are one slip away and sound the same, or are long. */
function nearTo({ dictionary, postings }: Tools, word: string): readonly string[] {
  return dictionary
    .near(word, 1)
    .slice(0, triedMax)
    .filter((term) => postings.size('name', term) > 0)
    .map((term) => postings.textOf(term))
    .filter((other) => {
      if (isForeign(other) !== isForeign(word)) return false
      if (Math.min(other.length, word.length) >= letters.slippedMin) return true
      return soundSame(word, other)
    })
}
