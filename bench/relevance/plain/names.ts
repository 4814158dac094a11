/** Questions for one person by name, the ways people write names and miswrite them. */
import type { Random } from '../../../test/support/random.ts'
import { type Ask, forOne, type Kinds, type Question, type World } from '../question.ts'
import { isUnspaced, scripts } from '../scripts.ts'
import { common, wordsOf } from '../truth.ts'
import { typedLabel } from './topics.ts'

/** A word that is shorter says too little of itself once there is a slip in it. */
const slippedLettersMin = 5

function byName({ truth }: World, text: string): Question {
  return forOne(text, truth.named(text))
}

/** The name with a slip in a word, unless that is what another record holds. */
function nameWithSlip(
  world: World,
  words: readonly string[],
  at: number,
  random: Random,
): Question | undefined {
  if (wordsOf(words[at]!).length !== 1) return undefined
  const text = world.withSlip(words, at, random)
  if (text === undefined || world.truth.holding(text).size > 0) return undefined
  return forOne(text, world.truth.nearlyNamed(text))
}

/** A name with a slip in a word that is long enough, the last one where it is to be that. */
function slippedName(world: World, random: Random, isSurname: boolean): Question | undefined {
  const words = wordsAsWritten(world.somebody(random).name)
  const at = isSurname ? words.length - 1 : random.below(words.length)
  const isLong = [...words[at]!].length >= slippedLettersMin
  return words.length > 1 && isLong ? nameWithSlip(world, words, at, random) : undefined
}

function wordsAsWritten(name: string): string[] {
  return name.split(/[\s・]+/)
}

/** Accents stripped and small letters, as one types on a keyboard that lacks them. */
function folded(name: string): string {
  const strokes: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss' }
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[łøđıß]/g, (letter) => strokes[letter]!)
}

/** The words of a name that are written as one, the family name of one or two characters, or of more. */
function partedName(name: string, random: Random): readonly string[] {
  const words = wordsAsWritten(name)
  if (words.length > 1) return words
  const letters = [...name]
  const at = random.between(1, Math.max(1, Math.min(2, letters.length - 1)))
  return [letters.slice(0, at).join(''), letters.slice(at).join('')]
}

/** A name without spaces with one, or one with a space without, or the other name first. */
function otherwiseSpaced({ truth }: World, name: string, random: Random): Question | undefined {
  if (!isUnspaced(name) || [...name].length < 3) return undefined
  const words = partedName(name, random)
  const text = random.pick([words.join(' '), words.join(''), words.toReversed().join(' ')])
  return text === name ? undefined : forOne(text, truth.spelled(name))
}

/** The kinds, by their names. */
export const nameKinds: Kinds = {
  'name as written': (world, random) => byName(world, world.somebody(random).name),
  'name folded': (world, random) => {
    const { name } = world.somebody(random)
    return forOne(folded(name), world.truth.named(name))
  },
  'Last, First': (world, random) => {
    const words = wordsAsWritten(world.somebody(random).name)
    const last = words.pop()!
    return words.length === 0 ? undefined : byName(world, `${last}, ${words.join(' ')}`)
  },
  'name, other spaces': (world, random) =>
    otherwiseSpaced(world, world.somebody(random).name, random),
  'surname with one slip': (world, random) => slippedName(world, random, true),
  'name with a slip': (world, random) => slippedName(world, random, false),
  'who is NAME?': (world, random) => {
    const { name } = world.somebody(random)
    return forOne(`who is ${name}?`, world.truth.named(name))
  },
  'name and occupation': (world, random) => {
    const { name, topics } = world.somebody(random)
    const topic = random.pick(topics)
    const right = common([world.truth.named(name), world.truth.about(topic)])
    return forOne(`${name} ${typedLabel(topic, random)}`, right)
  },
  'also known as': (world, random) => {
    const { also_known_as: others = [] } = world.somebody(random)
    if (others.length === 0) return undefined
    const text = random.pick(others)
    return world.hiddenNames.some(({ name }) => name === text) ? undefined : byName(world, text)
  },
}

/** Kinds for names of one script: as they are written, and with one slip in any word. */
export const scriptKinds: Kinds = Object.fromEntries(
  scripts.flatMap((script): [string, Ask][] => [
    [
      `${script} as written`,
      (world, random) => {
        const person = world.somebodyOf(script, random)
        return person && byName(world, person.name)
      },
    ],
    [
      `${script}, one slip`,
      (world, random) => {
        const person = world.somebodyOf(script, random)
        if (person === undefined) return undefined
        const words = wordsAsWritten(person.name)
        return nameWithSlip(world, words, random.below(words.length), random)
      },
    ],
  ]),
)
