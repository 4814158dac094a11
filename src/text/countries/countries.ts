/** The country that a text names, in all languages of the tables; a code is written in capitals. */

import { lazily } from '../lazily.ts'
import { countryKeyOf } from './country-key.ts'
import { englishCountryNames, otherCountryNames } from './country-names.made.ts'

const english = lazily(() => {
  const { names, shared } = englishCountryNames()
  return { names: new Map(Object.entries(names)), shared: new Set(shared) }
})

const others = lazily(() => new Map(Object.entries(otherCountryNames())))

/** `Deutschland` and `DE` are `Germany`; a text that is no country, or one of several, stays. */
export function countryNameOf(text: string): string {
  if (text === '') return text
  const key = countryKeyOf(text)
  const { names, shared } = english()
  const shown = names.get(key)
  if (shown !== undefined || shared.has(key)) return shown ?? text
  return others().get(key) ?? text
}
