/**
 * From a text that nobody has to the topic that it is likely to mean: half written, or with a word too
 * many. Labels and aliases are proposed by the tokens that they share with it; a proposal is taken only
 * if the text is about it word by word, because a wrong topic answers with strangers.
 */
import { type Texts, textAt } from '../../memory/text-table.ts'
import { editsBetween, editsOf, lettersOf } from '../../text/edits.ts'
import { numberless } from '../../text/number.ts'
import { TokenIndex, type TopicTokens } from '../likely/topic-tokens.ts'
import type { Asked } from './words.ts'

/** The labels and aliases of topics, as the analyzer spells them, each with its topic. */
export interface TopicKeys extends Texts {
  readonly topics: Uint32Array
}

/** What a snapshot says of topics and words. */
export interface Facts {
  /** How many members a topic has: of equal proposals the larger topic wins. */
  readonly sizeOf: (topic: number) => number
  /** Whether a word tells too much to be left out: that a person is meant, or a place, or who knows what. */
  readonly isTelling: (word: Asked) => boolean
}

/** Proposals that are compared: enough to hold the best, few enough for microseconds. */
const proposalsMax = 16

/** Words of the longest text that is compared. */
const wordsMax = 16

/** Letters of the shortest word that may be the beginning of another. */
const beginningMin = 3

/** A proposal and what it is compared by. */
interface IndexedKey {
  readonly terms: readonly string[]
  readonly topic: number
}

/** How alike a text and a topic key are; compared from the first field to the last. */
interface Likeness {
  /** The sum over the text's words of how well each is matched by a term of the key, 0 to 1. */
  readonly matched: number
  /** Words of the text that no term of the key matches. */
  readonly unmatched: readonly Asked[]
  /** Terms of the key that nothing in the text matches. */
  readonly surplus: number
  readonly size: number
}

export class Resolver {
  readonly #texts: TopicKeys
  /** Those that were compared: made when they first are. */
  readonly #keys: (IndexedKey | undefined)[]
  /** Words with a letter missing or two exchanged. */
  readonly #slips: TokenIndex
  /** Beginnings of words. */
  readonly #beginnings: TokenIndex

  /** @param tokens of the keys. */
  constructor(keys: TopicKeys, { slips, beginnings }: TopicTokens) {
    this.#texts = keys
    this.#keys = new Array(keys.ends.length)
    this.#slips = new TokenIndex(slips)
    this.#beginnings = new TokenIndex(beginnings)
  }

  /** The topic that some words most likely mean, or undefined when nothing is near enough. */
  resolve(words: readonly Asked[], facts: Facts): number | undefined {
    if (words.length > wordsMax) return undefined
    let best: { likeness: Likeness; topic: number } | undefined
    for (const entry of this.#propose(words.flatMap(({ terms }) => terms))) {
      const { terms, topic } = this.#keyOf(entry)
      const likeness = this.#likenessOf(words, terms, facts.sizeOf(topic))
      if (!isLikely(likeness, words.length, facts)) continue
      if (best === undefined || isBetter(likeness, best.likeness)) best = { likeness, topic }
    }
    return best?.topic
  }

  /** What is proposed by misspelled words, and by beginnings. */
  #propose(terms: readonly string[]): Iterable<number> {
    const indexes = [this.#slips, this.#beginnings]
    return new Set(indexes.flatMap((index) => index.find(terms, proposalsMax)))
  }

  #keyOf(entry: number): IndexedKey {
    this.#keys[entry] ??= {
      terms: textAt(this.#texts, entry).split(' '),
      topic: this.#texts.topics[entry]!,
    }
    return this.#keys[entry]
  }

  #likenessOf(words: readonly Asked[], keyTerms: readonly string[], size: number): Likeness {
    const used = new Set<number>()
    const unmatched: Asked[] = []
    let matched = 0
    for (const word of words) {
      let best = 0
      let at = -1
      for (let index = 0; index < keyTerms.length; index += 1) {
        const alike = used.has(index) ? 0 : this.#wordLikeness(word.text, keyTerms[index]!)
        if (alike > best) {
          best = alike
          at = index
        }
      }
      if (at >= 0) used.add(at)
      else unmatched.push(word)
      matched += best
    }
    return { matched, unmatched, surplus: keyTerms.length - used.size, size }
  }

  /** 1 for the same word, less for its beginning, less still for a misspelling, 0 for another word. */
  #wordLikeness(word: string, keyTerm: string): number {
    if (word === keyTerm || numberless(word) === numberless(keyTerm)) return 1
    const shorter = Math.min(word.length, keyTerm.length)
    const longer = Math.max(word.length, keyTerm.length)
    if (word.length >= beginningMin && keyTerm.startsWith(word)) {
      return 0.8 + 0.1 * (shorter / longer)
    }
    // A letter is one unit or two: words whose lengths differ by more need not be read.
    if (longer - shorter > 2 * editsOf(longer)) return 0
    const letters = lettersOf(word)
    const edits = editsOf(letters.length)
    const distance = edits === 0 ? 1 : editsBetween(letters, lettersOf(keyTerm), edits)
    return distance > edits ? 0 : 0.8 - distance / longer
  }
}

/**
 * Whether the key matches every word of the text, or the text the whole key and half of it is that.
 * Nothing is left of it then that tells who is meant.
 */
function isLikely({ unmatched, surplus }: Likeness, words: number, { isTelling }: Facts): boolean {
  if (unmatched.length === 0) return true
  return surplus === 0 && unmatched.length * 2 <= words && !unmatched.some(isTelling)
}

function isBetter(a: Likeness, b: Likeness): boolean {
  if (a.matched !== b.matched) return a.matched > b.matched
  if (a.surplus !== b.surplus) return a.surplus < b.surplus
  return a.size > b.size
}
