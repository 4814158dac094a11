/**
 * Filters, facets and fields as a model: loops over the records of those whom a search or a list of
 * peers finds. Shares with the product only what values mean: keys of topics, names of countries.
 */
import { type ChoiceName, type FilterName, filterNames } from '../../src/request-parameters.ts'
import { termsOf, topicKey } from '../../src/text/analyzer.ts'
import { countryTable } from '../../src/text/countries/country-names.made.ts'
import { platformKey, readHandle, readIdentifier } from '../../src/text/handle.ts'
import { phraseKey } from '../../src/text/number.ts'
import type { Oracle, Person } from './oracle.ts'

type Sent<N extends FilterName> = N extends ChoiceName ? readonly string[] : number

export type Asked = { readonly [N in FilterName]?: Sent<N> | undefined }

/** Whether a person passes one filter: a filter without a row does not compile. */
type PassesOf = { readonly [N in FilterName]: (person: Person, sent: Sent<N>) => boolean }

const countries = countryTable()

/** What a country is called: all of it, or of its record alone where no table knows it. */
function calledOf(countryName: string): { names: string[]; codes: readonly string[] } {
  const key = phraseKey(termsOf(countryName))
  const known = countries.find(({ names, codes }) =>
    [...names, ...codes].some((name) => phraseKey(termsOf(name)) === key),
  )
  if (key === '') return { names: [], codes: [] }
  if (known === undefined) return { names: [key], codes: [] }
  const names = [countryName, ...known.names, ...known.adjectives]
  return {
    names: names.map((name) => phraseKey(termsOf(name))),
    codes: known.codes.map((code) => phraseKey(termsOf(code))),
  }
}

/** The platforms that somebody has a handle or an identifier on that is theirs. */
function platformsOf(model: Oracle, person: Person): string[] {
  const { socials, identifiers } = person.record
  const handles = [
    ...socials
      .filter(({ verified }) => verified)
      .map(({ platform, handle }) => readHandle(platform, handle).handle!),
    ...identifiers.map(({ scheme, value }) => readIdentifier(scheme, value).handle!),
  ]
  const own = handles.filter(({ platform, key }) =>
    model.owners(`${platform}:${key}`).includes(person),
  )
  return [...new Set(own.map(({ platform }) => platform))]
}

/** What all spellings of an attribute share. */
function spellingOf(key: string, value: string): string {
  return `${key}:${phraseKey(termsOf(value))}`
}

function spellingsOf({ record }: Person): ReadonlySet<string> {
  return new Set(record.attributes.map(({ key, value }) => spellingOf(key, value)))
}

/** Whether somebody has one of the values that are wanted of each key. */
function hasAttributes(person: Person, wanted: readonly string[] = []): boolean {
  const own = spellingsOf(person)
  const keys = new Set(wanted.map((each) => each.split(':')[0]!))
  return [...keys].every((key) =>
    wanted.some((each) => {
      const [ofKey = '', value = ''] = each.split(':')
      return ofKey === key && own.has(spellingOf(key, value))
    }),
  )
}

export class SelectionModel {
  readonly #model: Oracle

  constructor(model: Oracle) {
    this.#model = model
  }

  readonly #passes: PassesOf = {
    country: (person, values) => values.some((value) => this.#isOf(person, value)),
    platform: (person, values) =>
      values.some((value) => platformsOf(this.#model, person).includes(platformKey(value))),
    topic: (person, values) => values.some((value) => this.#isMember(person, value)),
    attribute: (person, values) => hasAttributes(person, values),
    score_min: (person, least) => this.#model.profile(person).authority_score >= least,
    followers_min: ({ socials }, least) =>
      socials.reduce((sum, each) => sum + each.followers, 0) >= least,
  }

  passes(person: Person, asked: Asked): boolean {
    return filterNames.every((name) => {
      const sent = asked[name]
      return sent === undefined || this.#passes[name](person, sent as never)
    })
  }

  /** A name is meant before a code: of a value that somebody is called by, nobody's code is meant. */
  #isOf({ record }: Person, value: string): boolean {
    const key = phraseKey(termsOf(value))
    const isName = this.#model.people.some((each) =>
      calledOf(each.record.countryName).names.includes(key),
    )
    const { names, codes } = calledOf(record.countryName)
    return isName ? names.includes(key) : codes.includes(key)
  }

  #isMember({ topics }: Person, value: string): boolean {
    const key = this.#model.topicOf(topicKey(value))
    return key !== undefined && topics.has(key)
  }

  facet(people: readonly Person[], name: string): Map<string, number> {
    const counts = new Map<string, number>()
    for (const person of people) {
      for (const key of this.#keysOf(person, name)) counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  }

  hasAttribute(attribute: string): boolean {
    return this.#model.people.some((person) => hasAttributes(person, [attribute]))
  }

  /** How each attribute is spelled by the record that came first. */
  #spelledFirst(): ReadonlyMap<string, string> {
    const spelled = new Map<string, string>()
    for (const { key, value } of this.#model.arrived.flatMap(({ record }) => record.attributes)) {
      const spelling = spellingOf(key, value)
      if (!spelled.has(spelling)) spelled.set(spelling, `${key}:${value}`)
    }
    return spelled
  }

  #keysOf(person: Person, name: string): readonly string[] {
    if (name === 'platform') return platformsOf(this.#model, person)
    if (name === 'attribute') {
      return [...spellingsOf(person)].map((each) => this.#spelledFirst().get(each)!)
    }
    const { country, topics } = this.#model.profile(person)
    if (name === 'topic') return topics.map((label) => label!)
    return country === '' ? [] : [country]
  }
}
