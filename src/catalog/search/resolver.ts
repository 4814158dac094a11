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

/** Proposals that are compared: enough to hold the best, few enough for microseconds. */
const proposalsMax = 16

/** A proposal and what it is compared by. */
interface IndexedKey {
  readonly terms: readonly string[]
  readonly topic: number
}

/** How alike a text and a topic key are; compared from the first field to the last. */
interface Likeness {
  /** The sum over the text's terms of how well each is matched by a term of the key, 0 to 1. */
  readonly matched: number
  /** Terms of the key that nothing in the text matches. */
  readonly surplus: number
  readonly size: number
}

export class Resolver {
  readonly #pending: Iterator<TopicKey>
  readonly #keys: IndexedKey[] = []
  /** Words with a letter missing or two exchanged. */
  readonly #tolerant = newIndex('tolerant')
  /** Beginnings of words. */
  readonly #forward = newIndex('forward')
  readonly #distance = new EditDistance()

  constructor(keys: Iterable<TopicKey>) {
    this.#pending = keys[Symbol.iterator]()
  }

  /** Indexes one more key, in microseconds; answers false when none is left. */
  prepareNext(): boolean {
    const { done, value } = this.#pending.next()
    if (done === true) return false
    this.#tolerant.add(this.#keys.length, value.key)
    this.#forward.add(this.#keys.length, value.key)
    this.#keys.push({ terms: value.key.split(' '), topic: value.topic })
    return true
  }

  /**
   * The topic that the terms most likely mean, or undefined when nothing is near.
   * @param sizeOf how many members a topic has: of equal proposals the larger topic wins.
   */
  resolve(terms: readonly string[], sizeOf: (topic: number) => number): number | undefined {
    let best: { likeness: Likeness; topic: number } | undefined
    for (const entry of this.#propose(terms)) {
      const { terms: keyTerms, topic } = this.#keys[entry]!
      const likeness = this.#likenessOf(terms, keyTerms, sizeOf(topic))
      if (likeness.matched === 0) continue
      if (best === undefined || isBetter(likeness, best.likeness)) best = { likeness, topic }
    }
    return best?.topic
  }

  /** The first way that proposes anything: misspelled words, beginnings, a letter too many. */
  #propose(terms: readonly string[]): Iterable<number> {
    const options = { limit: proposalsMax, suggest: true }
    const text = terms.join(' ')
    const misspelled = this.#tolerant.search(text, options)
    if (misspelled.length > 0) return misspelled.map(Number)
    const begun = this.#forward.search(text, options)
    if (begun.length > 0) return begun.map(Number)
    // Without the letter that is wrong or too many, the word is one that has a letter missing.
    const found = new Set<number>()
    for (const term of terms) {
      for (let position = 0; position < term.length && term.length > 2; position += 1) {
        const shorter = term.slice(0, position) + term.slice(position + 1)
        for (const entry of this.#tolerant.search(shorter, options)) found.add(Number(entry))
      }
    }
    return found
  }

  #likenessOf(terms: readonly string[], keyTerms: readonly string[], size: number): Likeness {
    const used = new Set<number>()
    let matched = 0
    for (const term of terms) {
      let best = 0
      let at = -1
      for (let index = 0; index < keyTerms.length; index += 1) {
        const alike = used.has(index) ? 0 : this.#termLikeness(term, keyTerms[index]!)
        if (alike > best) {
          best = alike
          at = index
        }
      }
      if (at >= 0) used.add(at)
      matched += best
    }
    return { matched, surplus: keyTerms.length - used.size, size }
  }

  /** 1 for the same term, less for its beginning, less still for a misspelling, 0 for another word. */
  #termLikeness(term: string, keyTerm: string): number {
    if (term === keyTerm) return 1
    const shorter = Math.min(term.length, keyTerm.length)
    const longer = Math.max(term.length, keyTerm.length)
    if (shorter >= 2 && keyTerm.startsWith(term)) return 0.8 + 0.1 * (shorter / longer)
    const edits = shorter < 3 ? 0 : shorter < 7 ? 1 : 2
    const distance = this.#distance.between(term, keyTerm, edits)
    return distance > edits ? 0 : 0.8 - distance / longer
  }
}

/**
 * `keystore` spreads the index over 256 maps: one map of all grows in steps of up to 60 ms (measured
 * at 10,000 topics), which requests would wait for.
 */
function newIndex(tokenize: 'tolerant' | 'forward'): Index {
  return new Index({ tokenize, keystore: 8, encode: (key: string) => key.split(' ') })
}

function isBetter(a: Likeness, b: Likeness): boolean {
  if (a.matched !== b.matched) return a.matched > b.matched
  if (a.surplus !== b.surplus) return a.surplus < b.surplus
  return a.size > b.size
}

const rowLengthMax = 65

/**
 * Optimal string alignment distance (Damerau 1964): insertions, deletions, substitutions and
 * exchanges of neighbours. It keeps its three rows, because it is asked hundreds of times a query.
 */
class EditDistance {
  #beforeLast = new Uint8Array(rowLengthMax)
  #last = new Uint8Array(rowLengthMax)
  #current = new Uint8Array(rowLengthMax)

  /** The distance, or anything above `most` when it is more than that or a term is very long. */
  between(a: string, b: string, most: number): number {
    const columns = b.length
    if (Math.abs(a.length - columns) > most || columns >= rowLengthMax) return most + 1
    for (let column = 0; column <= columns; column += 1) this.#last[column] = column
    for (let row = 1; row <= a.length; row += 1) {
      if (this.#fillRow(a, b, row) > most) return most + 1
      const spare = this.#beforeLast
      this.#beforeLast = this.#last
      this.#last = this.#current
      this.#current = spare
    }
    return this.#last[columns]!
  }

  /** Fills the current row and answers the least distance in it: later rows have none below. */
  #fillRow(a: string, b: string, row: number): number {
    const last = this.#last
    const current = this.#current
    const unit = a.charCodeAt(row - 1)
    const before = a.charCodeAt(row - 2)
    current[0] = row
    let least = row
    for (let column = 1; column <= b.length; column += 1) {
      const other = b.charCodeAt(column - 1)
      let cost = last[column - 1]! + (unit === other ? 0 : 1)
      cost = Math.min(cost, last[column]! + 1, current[column - 1]! + 1)
      if (row > 1 && column > 1 && unit === b.charCodeAt(column - 2) && before === other) {
        cost = Math.min(cost, this.#beforeLast[column - 2]! + 1)
      }
      current[column] = cost
      if (cost < least) least = cost
    }
    return least
  }
}
