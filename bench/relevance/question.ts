/** What a question of the relevance bench is, and the world that questions are drawn from. */

import { Random } from '../../test/support/random.ts'
import type { PersonRecord } from '../shared/data/records.ts'
import { vocabulary } from '../shared/data/words.ts'
import type { Parted } from './parted.ts'
import { lettersOf, type Script, scriptOf } from './scripts.ts'
import { slipped } from './slips.ts'
import { type People, Truth, wordsOf } from './truth.ts'

/** A text and who is meant by it; empty where nobody is. */
export interface Question {
  readonly text: string
  readonly right: People
  /** How many of them could not be missed: others are meant only in other words. */
  readonly sure: number
}

/**
 * What is asked of the answers to a kind: that somebody who is meant comes first, that those who are
 * meant fill the first ten, that there are none.
 */
export type Aim = 'first' | 'ten' | 'nobody'

/** A kind of question; `ask` draws one, or undefined where the draw gave none. */
export interface Kind {
  readonly aim: Aim
  readonly ask: (world: World, random: Random) => Question | undefined
}

/** Kinds by their names. */
export type Kinds = Readonly<Record<string, Kind>>

/** A question for one of some people. */
export function forOne(text: string, right: People): Question {
  return { text, right, sure: 1 }
}

const differentLettersMin = 15

/** What questions are drawn from. */
export class World {
  readonly truth: Truth
  readonly absent: readonly PersonRecord[]
  /** Whether topics are what people are, such as writers, rather than what they know about. */
  readonly ofOccupations: boolean
  /** The different letters of each script that has enough of them to make up words. */
  readonly alphabets: readonly (readonly string[])[]
  /** Words that sound like words and mean nothing. */
  readonly inventions: readonly string[]
  readonly #letters: ReadonlyMap<Script, readonly string[]>

  constructor({ present, absent }: Parted, ofOccupations: boolean) {
    this.truth = new Truth(present)
    this.absent = absent
    this.ofOccupations = ofOccupations
    this.#letters = lettersOf(present.authorities.map(({ name }) => name))
    this.alphabets = Array.from(this.#letters.values(), (letters) => [...new Set(letters)]).filter(
      ({ length }) => length >= differentLettersMin,
    )
    this.inventions = vocabulary(new Random(3, 1), 20_000).filter(({ length }) => length > 5)
  }

  /** Anybody who is in the index. */
  somebody(random: Random): PersonRecord {
    return random.pick(this.truth.people)
  }

  /** The words as a text, with a slip in the one at a place; undefined where nobody would see it. */
  withSlip(words: readonly string[], at: number, random: Random): string | undefined {
    const word = words[at]!
    const script = scriptOf(word)
    if (script === undefined) return undefined
    const before = wordsOf(words.join(' '))
    const text = words.with(at, slipped(word, this.#letters.get(script)!, random)).join(' ')
    const after = wordsOf(text)
    // A mark without its letter is nothing that anybody types.
    const isTyped = after.length === before.length && !after.some((each) => /^\p{M}/u.test(each))
    return isTyped && after.join() !== before.join() ? text : undefined
  }
}
