/**
 * From what a person typed to the topic they meant: misspelled, half written, or one word of
 * several. FlexSearch proposes topics over labels and aliases; the proposals are then compared with
 * the text term by term, so that the best one wins and a poor one never answers.
 */
import { Index } from 'flexsearch'

/** The label or alias of a topic, as the analyzer spells it. */
export interface TopicKey {
  readonly key: string
  readonly topic: number
}

/** Proposals of each index that are compared: enough to hold the best, few enough for microseconds. */
const proposalsMax = 32

export class Resolver {
  readonly #pending: Iterator<TopicKey>
  readonly #keys: TopicKey[] = []
  readonly #sizeOf: (topic: number) => number
  /** Words with a letter missing or two exchanged. */
  readonly #tolerant = newIndex('tolerant')
  /** Beginnings of words. */
  readonly #forward = newIndex('forward')

  /** @param sizeOf how many members a topic has: of equal proposals the larger topic wins. */
  constructor(keys: Iterable<TopicKey>, sizeOf: (topic: number) => number) {
    this.#pending = keys[Symbol.iterator]()
    this.#sizeOf = sizeOf
  }

  /** Indexes one more key, in microseconds; answers false when none is left. */
  prepareNext(): boolean {
    const { done, value } = this.#pending.next()
    if (done === true) return false
    this.#tolerant.add(this.#keys.length, value.key)
    this.#forward.add(this.#keys.length, value.key)
    this.#keys.push(value)
    return true
  }

  /** The topic that the terms most likely mean, or undefined when nothing is near. */
  resolve(terms: readonly string[]): number | undefined {
    let best: { likeness: Likeness; topic: number } | undefined
    for (const entry of this.#propose(terms)) {
      const { key, topic } = this.#keys[entry]!
      const likeness = likenessOf(terms, key.split(' '), this.#sizeOf(topic))
      if (likeness.matched === 0) continue
      if (best === undefined || compare(likeness, best.likeness) > 0) best = { likeness, topic }
    }
    return best?.topic
  }

  #propose(terms: readonly string[]): Set<number> {
    const options = { limit: proposalsMax, suggest: true }
    const text = terms.join(' ')
    const found = new Set<number>()
    for (const index of [this.#tolerant, this.#forward]) {
      for (const entry of index.search(text, options)) found.add(Number(entry))
    }
    if (found.size > 0) return found
    // A letter too many or a wrong one: without it, the word is one that has a letter missing.
    for (const term of terms) {
      for (let position = 0; position < term.length && term.length > 2; position += 1) {
        const shorter = term.slice(0, position) + term.slice(position + 1)
        for (const entry of this.#tolerant.search(shorter, options)) found.add(Number(entry))
      }
    }
    return found
  }
}

function newIndex(tokenize: 'tolerant' | 'forward'): Index {
  return new Index({ tokenize, encode: (key: string) => key.split(' ') })
}

/** How alike a text and a topic key are; compared from the first field to the last. */
interface Likeness {
  /** The sum over the text's terms of how well each is matched by a term of the key, 0 to 1. */
  readonly matched: number
  /** Terms of the key that nothing in the text matches, negated. */
  readonly surplus: number
  readonly size: number
}

function compare(a: Likeness, b: Likeness): number {
  return a.matched - b.matched || a.surplus - b.surplus || a.size - b.size
}

function likenessOf(terms: readonly string[], keyTerms: readonly string[], size: number): Likeness {
  const used = new Set<number>()
  let matched = 0
  for (const term of terms) {
    let best = 0
    let at = -1
    keyTerms.forEach((keyTerm, index) => {
      const alike = used.has(index) ? 0 : termLikeness(term, keyTerm)
      if (alike > best) {
        best = alike
        at = index
      }
    })
    if (at >= 0) used.add(at)
    matched += best
  }
  return { matched, surplus: used.size - keyTerms.length, size }
}

/** 1 for the same term, less for its beginning, less still for a misspelling, 0 for another word. */
function termLikeness(term: string, keyTerm: string): number {
  if (term === keyTerm) return 1
  const shorter = Math.min(term.length, keyTerm.length)
  const longer = Math.max(term.length, keyTerm.length)
  if (keyTerm.startsWith(term) && term.length >= 2) return 0.8 + 0.1 * (shorter / longer)
  const edits = shorter < 3 ? 0 : shorter < 7 ? 1 : 2
  const distance = editDistance(term, keyTerm, edits)
  return distance > edits ? 0 : 0.8 - distance / longer
}

/**
 * Optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions and
 * exchanges of neighbours. Anything above `most` is answered as `most + 1`.
 */
function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(
        last[column]! + 1,
        current[column - 1]! + 1,
        last[column - 1]! + (same ? 0 : 1),
      )
      const exchanged = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (exchanged && row > 1 && column > 1) cost = Math.min(cost, beforeLast[column - 2]! + 1)
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return Math.min(last[b.length]!, most + 1)
}
