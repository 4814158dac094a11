/**
 * Who is meant by a text, by plain sets made from the records: whose name holds each word, whose
 * record holds each word, who has a topic, who is from a country. Nothing here is the product's: not
 * its analyzer, not its tables.
 */

import type { PersonRecord, SourceRecords } from '../shared/data/records.ts'
import { nations } from './nations.ts'
import { withinSlips } from './slips.ts'

/** People by their place in the records. */
export type People = ReadonlySet<number>

/**
 * The words of a text as people read them: small letters without accents. An apostrophe within a word is
 * not heard.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f'’ʼ]/g, '')
    .normalize('NFC')
  return plain
    .toLowerCase()
    .split(/[^\p{L}\p{N}\p{M}#+]+/u)
    .filter((word) => word !== '')
}

/** What a word in the singular and in the plural share. */
export function numberless(word: string): string {
  if (word.length < 4) return word
  if (word.endsWith('people')) return `${word.slice(0, -6)}person`
  if (word.endsWith('men')) return `${word.slice(0, -2)}an`
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(ss|x|ch|sh)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

/** What is true of the people in the index. */
export class Truth {
  readonly people: readonly PersonRecord[]
  readonly labels: readonly string[]
  /** By word of a name, also-known-as included. */
  readonly #names = new Map<string, Set<number>>()
  /** By name, also-known-as included, without what stands between its words. */
  readonly #spellings = new Map<string, Set<number>>()
  /** By word of anything in the record. */
  readonly #words = new Map<string, Set<number>>()
  /** The same, whatever the number. */
  readonly #numberless = new Map<string, Set<number>>()
  readonly #topics = new Map<string, Set<number>>()
  readonly #countries = new Map<string, Set<number>>()
  readonly #handles = new Map<string, Set<number>>()
  /** The words of each label and alias, whatever the number. */
  readonly #keys: readonly (readonly string[])[]
  readonly #everybody: People
  /** Words that mean something beside those in records. */
  readonly #meanings: ReadonlySet<string>

  constructor({ authorities, topics }: SourceRecords) {
    this.people = authorities
    for (const [person, record] of authorities.entries()) this.#add(person, record)
    this.labels = [...this.#topics.keys()]
    const known = topics.filter(({ topic }) => this.#topics.has(topic))
    const texts = [...this.labels, ...known.flatMap(({ aliases }) => aliases)]
    this.#keys = texts.map((text) => wordsOf(text).map(numberless))
    this.#everybody = new Set(authorities.keys())
    this.#meanings = new Set(
      [...texts, ...nations.flatMap(({ country, adjective = '' }) => [country, adjective])].flatMap(
        wordsOf,
      ),
    )
  }

  #add(person: number, record: PersonRecord): void {
    const { name, also_known_as: others = [], bio = '', country_name: country = '' } = record
    const names = wordsOf([name, ...others].join(' '))
    for (const word of names) add(this.#names, word, person)
    for (const each of [name, ...others]) add(this.#spellings, wordsOf(each).join(''), person)
    for (const word of [...names, ...wordsOf(`${record.topics.join(' ')} ${bio}`)]) {
      add(this.#words, word, person)
      add(this.#numberless, numberless(word), person)
    }
    for (const topic of record.topics) add(this.#topics, topic, person)
    if (country !== '') add(this.#countries, country, person)
    for (const [platform, { handle }] of Object.entries(record.socials ?? {})) {
      const key = handle.replace(/^@/, '').toLowerCase()
      add(this.#handles, key, person)
      add(this.#handles, `${platform}:${key}`, person)
    }
  }

  /** Whose name holds every word of the text. */
  named(text: string): People {
    return common(wordsOf(text).map((word) => this.#names.get(word) ?? nobody))
  }

  /** Whose name holds every word of the text, one of them with a slip. */
  nearlyNamed(text: string): People {
    const words = wordsOf(text)
    const found = new Set<number>()
    for (const [at, word] of words.entries()) {
      const others = words.filter((_, other) => other !== at)
      const rest =
        others.length === 0
          ? this.#everybody
          : common(others.map((other) => this.#names.get(other) ?? nobody))
      if (rest.size === 0) continue
      for (const [known, people] of this.#names) {
        if (!withinSlips(word, known, 1)) continue
        for (const person of people) if (rest.has(person)) found.add(person)
      }
    }
    return found
  }

  /** Whose name is the text, whatever the spaces and points in either. */
  spelled(text: string): People {
    return this.#spellings.get(wordsOf(text).join('')) ?? nobody
  }

  /** Whose record holds every word of the text, in the singular or in the plural. */
  holding(text: string): People {
    return common(wordsOf(text).map((word) => this.#numberless.get(numberless(word)) ?? nobody))
  }

  /** Who has the topic. */
  having(label: string): People {
    return this.#topics.get(label) ?? nobody
  }

  /** Who has the topic, or says so in other words: whose record holds every word of its label. */
  about(label: string): People {
    return new Set([...this.having(label), ...this.holding(label)])
  }

  /** Who is from the country. */
  livingIn(country: string): People {
    return this.#countries.get(country) ?? nobody
  }

  /** Who is from the country, or whose record says so: holds every word of its name or adjective. */
  from(country: string, adjective: string | undefined): People {
    const said = adjective === undefined ? nobody : this.holding(adjective)
    return new Set([...this.livingIn(country), ...this.holding(country), ...said])
  }

  /** Who owns a handle, written in small letters: on a platform (`platform:handle`), or on any. */
  owning(handle: string): People {
    return this.#handles.get(handle) ?? nobody
  }

  /** Whether a word stands in a record, or means a topic or a country. */
  isKnown(word: string): boolean {
    return this.#meanings.has(word) || this.#words.has(word)
  }

  /** The known words that so many slips turn the word into, itself included. */
  near(word: string, most: number): string[] {
    const known = [...this.#words.keys(), ...this.#meanings]
    return known.filter((other) => withinSlips(word, other, most))
  }

  /** The labels and aliases that stand in a text, each as its words whatever their number. */
  keysIn(text: string): (readonly string[])[] {
    const words = wordsOf(text).map(numberless)
    const line = ` ${words.join(' ')} `
    return this.#keys.filter((key) => key.length > 0 && line.includes(` ${key.join(' ')} `))
  }

  /**
   * Whether a text may well mean somebody: a record holds every word of it, the last perhaps only
   * begun or one with a slip, or all words of a topic stand in it.
   */
  mayMean(text: string): boolean {
    const words = wordsOf(text)
    const stems = new Set(words.map(numberless))
    if (this.#keys.some((key) => key.length > 0 && key.every((word) => stems.has(word))))
      return true
    return words.some((word, at) => {
      const others = words.filter((_, other) => other !== at)
      const rest = others.length === 0 ? this.#everybody : this.holding(others.join(' '))
      if (rest.size === 0) return false
      const isLast = at === words.length - 1
      for (const [known, people] of this.#words) {
        const alike = withinSlips(word, known, 1) || (isLast && known.startsWith(word))
        if (alike && [...people].some((person) => rest.has(person))) return true
      }
      return false
    })
  }
}

const nobody: People = new Set()

function add(sets: Map<string, Set<number>>, key: string, person: number): void {
  const people = sets.get(key)
  if (people === undefined) sets.set(key, new Set([person]))
  else people.add(person)
}

/** Who is in all of the sets; nobody where there is none. */
export function common(sets: readonly People[]): People {
  const [least, ...others] = [...sets].sort((a, b) => a.size - b.size)
  if (least === undefined) return nobody
  return new Set([...least].filter((person) => others.every((people) => people.has(person))))
}
