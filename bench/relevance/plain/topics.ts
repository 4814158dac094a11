/** Questions for many people: by topic, by country, by both, in the words people put around them. */
import type { Random } from '../../../test/support/random.ts'
import { inSentence, type Nation, nations } from '../nations.ts'
import { pluralOf } from '../occupations.ts'
import type { Kinds, Question, World } from '../question.ts'
import { common, numberless, wordsOf } from '../truth.ts'

/** A topic as people type it: as it is, or in small letters. */
export function typedLabel(label: string, random: Random): string {
  return random.chance(0.5) ? label : label.toLowerCase()
}

/** A text that asks for those who have topics, and are from a country where one is given. */
function forMany(
  { truth }: World,
  text: string,
  labels: readonly string[],
  { country, adjective }: Partial<Nation> = {},
): Question {
  const right = labels.map((label) => truth.about(label))
  const sure = labels.map((label) => truth.having(label))
  if (country !== undefined) {
    right.push(truth.from(country, adjective))
    sure.push(truth.livingIn(country))
  }
  return { text, right: common(right), sure: common(sure).size }
}

/** The same, unless another topic than these can be read in the text. */
function forManyOnly(
  world: World,
  text: string,
  labels: readonly string[],
  nation?: Nation,
): Question | undefined {
  const meant = labels.map((label) => ` ${wordsOf(label).map(numberless).join(' ')} `)
  const isPart = (key: readonly string[]) =>
    meant.some((label) => label.includes(` ${key.join(' ')} `))
  return world.truth.keysIn(text).every(isPart) ? forMany(world, text, labels, nation) : undefined
}

/** Draws a topic and a country that somebody has both of, and asks for them in some words. */
function together(
  words: (label: string, nation: Nation, world: World, random: Random) => string | undefined,
) {
  return (world: World, random: Random): Question | undefined => {
    const { topics, country_name: country } = world.somebody(random)
    const nation = nations.find((each) => each.country === country)
    const topic = random.pick(topics)
    const text = nation && words(typedLabel(topic, random), nation, world, random)
    return text === undefined ? undefined : forManyOnly(world, text, [topic], nation)
  }
}

/** Several of those who have a topic. */
function several(label: string, { ofOccupations }: World): string {
  return ofOccupations ? pluralOf(label) : `${label} experts`
}

/** A topic in the other number; undefined where English has none. */
function inOtherNumber(label: string, { ofOccupations }: World): string | undefined {
  if (ofOccupations) return pluralOf(label)
  const last = /[a-z]{4,}$/.exec(label)?.[0]
  if (last === undefined || /(ics|ing|ss|us)$/.test(last)) return undefined
  return last.endsWith('s') ? label.slice(0, -1) : pluralOf(label)
}

/** A topic with a slip in a long word, which makes it no other word and near to no other. */
function slippedTopic(world: World, random: Random): Question | undefined {
  const { truth } = world
  const label = random.pick(world.labels)
  const words = label.toLowerCase().split(' ')
  const at = random.below(words.length)
  if (!/^[a-z]{5,}$/.test(words[at]!)) return undefined
  const text = world.withSlip(words, at, random)
  const slip = text?.split(' ')[at]
  if (text === undefined || slip === undefined) return undefined
  const near = truth.near(slip, 1)
  const isAlone = near.every((other) => numberless(other) === numberless(words[at]!))
  return isAlone ? forMany(world, text, [label]) : undefined
}

function twoTopics(world: World, random: Random): Question | undefined {
  const { topics } = world.somebody(random)
  const one = random.pick(topics)
  const other = random.pick(topics)
  if (wordsOf(one).some((word) => wordsOf(other).includes(word))) return undefined
  const joint = random.pick([' ', ' and ', ', '])
  const text = `${typedLabel(one, random)}${joint}${typedLabel(other, random)}`
  return forManyOnly(world, text, [one, other])
}

/** The kinds, by their names. */
export const topicKinds: Kinds = {
  occupation: (world, random) => {
    const label = random.pick(world.labels)
    return forMany(world, typedLabel(label, random), [label])
  },
  'occupation, other number': (world, random) => {
    const label = random.pick(world.labels)
    const other = inOtherNumber(label, world)
    return other === undefined ? undefined : forManyOnly(world, typedLabel(other, random), [label])
  },
  'slip in occupation': slippedTopic,
  'occupation country': together((label, { country }) => `${label} ${country}`),
  'demonym occupation': together((label, { adjective }) => adjective && `${adjective} ${label}`),
  'occupations from Country': together(
    (label, { country }, world) => `${several(label, world)} from ${inSentence(country)}`,
  ),
  'best occupations in Country': together(
    (label, { country }, world) => `best ${several(label, world)} in ${inSentence(country)}`,
  ),
  'who are the top demonym occupations': together(
    (label, { adjective }, world) =>
      adjective && `who are the top ${adjective} ${several(label, world)}`,
  ),
  'two topics': twoTopics,
  'topic and country': together((label, { country }, _, random) =>
    random.pick([
      `${label} in ${inSentence(country)}`,
      `${country}, ${label}`,
      `${label} and ${country}`,
    ]),
  ),
}
