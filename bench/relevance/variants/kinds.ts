/** Kinds of text that mean one person by a variant of the name, and kinds that nearly do and mean nobody. */
import type { Random } from '../../../test/support/random.ts'
import type { Ask, Kinds, Question, World } from '../question.ts'
import { forms, formsForNobody, type Write } from './forms.ts'
import { type NameParts, namesakesOf, partsOf } from './namesakes.ts'

/** Every way to write a name. */
export const variantKinds: Kinds = Object.fromEntries(
  forms.map(({ kind, write, has, isNear }): [string, Ask] => [
    kind,
    (world, random) => {
      const { truth } = world
      const parts = partsOf(world.somebody(random).name)
      const text = parts && write(parts, random)
      if (text === undefined || parts === undefined) return undefined
      // A slip that makes another's name asks for that one.
      if (isNear && truth.holding(text).size > 0) return undefined
      const near = isNear ? truth.nearlyNamed(text) : []
      const right = [...namesakesOf(truth).of(parts, has), ...truth.named(text), ...near]
      return { text, right: new Set(right), sure: 1 }
    },
  ]),
)

const nobody = (text: string): Question => ({ text, right: new Set(), sure: 0 })

/** Somebody who is not there, and nobody who might be meant. */
function absent(world: World, random: Random): NameParts | undefined {
  const parts = partsOf(random.pick(world.absent).name)
  if (parts === undefined || namesakesOf(world.truth).mayBe(parts)) return undefined
  return world.truth.holding(`${parts.given[0]} ${parts.surname}`).size > 0 ? undefined : parts
}

const missing = (write: Write): Ask => {
  return (world, random) => {
    const parts = absent(world, random)
    const text = parts && write(parts, random)
    return text === undefined || world.truth.holding(text).size > 0 ? undefined : nobody(text)
  }
}

/** A given name of one and the surname of another. */
function crossed(world: World, random: Random): Question | undefined {
  const [one, other] = [partsOf(world.somebody(random).name), partsOf(world.somebody(random).name)]
  if (one === undefined || other === undefined) return undefined
  const parts = { given: one.given, surname: other.surname }
  const text = `${parts.given[0]} ${parts.surname}`
  const { truth } = world
  return namesakesOf(truth).mayBe(parts) || truth.holding(text).size > 0 ? undefined : nobody(text)
}

/** A surname with a letter that no given name of its bearers begins with. */
function wrongLetter(write: (letter: string, surname: string) => string): Ask {
  return (world, random) => {
    const parts = partsOf(world.somebody(random).name)
    if (parts === undefined) return undefined
    const letter = random.pick([...'ABCDEFGHIJKLMNOPRSTVWZ'])
    const isRight = namesakesOf(world.truth).mayBe({ given: [letter], surname: parts.surname })
    return isRight ? undefined : nobody(write(letter, parts.surname))
  }
}

const things =
  'table river yellow quickly banana mountain tractor pillow guitar window lantern carpet umbrella pencil garden kettle'.split(
    ' ',
  )

/** A thing that is nearly nobody's name and stands in no record. */
function thing({ truth }: World, random: Random): string | undefined {
  const word = random.pick(things)
  return namesakesOf(truth).isPart(word) || truth.isKnown(word) ? undefined : word
}

/** Kinds that mean nobody. */
export const noVariantKinds: Kinds = {
  ...Object.fromEntries(
    Object.entries(formsForNobody).map(([kind, write]) => [`not there: ${kind}`, missing(write)]),
  ),
  'not there: surname alone': (world, random) => {
    const parts = absent(world, random)
    if (parts === undefined || namesakesOf(world.truth).isPart(parts.surname)) return undefined
    return world.truth.mayMean(parts.surname) ? undefined : nobody(parts.surname.toLowerCase())
  },
  'given name of one, surname of another': crossed,
  'wrong letter behind': wrongLetter((letter, surname) => `${surname} ${letter}`),
  'wrong letter before': wrongLetter((letter, surname) => `${letter}. ${surname}`),
  'two things': (world, random) => {
    const [one, other] = [thing(world, random), thing(world, random)]
    return one === undefined || other === undefined ? undefined : nobody(`${one} ${other}`)
  },
  'given name and a thing': (world, random) => {
    const word = thing(world, random)
    const parts = partsOf(world.somebody(random).name)
    return word === undefined || parts === undefined
      ? undefined
      : nobody(`${parts.given[0]} ${word}`)
  },
}
