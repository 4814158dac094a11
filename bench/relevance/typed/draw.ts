/** What the kinds of typed text share. Nothing here knows how the service understands a text. */

import type { Random } from '../../../test/support/random.ts'
import type { PersonRecord } from '../../shared/data/records.ts'
import { forOne, type Question, type World } from '../question.ts'
import { type People, wordsOf } from '../truth.ts'

const latin = /^[\p{Script=Latin}' .-]+$/u

/** Somebody whose name is of two words or more in Latin letters. */
export function named(world: World, random: Random): PersonRecord | undefined {
  const person = world.somebody(random)
  const isNamed = latin.test(person.name) && wordsOf(person.name).length > 1
  return isNamed ? person : undefined
}

/** As people type a name: as it is, or in small letters. */
export function typedName(name: string, random: Random): string {
  return random.chance(0.4) ? name : name.toLowerCase()
}

/** First and last word of a name. */
export function firstAndLast(name: string): string {
  const words = name.split(/\s+/)
  return words.length < 3 ? name : `${words[0]} ${words.at(-1)}`
}

/** A question for the people whose names hold all words of a name. */
export function forName({ truth }: World, text: string, name: string): Question | undefined {
  const right = truth.named(name)
  return right.size === 0 ? undefined : forOne(text, right)
}

/** A question for any of some people. */
export function forAny(text: string, right: People): Question | undefined {
  return right.size === 0 ? undefined : { text, right, sure: Math.min(10, right.size) }
}

/** A template with what it is about in place of its `*`. */
export function fill(template: string, about: string): string {
  return template.replace('*', about)
}
