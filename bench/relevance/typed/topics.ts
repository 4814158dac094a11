/** Kinds of text that mean many: topics in questions and by other words, offices, places, operators. */

import type { Random } from '../../../test/support/random.ts'
import { nations } from '../nations.ts'
import { typedLabel } from '../plain/topics.ts'
import type { Ask, Kinds, World } from '../question.ts'
import { common, type People } from '../truth.ts'
import { fill, forAny } from './draw.ts'

const english = [
  'who knows about *?',
  'who should I read on *?',
  "who're the best people for *",
  'whom to follow for *?',
  'top 20 * people',
  'best 5 in *',
  'i want to learn about *',
  'recommend somebody for *',
  "what's new in *",
  'leading voices in *',
  'are there any * specialists',
  'looking for a * expert',
]

const european = [
  'expertos en *',
  'quién sabe de *?',
  'los mejores en *',
  'experts en *',
  'qui connaît *?',
  'les meilleurs en *',
  'experten für *',
  'wer kennt sich mit * aus?',
  'die besten in *',
  'especialistas em *',
  'quem entende de *?',
  'esperti di *',
  'chi conosce *?',
  'i migliori in *',
]

const cjk = ['*の専門家', '*に詳しい人', '*专家', '谁懂*', '* 전문가', '*に関する人']

const states: Readonly<Record<string, string>> = {
  Texas: 'TX',
  California: 'CA',
  Florida: 'FL',
  Ohio: 'OH',
  Georgia: 'GA',
  Illinois: 'IL',
  Michigan: 'MI',
  Virginia: 'VA',
  Arizona: 'AZ',
  Minnesota: 'MN',
}

/** What biographies say of an office. */
const office = /^U\.S\. (Senator|Representative) for ([^,(]+?)(?:, district \d+)? \((\w+)\)/

function labelOf(world: World, random: Random): string {
  const { topics } = world.somebody(random)
  return random.pick(topics)
}

function aboutTopic(templates: readonly string[]): Ask {
  return (world, random) => {
    const label = labelOf(world, random)
    return forAny(fill(random.pick(templates), typedLabel(label, random)), world.truth.about(label))
  }
}

function peopleWhere(
  world: World,
  isRight: (bio: string, topics: readonly string[]) => boolean,
): People {
  const found = new Set<number>()
  for (const [at, { bio = '', topics }] of world.truth.people.entries()) {
    if (isRight(bio, topics)) found.add(at)
  }
  return found
}

function partyOrPlace(world: World, random: Random) {
  const [state, code] = random.pick(Object.entries(states))
  const chamber = random.pick(['Senator', 'Representative'])
  const party = random.pick(['Republican', 'Democrat'])
  const [text, isRight] = random.pick<readonly [string, (each: readonly string[]) => boolean]>([
    [`${code} ${chamber.toLowerCase()}s`, ([, a, b]) => a === chamber && b === state],
    [`${chamber.toLowerCase()}s from ${state}`, ([, a, b]) => a === chamber && b === state],
    [`${party.toLowerCase()}s in ${state}`, ([, , b, c]) => b === state && c === party],
    [`${state} ${party}s`.toLowerCase(), ([, , b, c]) => b === state && c === party],
    [`${code} ${party}`, ([, , b, c]) => b === state && c === party],
    [`who represents ${state}`, ([, , b]) => b === state],
    [`${state} delegation`, ([, , b]) => b === state],
  ])
  const right = peopleWhere(world, (bio) => {
    const read = office.exec(bio)
    return read !== null && isRight(read)
  })
  return forAny(text, right)
}

/** An office of a body, as the biography of somebody says it. */
function role(world: World, random: Random) {
  const { bio = '' } = world.somebody(random)
  const chair =
    /(Vice Chair|Chair|Ranking Member) of the ((?:House|Senate) (?:Select )?Committee on ([\w ,]+?))\./.exec(
      bio,
    )
  const lead = /Leads ([\w ]+?)[.,]/.exec(bio)
  if (chair !== null) {
    const [, what = '', body = '', about = ''] = chair
    const text = random.pick([
      `who is the ${what} of the ${body}`,
      `${about} committee ${what}`.toLowerCase(),
      `${what} ${about}`.toLowerCase(),
    ])
    return forAny(
      text,
      // A chairman is the chair.
      peopleWhere(
        world,
        (each) =>
          new RegExp(`(?<!Vice )${what}(?:man|woman)? of the`).test(each) &&
          each.includes(`on ${about}`),
      ),
    )
  }
  if (lead === null) return undefined
  const about = lead[1]!
  const text = random.pick([
    `who leads ${about}`,
    `${about} lead`,
    `head of ${about}`,
    `${about} leader`,
  ])
  return forAny(
    text,
    peopleWhere(world, (each) => new RegExp(`Leads [^.]*${about}`).test(each)),
  )
}

function operators(world: World, random: Random) {
  const { truth } = world
  const { topics } = world.somebody(random)
  const [one, other] = [random.pick(topics), labelOf(world, random)]
  if (one === other || /[^\w ]/.test(one + other)) return undefined
  const all = new Set([...truth.about(one), ...truth.about(other)])
  const isOne = /^\S+$/.test(other)
  const without = new Set([...truth.about(one)].filter((each) => !truth.about(other).has(each)))
  return random.pick([
    () => forAny(`${one} OR ${other}`, all),
    () => forAny(`${one} | ${other}`, all),
    () => forAny(`${one} AND ${random.pick(topics)}`, truth.about(one)),
    () => (isOne ? forAny(`${one} -${other}`, without) : undefined),
    () => (isOne ? forAny(`${one} NOT ${other}`, without) : undefined),
    () => forAny(`"${one}"`, truth.about(one)),
  ])()
}

const flagOf = (code: string) =>
  [...code].map((letter) => String.fromCodePoint(0x1f1e6 - 65 + letter.charCodeAt(0))).join('')
const flags: Readonly<Record<string, string>> = {
  'United States': 'US',
  Germany: 'DE',
  France: 'FR',
  'United Kingdom': 'GB',
  Australia: 'AU',
  Brazil: 'BR',
  Japan: 'JP',
  Italy: 'IT',
  Spain: 'ES',
  Switzerland: 'CH',
  India: 'IN',
  Canada: 'CA',
}

/** Kinds by their names. */
export const topicKinds: Kinds = {
  'question for a topic, English': aboutTopic(english),
  'question for a topic, European': aboutTopic(european),
  'question for a topic, CJK': aboutTopic(cjk),
  'two topics': (world, random) => {
    const { truth } = world
    const [one, other] = [labelOf(world, random), labelOf(world, random)]
    if (one === other) return undefined
    const both = common([truth.about(one), truth.about(other)])
    const right = both.size > 0 ? both : new Set([...truth.about(one), ...truth.about(other)])
    const joint = random.pick([' and ', ', ', ' & ', ' vs ', ' und ', ' y '])
    return forAny(`${one}${joint}${other}`.toLowerCase(), right)
  },
  'topic by an alias it lacks': ({ hiddenAliases, truth }, random) => {
    if (hiddenAliases.length === 0) return undefined
    const { topic, alias } = random.pick(hiddenAliases)
    return forAny(alias, truth.about(topic))
  },
  'party or place': partyOrPlace,
  'office of a body': role,
  operators,
  'flag and topic': (world, random) => {
    const { topics, country_name: country = '' } = world.somebody(random)
    const code = flags[country]
    if (code === undefined) return undefined
    const topic = random.pick(topics)
    const adjective = nations.find((nation) => nation.country === country)?.adjective
    const { truth } = world
    const text = random.pick([`${flagOf(code)} ${topic}`, `${topic} ${flagOf(code)}`])
    return forAny(text, common([truth.about(topic), truth.from(country, adjective)]))
  },
}
