/** Kinds of text that mean no person of the records: each person they find is a stranger. */
import { en, Faker } from '@faker-js/faker'
import type { Random } from '../../../test/support/random.ts'
import type { Question } from '../question.ts'
import { wordsOf } from '../truth.ts'
import { type Ask, fill, firstAndLast, type TypedWorld } from './draw.ts'

function forNobody({ world }: TypedWorld, text: string, about = text): Question | undefined {
  return world.truth.mayMean(about) ? undefined : { text, right: new Set(), sure: 0 }
}

const around = [
  "who's *?",
  'who is *',
  'wer ist *?',
  'quién es *?',
  '*是谁',
  'please find *',
  'mr. *',
  'Dr. *',
  "*'s website",
  'top 10 *',
]

/** A common English word that no record holds, whatever it is near to. */
function word({ world }: TypedWorld, random: Random): Question | undefined {
  const randomizer = { next: () => random.fraction(), seed: () => {} }
  const { word: words } = new Faker({ locale: en, randomizer })
  const text = random.pick([() => words.noun(), () => words.verb(), () => words.adjective()])()
  const { truth } = world
  const isHeld = wordsOf(text).some((each) => truth.isKnown(each) || truth.holding(each).size > 0)
  const isBegun = truth.labels.some((label) => label.toLowerCase().startsWith(text))
  return isHeld || isBegun ? undefined : { text, right: new Set(), sure: 0 }
}

/** Kinds by their names. */
export const nobodyKinds: Readonly<Record<string, Ask>> = {
  'somebody who is not there': (typed, random) =>
    forNobody(typed, random.pick(typed.world.absent).name),
  'somebody who is not there, in a question': (typed, random) => {
    const { name } = random.pick(typed.world.absent)
    return forNobody(typed, fill(random.pick(around), name), firstAndLast(name))
  },
  'first and last name of two': (typed, random) => {
    const one = wordsOf(typed.world.somebody(random).name)
    const other = wordsOf(typed.world.somebody(random).name)
    return forNobody(typed, `${one[0]} ${other.at(-1)}`)
  },
  'common word': word,
  'common word in a question': (typed, random) => {
    const question = word(typed, random)
    return question && { ...question, text: fill(random.pick(around), question.text) }
  },
  'handle without an owner': (typed, random) => {
    const handles = Object.values(random.pick(typed.world.absent).socials ?? {})
    if (handles.length === 0) return undefined
    const handle = random.pick(handles).handle.replace(/^@/, '')
    const text = random.pick([handle, `#${handle}`, `${handle} on twitter`])
    return typed.world.truth.owning(handle.toLowerCase()).size > 0
      ? undefined
      : forNobody(typed, text, handle)
  },
}
