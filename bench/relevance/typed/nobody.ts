/** Kinds of text that mean no person of the records: each person they find is a stranger. */
import { en, Faker } from '@faker-js/faker'
import type { Random } from '../../../test/support/random.ts'
import type { Kinds, Question, World } from '../question.ts'
import { wordsOf } from '../truth.ts'
import { fill, firstAndLast } from './draw.ts'

function forNobody(world: World, text: string, about = text): Question | undefined {
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
function word(world: World, random: Random): Question | undefined {
  const randomizer = { next: () => random.fraction(), seed: () => {} }
  const { word: words } = new Faker({ locale: en, randomizer })
  const text = random.pick([() => words.noun(), () => words.verb(), () => words.adjective()])()
  const { truth } = world
  const isHeld = wordsOf(text).some((each) => truth.isKnown(each) || truth.holding(each).size > 0)
  const isBegun = truth.labels.some((label) => label.toLowerCase().startsWith(text))
  return isHeld || isBegun ? undefined : { text, right: new Set(), sure: 0 }
}

/** Kinds by their names. */
export const nobodyKinds: Kinds = {
  'somebody who is not there': (world, random) => forNobody(world, random.pick(world.absent).name),
  'somebody who is not there, in a question': (world, random) => {
    const { name } = random.pick(world.absent)
    return forNobody(world, fill(random.pick(around), name), firstAndLast(name))
  },
  'first and last name of two': (world, random) => {
    const one = wordsOf(world.somebody(random).name)
    const other = wordsOf(world.somebody(random).name)
    return forNobody(world, `${one[0]} ${other.at(-1)}`)
  },
  'common word': word,
  'common word in a question': (world, random) => {
    const question = word(world, random)
    return question && { ...question, text: fill(random.pick(around), question.text) }
  },
  'handle without an owner': (world, random) => {
    const handles = Object.values(random.pick(world.absent).socials ?? {})
    if (handles.length === 0) return undefined
    const handle = random.pick(handles).handle.replace(/^@/, '')
    const text = random.pick([handle, `#${handle}`, `${handle} on twitter`])
    return world.truth.owning(handle.toLowerCase()).size > 0
      ? undefined
      : forNobody(world, text, handle)
  },
}
