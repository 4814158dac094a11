/**
 * A generated population: people of many countries with names as they are there, occupations as
 * topics and short biographies, as records of a source. The same seed gives the same records.
 */

import { Random, Sampler, zipf } from '../../test/support/random.ts'
import type { PersonRecord, SourceRecords } from '../shared/data/records.ts'
import { capitalized, vocabulary } from '../shared/data/words.ts'
import { type Language, Names } from './names.ts'
import { type Nation, nations } from './nations.ts'
import { occupations } from './occupations.ts'

/** How large the population is. */
interface PopulationOptions {
  readonly people: number
  readonly topics: number
  readonly seed: number
}

const platforms = ['twitter', 'github', 'instagram', 'youtube'] as const
const abroadShare = 0.08
const alsoKnownShare = 0.2
const countryUnknownShare = 0.05

/** Makes a population. */
export function population({ people, topics, seed }: PopulationOptions): SourceRecords {
  const labels = occupations(topics)
  const draw = new Drawing(seed, labels)
  const authorities = Array.from({ length: people }, (_, number) => draw.person(number))
  // Every tenth occupation has another name, which is a word that nobody else uses.
  const words = vocabulary(new Random(seed, 11), 2 * labels.length)
  const aliased = labels.filter((_, index) => index % 10 === 9)
  return {
    authorities,
    topics: aliased.map((topic, at) => ({ topic, aliases: [`${words.at(-1 - at)!}ist`] })),
  }
}

/** Draws one person after the other. */
class Drawing {
  readonly #random: Random
  readonly #labels: readonly string[]
  readonly #names: Names
  readonly #nations: readonly Nation[]
  readonly #nationShares: Sampler
  readonly #topicRanks: Sampler
  readonly #places: readonly string[]

  constructor(seed: number, labels: readonly string[]) {
    this.#random = new Random(seed, 10)
    this.#labels = labels
    this.#names = new Names(this.#random)
    this.#nations = nations.filter(({ share }) => share > 0)
    this.#nationShares = new Sampler(this.#nations.map(({ share }) => share))
    this.#topicRanks = zipf(labels.length, 0.8)
    this.#places = vocabulary(new Random(seed, 12), 2_000).slice(500).map(capitalized)
  }

  person(number: number): PersonRecord {
    const random = this.#random
    const nation = this.#nations[this.#nationShares.draw(random)]!
    const origin = random.chance(abroadShare) ? random.pick(this.#nations) : nation
    const name = this.#names.draw(origin.language!)
    const topics = this.#topics()
    return {
      sdu: `${1 + random.below(9)}${String(random.next()).padStart(10, '0')}${String(number).padStart(7, '0')}`,
      name,
      bio: this.#bio(topics),
      country_name: random.chance(countryUnknownShare) ? '' : nation.country,
      topics,
      socials: this.#socials(number),
      also_known_as: random.chance(alsoKnownShare) ? this.#otherNames(origin.language!, name) : [],
    }
  }

  #topics(): string[] {
    const count = Math.min(this.#random.between(1, 3), this.#labels.length)
    const chosen = new Set<number>()
    while (chosen.size < count) chosen.add(this.#topicRanks.draw(this.#random))
    return Array.from(chosen, (rank) => this.#labels[rank]!)
  }

  #otherNames(language: Language, name: string): string[] {
    const other = this.#names.draw(language)
    return other === name ? [] : [other]
  }

  /** A few sentences; now and then about another country or another occupation than one's own. */
  #bio(topics: readonly string[]): string {
    const random = this.#random
    const place = () => random.pick(this.#places)
    const year = () => random.between(1930, 2024)
    const sentences = [
      () => `Born in ${place()} in ${year()}.`,
      () => `Studied at the University of ${place()}.`,
      () => `Received the ${place()} Prize in ${year()}.`,
      () => `Works as ${topics[0]!.toLowerCase()} since ${year()}.`,
      () => `Founded the ${place()} Institute with ${random.between(2, 40)} others.`,
      () => `Member of the ${random.pick(this.#nations).adjective} Academy since ${year()}.`,
      () => `Wrote about ${random.pick(this.#labels).toLowerCase()}s of the ${place()} school.`,
    ]
    return Array.from({ length: random.between(1, 3) }, () => random.pick(sentences)()).join(' ')
  }

  /** The number keeps the handles of two people apart. */
  #socials(number: number): Exclude<PersonRecord['socials'], undefined> {
    const random = this.#random
    const handle = `${random.pick(this.#places).toLowerCase()}${number}`
    const first = random.below(platforms.length)
    const count = random.between(0, 2)
    const chosen = Array.from({ length: count }, (_, step) => platforms[(first + step) % 4]!)
    const followers = Math.round(2000 * Math.exp(1.7 * random.normal()))
    return Object.fromEntries(
      chosen.map((platform) => [
        platform,
        { handle: platform === 'youtube' ? `@${handle}` : handle, followers },
      ]),
    )
  }
}
