/**
 * Names as people bear them, by language: given and family names from faker, put together in the
 * order and with the space that the language has between them.
 */
import { allLocales, Faker } from '@faker-js/faker'
import type { Random } from '../../test/support/random.ts'
import { kanaName } from './kana.ts'

/** A language, or a country's own way of it, as faker calls it. */
export type Language = keyof typeof allLocales

/** Where the family name comes first, and what stands after it. */
const familyFirst: Partial<Record<Language, string>> = {
  hu: ' ',
  vi: ' ',
  ja: '',
  ko: '',
  zh_CN: '',
}

/** How often people have two family names. */
const doubledFamilyShares: Partial<Record<Language, number>> = { es: 0.4, es_MX: 0.4, pt_BR: 0.2 }

/** How often a Japanese name is written in kana. */
const kanaShare = 0.4

/** Draws names. */
export class Names {
  readonly #random: Random
  readonly #fakers = new Map<Language, Faker>()

  constructor(random: Random) {
    this.#random = random
  }

  /** A full name. */
  draw(language: Language): string {
    if (language === 'ja' && this.#random.chance(kanaShare)) return kanaName(this.#random)
    const { person } = this.#fakerOf(language)
    const sex = this.#random.pick(['female', 'male'] as const)
    const given = person.firstName(sex)
    const isDoubled = this.#random.chance(doubledFamilyShares[language] ?? 0)
    const family = isDoubled
      ? `${person.lastName(sex)} ${person.lastName(sex)}`
      : person.lastName(sex)
    const space = familyFirst[language]
    return space === undefined ? `${given} ${family}` : `${family}${space}${given}`
  }

  #fakerOf(language: Language): Faker {
    const known = this.#fakers.get(language)
    if (known !== undefined) return known
    const random = this.#random
    const randomizer = { next: () => random.fraction(), seed: () => {} }
    const made = new Faker({ locale: [allLocales[language], allLocales.base], randomizer })
    this.#fakers.set(language, made)
    return made
  }
}
