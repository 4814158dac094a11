/** What a question of the relevance bench is, and the world that questions are drawn from. */

import { Random } from '../../test/support/random.ts'
import type { PersonRecord, SourceRecords } from '../shared/data/records.ts'
import { vocabulary } from '../shared/data/words.ts'
import { type Half, halfOf } from './halves.ts'
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

/** Draws one question, or undefined where the draw gave none. */
export type Ask = (world: World, random: Random) => Question | undefined

/** Kinds of question by their names. */
export type Kinds = Readonly<Record<string, Ask>>

/** A question for one of some people. */
export function forOne(text: string, right: People): Question {
  return { text, right, sure: 1 }
}

/** Records, and what was taken out of them before they were indexed. */
export interface Drawn {
  readonly present: SourceRecords
  readonly indexed: SourceRecords
  readonly absent: readonly PersonRecord[]
  readonly hiddenNames: readonly { readonly person: number; readonly name: string }[]
  readonly hiddenAliases: readonly { readonly topic: string; readonly alias: string }[]
  /** Whether topics are what people are, such as writers, rather than what they know about. */
  readonly ofOccupations: boolean
}

const differentLettersMin = 15

/** What the questions of one half are drawn from; who is right for them, both halves say. */
export class World {
  readonly truth: Truth
  readonly ofOccupations: boolean
  /** The places of those who are drawn. */
  readonly places: readonly number[]
  readonly absent: readonly PersonRecord[]
  readonly labels: readonly string[]
  readonly hiddenNames: Drawn['hiddenNames']
  readonly hiddenAliases: Drawn['hiddenAliases']
  /** The different letters of each script that has enough of them to make up words. */
  readonly alphabets: readonly (readonly string[])[]
  /** Words that sound like words and mean nothing. */
  readonly inventions: readonly string[]
  readonly #letters: ReadonlyMap<Script, readonly string[]>
  readonly #ofScript = new Map<Script, PersonRecord[]>()

  constructor(drawn: Drawn, truth: Truth, half: Half) {
    const { people } = truth
    const isDrawn = (key: string) => halfOf(key) === half
    this.truth = truth
    this.ofOccupations = drawn.ofOccupations
    this.places = [...people.keys()].filter((place) => isDrawn(people[place]!.sdu))
    this.absent = drawn.absent.filter(({ sdu }) => isDrawn(sdu))
    this.labels = truth.labels.filter(isDrawn)
    this.hiddenNames = drawn.hiddenNames.filter(({ person }) => isDrawn(people[person]!.sdu))
    this.hiddenAliases = drawn.hiddenAliases.filter(({ topic }) => isDrawn(topic))
    for (const person of this.places.map((place) => people[place]!)) {
      const script = scriptOf(person.name)
      if (script === undefined) continue
      const others = this.#ofScript.get(script) ?? []
      this.#ofScript.set(script, others)
      others.push(person)
    }
    this.#letters = lettersOf(people.map(({ name }) => name))
    this.alphabets = Array.from(this.#letters.values(), (letters) => [...new Set(letters)]).filter(
      ({ length }) => length >= differentLettersMin,
    )
    this.inventions = vocabulary(new Random(3, 1), 20_000).filter(
      (word) => word.length > 5 && isDrawn(word),
    )
  }

  /** Anybody who is in the index. */
  somebody(random: Random): PersonRecord {
    return this.truth.people[random.pick(this.places)]!
  }

  /** Anybody whose name is of a script. */
  somebodyOf(script: Script, random: Random): PersonRecord | undefined {
    const people = this.#ofScript.get(script)
    return people && random.pick(people)
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

/** The worlds of both halves. */
export function worldOf(drawn: Drawn): (half: Half) => World {
  const truth = new Truth(drawn.present)
  return (half) => new World(drawn, truth, half)
}

/** How often a kind is asked for each question that is wanted, before it is given up. */
const drawsPerQuestion = 20

/** Up to so many different questions of a kind; fewer where the records do not give more. */
export function questionsOf(
  ask: Ask,
  world: World,
  random: Random,
  count: number,
): readonly Question[] {
  const questions = new Map<string, Question>()
  for (let draw = 0; draw < drawsPerQuestion * count && questions.size < count; draw += 1) {
    const question = ask(world, random)
    if (question !== undefined) questions.set(question.text, question)
  }
  return [...questions.values()]
}
