/**
 * Resolves a text without a match to its most likely topic. A key counts only if the text matches
 * it word by word, because a wrong topic answers with strangers.
 */
import { type HashBuckets, hashText, valuesOf } from '../../memory/hash-buckets.ts'
import { textAt } from '../../memory/text-table.ts'
import { tokenSlotBits, tokenSlots } from '../../snapshot/sections.ts'
import { bucketsOf } from '../../snapshot/text-tables.ts'
import { editsBetween, editsOf, lettersOf } from '../../text/edits.ts'
import { numberless } from '../../text/number.ts'
import { remembered } from '../bounded-cache.ts'
import type { Catalog } from '../catalog.ts'
import type { QueryWord } from './query-word.ts'

/** Whether a word tells too much to be left out: that a person is meant, or a place, or who knows what. */
type IsTelling = (word: QueryWord) => boolean

/** Proposals that are compared: enough to hold the best, few enough for microseconds. */
const proposalsMax = 16

/** Keys that are kept read apart: some ten megabytes. */
const keysMax = 16_384

/** Words of the longest text that is compared. */
const wordsMax = 16

/** Letters of the shortest word that may be the beginning of another. */
const beginningMin = 3

interface TopicKey {
  readonly terms: readonly string[]
  readonly topic: number
}

/** The likeness of a text and a topic key; compared from the first number to the last. */
interface Likeness {
  readonly topic: number
  /** The sum over the text's words of how well each is matched by a term of the key, 0 to 1. */
  readonly matched: number
  /** Terms of the key that nothing in the text matches. */
  readonly surplus: number
  readonly size: number
}

export class Resolver {
  readonly #catalog: Catalog
  /** Keys by terms with a slip, and by beginnings. */
  readonly #tokens: readonly HashBuckets[]
  readonly #keyOf = remembered(keysMax, (entry: number) => this.#readKey(entry))

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    const { sections } = catalog
    this.#tokens = [bucketsOf(sections, 'topic-slip'), bucketsOf(sections, 'topic-beginning')]
  }

  resolve(words: readonly QueryWord[], isTelling: IsTelling = () => false): number | undefined {
    if (words.length > wordsMax) return undefined
    const terms = words.flatMap((word) => word.terms)
    const entries = new Set(this.#tokens.flatMap((each) => keysWith(each, terms, proposalsMax)))
    // Most texts have no beginning and no slip of any key.
    if (entries.size === 0) return undefined
    const compared = words.map(comparedWordOf)
    let best: Likeness | undefined
    for (const entry of entries) {
      const likeness = this.#likenessOf(compared, entry, isTelling)
      if (best === undefined || (likeness && isBetter(likeness, best))) best = likeness
    }
    return best?.topic
  }

  #readKey(entry: number): TopicKey {
    const terms = textAt(this.#catalog.tableOf('topic-key'), entry).split(' ')
    return { topic: this.#catalog.sections['topic-key.topics'][entry]!, terms }
  }

  #likenessOf(
    words: readonly Compared[],
    entry: number,
    isTelling: IsTelling,
  ): Likeness | undefined {
    const { terms, topic } = this.#keyOf(entry)
    const used = new Set<number>()
    const unmatched: QueryWord[] = []
    let matched = 0
    for (const compared of words) {
      let best = 0
      let at = -1
      for (let index = 0; index < terms.length; index += 1) {
        const alike = used.has(index) ? 0 : wordLikeness(compared, terms[index]!)
        if (alike > best) {
          best = alike
          at = index
        }
      }
      if (at >= 0) used.add(at)
      else unmatched.push(compared.word)
      matched += best
      // Most keys share no more than one word, and are left here.
      if (!mayBeLikely(unmatched.length, words.length, terms.length)) return undefined
    }
    if (unmatched.some(isTelling)) return undefined
    return { topic, matched, surplus: terms.length - used.size, size: this.#catalog.sizeOf(topic) }
  }
}

function isBetter(a: Likeness, b: Likeness): boolean {
  if (a.matched !== b.matched) return a.matched > b.matched
  if (a.surplus !== b.surplus) return a.surplus < b.surplus
  return a.size > b.size
}

/**
 * Keys by their tokens, spellings of a term that is half written or has a slip: those of the most terms first, of
 * equals those in which they stand nearest to the beginning.
 */
export function keysWith(
  tokens: HashBuckets,
  terms: readonly string[],
  most: number,
): readonly number[] {
  const lists = [...new Set(terms)]
    .map((term) => valuesOf(tokens, hashText(term)))
    .filter(({ length }) => length > 0)
  // Each place holds the keys met once more than the place before.
  const counts = new Map<number, number>()
  const byCount: number[][] = lists.map(() => [])
  const all = byCount.at(-1)
  const next = lists.map(() => 0)
  for (let slot = 0; slot < tokenSlots; slot += 1) {
    for (const [index, list] of lists.entries()) {
      for (; slotAt(list, next[index]!) === slot; next[index]! += 1) {
        const key = list[next[index]!]! >>> tokenSlotBits
        const count = counts.get(key) ?? 0
        counts.set(key, count + 1)
        byCount[count]!.push(key)
        if (all!.length === most) return all!
      }
    }
  }
  return [...new Set(byCount.toReversed().flat())].slice(0, most)
}

function slotAt(list: readonly number[], at: number): number {
  return at < list.length ? list[at]! & ((1 << tokenSlotBits) - 1) : -1
}

interface Compared {
  readonly word: QueryWord
  readonly text: string
  /** The same in either number. */
  readonly spelling: string
  readonly letters: Uint32Array
  /** The number of edits that it may have. */
  readonly edits: number
}

function comparedWordOf(word: QueryWord): Compared {
  const { text } = word
  const letters = lettersOf(text)
  return { word, text, spelling: numberless(text), letters, edits: editsOf(letters.length) }
}

/** Whether every word of the text matches, or the whole key does and is half of the text. */
function mayBeLikely(unmatched: number, words: number, terms: number): boolean {
  return unmatched === 0 || (terms <= words - unmatched && unmatched * 2 <= words)
}

/** 1 for the same word, less for its beginning, less still for a misspelling, 0 for another word. */
function wordLikeness({ text, spelling, letters, edits }: Compared, term: string): number {
  if (text === term || isSpelledAs(spelling, term)) return 1
  const shorter = Math.min(text.length, term.length)
  const longer = Math.max(text.length, term.length)
  if (text.length >= beginningMin && term.startsWith(text)) return 0.8 + 0.1 * (shorter / longer)
  // A letter is one unit or two: words whose lengths differ by more need not be read.
  if (edits === 0 || longer - shorter > 2 * edits) return 0
  const distance = editsBetween(letters, lettersOf(term), edits)
  return distance > edits ? 0 : 0.8 - distance / longer
}

/** Whether a term has a spelling without a number: no number changes the first letter. */
function isSpelledAs(spelling: string, term: string): boolean {
  return spelling.charCodeAt(0) === term.charCodeAt(0) && spelling === numberless(term)
}
