/**
 * Other nouns for topics, of WordNet's: of the same meaning, of one origin (chemistry, chemist), or a kind of it, in two
 * steps at most. For building an index only.
 *
 * Invariant: a noun means what it means most often; a topic may mean any of its meanings.
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

/** The meanings of the table by their lines. */
class Meanings {
  readonly #text: string
  /** Of each line where its words begin and end. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** The line of a word that has one, the lines of one that has several. */
  readonly #linesOf = new Map<string, number | number[]>()
  readonly #near: Pairs
  readonly #kinds: Pairs

  constructor(text: string) {
    this.#text = text
    const near: number[] = []
    const kinds: number[] = []
    let line = 0
    for (let start = 0; start < text.length; line += 1) {
      const next = text.indexOf('\n', start)
      const end = next < 0 ? text.length : next
      const above = columnAfter(text, start, end)
      this.#starts.push(start)
      this.#ends.push(above)
      for (const word of this.#wordsOf(line)) this.#add(word, line)
      const behind = columnAfter(text, above + 1, end)
      forNumbers(text, above + 1, behind, (other) => kinds.push(other, line))
      forNumbers(text, behind + 1, end, (other) => near.push(other, line, line, other))
      start = end + 1
    }
    this.#near = new Pairs(near, line)
    this.#kinds = new Pairs(kinds, line)
  }

  #add(written: string, line: number): void {
    const word = written.startsWith('-') ? written.slice(1) : written
    const known = this.#linesOf.get(word)
    if (known === undefined) this.#linesOf.set(word, line)
    else if (typeof known === 'number') this.#linesOf.set(word, [known, line])
    else known.push(line)
  }

  linesOf(word: string): readonly number[] {
    const lines = this.#linesOf.get(word) ?? []
    return typeof lines === 'number' ? [lines] : lines
  }

  near(line: number): Uint32Array {
    return this.#near.of(line)
  }

  kindsOf(line: number): Uint32Array {
    return this.#kinds.of(line)
  }

  /** The words that mean a line more often than another. */
  usualWordsOf(line: number): string[] {
    return this.#wordsOf(line).filter((word) => !word.startsWith('-'))
  }

  #wordsOf(line: number): string[] {
    return this.#text.slice(this.#starts[line], this.#ends[line]).split(',')
  }
}

/** Where the column of a place ends. */
function columnAfter(text: string, from: number, end: number): number {
  const tab = from < end ? text.indexOf('\t', from) : end
  return tab < 0 || tab > end ? end : tab
}

/** Numbers to the base 36 with spaces between them. */
function forNumbers(text: string, from: number, to: number, take: (number: number) => void): void {
  for (let at = from; at < to; ) {
    let number = 0
    for (; at < to && text.charCodeAt(at) !== space; at += 1) {
      const unit = text.charCodeAt(at)
      number = 36 * number + (unit < smallA ? unit - zero : unit - smallA + 10)
    }
    take(number)
    at += 1
  }
}

const [space, zero, smallA] = [0x20, 0x30, 0x61]

/** The second of each pair by the first. */
class Pairs {
  readonly #starts: Uint32Array
  readonly #seconds: Uint32Array

  constructor(pairs: readonly number[], firsts: number) {
    this.#starts = new Uint32Array(firsts + 1)
    this.#seconds = new Uint32Array(pairs.length / 2)
    for (let at = 0; at < pairs.length; at += 2) this.#starts[pairs[at]! + 1]! += 1
    for (let first = 0; first < firsts; first += 1) this.#starts[first + 1]! += this.#starts[first]!
    const ends = this.#starts.slice()
    for (let at = 0; at < pairs.length; at += 2) this.#seconds[ends[pairs[at]!]!++] = pairs[at + 1]!
  }

  of(first: number): Uint32Array {
    return this.#seconds.subarray(this.#starts[first], this.#starts[first + 1])
  }
}

const meanings = lazily(() => new Meanings(nouns()))

/** Whether a word is a noun, in the number that it has. */
export function isNoun(word: string): boolean {
  return meanings().linesOf(word).length > 0
}

/** The nouns that mean topics, the nearest first; a noun may stand for several. O(nouns found). */
export function nounsOf(topics: readonly NamedTopic[]): { word: string; topic: number }[] {
  const table = meanings()
  const reached = new Set<number>()
  let level: [line: number, topic: number][] = []
  const reach = (line: number, topic: number) => {
    if (reached.has(line)) return
    reached.add(line)
    level.push([line, topic])
  }
  for (const { topic, keys } of topics) {
    for (const form of keys.flatMap(formsOfKey)) {
      for (const line of table.linesOf(form)) reach(line, topic)
    }
  }
  const found: { word: string; topic: number }[] = []
  for (let step = 0; step <= stepsMax; step += 1) {
    const last = level
    level = []
    for (const [line, topic] of last) {
      for (const word of table.usualWordsOf(line)) found.push({ word, topic })
      if (step === 0) for (const other of table.near(line)) reach(other, topic)
    }
    for (const [line, topic] of last) for (const kind of table.kindsOf(line)) reach(kind, topic)
  }
  return found
}

/** A key in either number. */
function formsOfKey(key: string): string[] {
  const terms = key.split(' ')
  const last = terms.pop()!
  return formsOf(last).map((form) => [...terms, form].join(' '))
}
