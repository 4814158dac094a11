/**
 * The questions of the relevance bench: for each kind of text that people type, texts drawn from
 * the records, each with who is meant.
 */
import { Random } from '../random.ts'
import { vocabulary } from '../words.ts'
import { inSentence, type Nation, nations } from './nations.ts'
import { pluralOf } from './occupations.ts'
import type { Parted, PersonRecord } from './records.ts'
import { lettersOf, type Script, scriptOf } from './scripts.ts'
import { slipped } from './slips.ts'
import { subjects } from './subjects.ts'
import { common, numberless, type People, Truth, wordsOf } from './truth.ts'

/** A text and who is meant by it; empty where nobody is. */
export interface Question {
  readonly text: string
  readonly right: People
  /** Those of them who could not be missed: others are meant only in other words. */
  readonly sure: number
}

/**
 * What is asked of the answers to a kind: that somebody who is meant comes first, that those who are
 * meant fill the first ten, that there are none.
 */
export type Aim = 'first' | 'ten' | 'nobody'

/** A kind of question; `ask` draws one, or undefined where the draw gave none. */
interface Kind {
  readonly aim: Aim
  readonly ask: (world: World, random: Random) => Question | undefined
}

/** What questions are drawn from. */
export class World {
  readonly truth: Truth
  readonly absent: readonly PersonRecord[]
  /** Whether topics are what people are, such as writers, rather than what they know about. */
  readonly ofOccupations: boolean
  readonly letters: ReadonlyMap<Script, readonly string[]>
  /** The different letters of each script that has enough of them to make up words. */
  readonly alphabets: readonly (readonly string[])[]
  /** Words that sound like words and mean nothing. */
  readonly inventions: readonly string[]

  constructor({ present, absent }: Parted, ofOccupations: boolean) {
    this.truth = new Truth(present)
    this.absent = absent
    this.ofOccupations = ofOccupations
    this.letters = lettersOf(present.authorities.map(({ name }) => name))
    this.alphabets = Array.from(this.letters.values(), (letters) => [...new Set(letters)]).filter(
      ({ length }) => length >= 15,
    )
    this.inventions = vocabulary(new Random(3, 1), 20_000).filter(({ length }) => length > 5)
  }

  somebody(random: Random): PersonRecord {
    return random.pick(this.truth.people)
  }

  /** Several of those who have a topic. */
  many(label: string): string {
    return this.ofOccupations ? pluralOf(label) : `${label} experts`
  }

  /** The text with a slip in its word at a place; undefined where the slip cannot be seen. */
  withSlip(words: readonly string[], at: number, random: Random): string | undefined {
    const word = words[at]!
    const script = scriptOf(word)
    if (script === undefined) return undefined
    const text = words.with(at, slipped(word, this.letters.get(script)!, random)).join(' ')
    const seen = wordsOf(text)
    return seen.length === words.length && seen.join() !== wordsOf(words.join(' ')).join()
      ? text
      : undefined
  }
}

/** The words of a name as they are written. */
function writtenWords(name: string): string[] {
  return name.split(/\s+/).filter((word) => wordsOf(word).length === 1)
}

/** A question for one of some people. */
function forOne(text: string, right: People): Question {
  return { text, right, sure: 1 }
}

function byName({ truth }: World, text: string): Question {
  return forOne(text, truth.named(text))
}

/** The name with a slip in one word, unless that is another name or another thing to ask. */
function nameWithSlip(
  world: World,
  words: readonly string[],
  at: number,
  random: Random,
): Question | undefined {
  const text = world.withSlip(words, at, random)
  if (text === undefined || world.truth.holding(text).size > 0) return undefined
  return forOne(text, world.truth.nearlyNamed(text))
}

/** Accents stripped and small letters, as one types on a keyboard that lacks them. */
function typed(name: string): string {
  const strokes: Readonly<Record<string, string>> = { ł: 'l', ø: 'o', đ: 'd', ı: 'i', ß: 'ss' }
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[łøđıß]/g, (letter) => strokes[letter]!)
}

/** A name with a slip in a word of four letters or more, the last one where it is to be that. */
function slippedName(world: World, random: Random, isSurname: boolean): Question | undefined {
  const words = writtenWords(world.somebody(random).name)
  const long = [...words.keys()].filter((at) => [...words[at]!].length >= 4)
  const at = isSurname ? words.length - 1 : random.pick(long)
  if (words.length < 2 || at === undefined || !long.includes(at)) return undefined
  return nameWithSlip(world, words, at, random)
}

/** A topic as people type it: as it is, or in small letters. */
function typedLabel(label: string, random: Random): string {
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

/** Whether no other topic than these can be read in a text. */
function isOnlyAbout({ truth }: World, text: string, labels: readonly string[]): boolean {
  const meant = labels.map((label) => ` ${wordsOf(label).map(numberless).join(' ')} `)
  return truth.keysIn(text).every((key) => {
    return meant.some((label) => label.includes(` ${key.join(' ')} `))
  })
}

/** Draws a topic and a country that somebody has both of, and asks for them in some words. */
function asksTogether(
  words: (world: World, label: string, nation: Nation, random: Random) => string | undefined,
) {
  return (world: World, random: Random): Question | undefined => {
    const { topics, country_name: country } = world.somebody(random)
    const nation = nations.find((each) => each.country === country)
    const label = typedLabel(random.pick(topics), random)
    const text = nation && words(world, label, nation, random)
    if (nation === undefined || text === undefined) return undefined
    const topic = topics.find((each) => each.toLowerCase() === label.toLowerCase())!
    return isOnlyAbout(world, text, [topic]) ? forMany(world, text, [topic], nation) : undefined
  }
}

/** A topic in the other number. */
function otherNumber(world: World, label: string): string | undefined {
  if (world.ofOccupations) return pluralOf(label)
  const last = /[a-z]{4,}$/.exec(label)?.[0]
  if (last === undefined || /(ics|ing|ss|us)$/.test(last)) return undefined
  return last.endsWith('s') ? label.slice(0, -1) : pluralOf(label)
}

/** A topic with a slip in a long word, which makes it no other word and near to no other. */
function slippedTopic(world: World, random: Random): Question | undefined {
  const { truth } = world
  const label = random.pick(truth.labels)
  const words = label.toLowerCase().split(' ')
  const at = random.below(words.length)
  if (!/^[a-z]{5,}$/.test(words[at]!)) return undefined
  const text = world.withSlip(words, at, random)
  if (text === undefined) return undefined
  const near = truth.near(wordsOf(text)[at]!, 1)
  const alone = near.every((other) => numberless(other) === numberless(words[at]!))
  return alone ? forMany(world, text, [label]) : undefined
}

function twoTopics(world: World, random: Random): Question | undefined {
  const { topics } = world.somebody(random)
  const one = random.pick(topics)
  const other = random.pick(topics)
  if (wordsOf(one).some((word) => wordsOf(other).includes(word))) return undefined
  const joint = random.pick([' ', ' and ', ', '])
  const text = `${typedLabel(one, random)}${joint}${typedLabel(other, random)}`
  const both = [one, other]
  return isOnlyAbout(world, text, both) ? forMany(world, text, both) : undefined
}

/** The handles of a person as `platform` and `handle` without `@`. */
function handlesOf({ socials = {} }: PersonRecord): { platform: string; handle: string }[] {
  return Object.entries(socials).map(([platform, { handle }]) => {
    return { platform, handle: handle.replace(/^@/, '') }
  })
}

const addresses: Readonly<Record<string, (handle: string) => string>> = {
  facebook: (handle) => `https://www.facebook.com/${handle}`,
  github: (handle) => `https://github.com/${handle}`,
  instagram: (handle) => `https://www.instagram.com/${handle}/`,
  mastodon: (handle) => {
    const [name, server] = handle.split('@')
    return `https://${server}/@${name}`
  },
  orcid: (handle) => `https://orcid.org/${handle}`,
  twitter: (handle) => `https://x.com/${handle}`,
  youtube: (handle) => `https://www.youtube.com/@${handle}`,
}

/** A handle of somebody as it is typed, with what it is known by in the truth. */
function drawnHandle(
  person: PersonRecord,
  random: Random,
  write: (platform: string, handle: string) => { text: string; key: string } | undefined,
): { text: string; key: string } | undefined {
  const handles = handlesOf(person)
  if (handles.length === 0) return undefined
  const { platform, handle } = random.pick(handles)
  return write(platform, handle)
}

function asHandle(random: Random) {
  return (platform: string, handle: string) =>
    platform === 'orcid' || random.chance(0.5)
      ? { text: `${platform}:${handle}`, key: `${platform}:${handle.toLowerCase()}` }
      : { text: `@${handle}`, key: handle.toLowerCase() }
}

function asAddress(platform: string, handle: string) {
  const text = addresses[platform]?.(handle)
  return text === undefined ? undefined : { text, key: `${platform}:${handle.toLowerCase()}` }
}

/** A text that means nobody: no record explains it. */
function forNobody({ truth }: World, text: string): Question | undefined {
  return truth.mayMean(text) ? undefined : { text, right: new Set(), sure: 0 }
}

/** Words that nobody has and that are no slip of a word that somebody has. */
function nonsense(world: World, random: Random): Question | undefined {
  const { truth, inventions, alphabets } = world
  const alphabet = random.pick(alphabets)
  const made = () =>
    random.chance(0.5)
      ? random.pick(inventions)
      : Array.from({ length: random.between(6, 10) }, () => random.pick(alphabet)).join('')
  const text = Array.from({ length: random.between(1, 3) }, made).join(' ')
  const meaningless = wordsOf(text).every((word) => truth.near(word, 2).length === 0)
  return meaningless ? forNobody(world, text) : undefined
}

/** Every kind, by its name. */
export const kinds: Readonly<Record<string, Kind>> = {
  'name as written': {
    aim: 'first',
    ask: (world, random) => byName(world, world.somebody(random).name),
  },
  'name folded': {
    aim: 'first',
    ask: (world, random) => byName(world, typed(world.somebody(random).name)),
  },
  'Last, First': {
    aim: 'first',
    ask: (world, random) => {
      const words = writtenWords(world.somebody(random).name)
      return words.length < 2
        ? undefined
        : byName(world, `${words.at(-1)}, ${words.slice(0, -1).join(' ')}`)
    },
  },
  'surname with one slip': {
    aim: 'first',
    ask: (world, random) => slippedName(world, random, true),
  },
  'name with a slip': {
    aim: 'first',
    ask: (world, random) => slippedName(world, random, false),
  },
  'who is NAME?': {
    aim: 'first',
    ask: (world, random) => {
      const { name } = world.somebody(random)
      return forOne(`who is ${name}?`, world.truth.named(name))
    },
  },
  'name and occupation': {
    aim: 'first',
    ask: (world, random) => {
      const { name, topics } = world.somebody(random)
      const topic = random.pick(topics)
      const right = common([world.truth.named(name), world.truth.about(topic)])
      return forOne(`${name} ${typedLabel(topic, random)}`, right)
    },
  },
  'also known as': {
    aim: 'first',
    ask: (world, random) => {
      const { also_known_as: others = [] } = world.somebody(random)
      return others.length === 0 ? undefined : byName(world, random.pick(others))
    },
  },
  handle: {
    aim: 'first',
    ask: (world, random) => {
      const drawn = drawnHandle(world.somebody(random), random, asHandle(random))
      return drawn && forOne(drawn.text, world.truth.owning(drawn.key))
    },
  },
  address: {
    aim: 'first',
    ask: (world, random) => {
      const drawn = drawnHandle(world.somebody(random), random, asAddress)
      return drawn && forOne(drawn.text, world.truth.owning(drawn.key))
    },
  },
  SDU: {
    aim: 'first',
    ask: ({ truth }, random) => {
      const person = random.below(truth.people.length)
      return forOne(truth.people[person]!.sdu, new Set([person]))
    },
  },
  occupation: {
    aim: 'ten',
    ask: (world, random) => {
      const label = random.pick(world.truth.labels)
      return forMany(world, typedLabel(label, random), [label])
    },
  },
  'occupation, other number': {
    aim: 'ten',
    ask: (world, random) => {
      const label = random.pick(world.truth.labels)
      const other = otherNumber(world, label)
      if (other === undefined || !isOnlyAbout(world, other, [label])) return undefined
      return forMany(world, typedLabel(other, random), [label])
    },
  },
  'slip in occupation': { aim: 'ten', ask: slippedTopic },
  'occupation country': {
    aim: 'ten',
    ask: asksTogether((_, label, { country }) => `${label} ${country}`),
  },
  'demonym occupation': {
    aim: 'ten',
    ask: asksTogether((_, label, { adjective }) => adjective && `${adjective} ${label}`),
  },
  'occupations from Country': {
    aim: 'ten',
    ask: asksTogether(
      (world, label, { country }) => `${world.many(label)} from ${inSentence(country)}`,
    ),
  },
  'best occupations in Country': {
    aim: 'ten',
    ask: asksTogether(
      (world, label, { country }) => `best ${world.many(label)} in ${inSentence(country)}`,
    ),
  },
  'who are the top demonym occupations': {
    aim: 'ten',
    ask: asksTogether(
      (world, label, { adjective }) =>
        adjective && `who are the top ${adjective} ${world.many(label)}`,
    ),
  },
  'two topics': { aim: 'ten', ask: twoTopics },
  'topic and country': {
    aim: 'ten',
    ask: asksTogether((_, label, { country }, random) =>
      random.pick([
        `${label} in ${inSentence(country)}`,
        `${country}, ${label}`,
        `${label} and ${country}`,
      ]),
    ),
  },
  'people who are not there': {
    aim: 'nobody',
    ask: (world, random) => forNobody(world, random.pick(world.absent).name),
  },
  'handles and addresses of people who are not there': {
    aim: 'nobody',
    ask: (world, random) => {
      const write = random.chance(0.5) ? asHandle(random) : asAddress
      const drawn = drawnHandle(random.pick(world.absent), random, write)
      const isOwned = drawn !== undefined && world.truth.owning(drawn.key).size > 0
      return drawn === undefined || isOwned ? undefined : forNobody(world, drawn.text)
    },
  },
  'subjects that nobody has': {
    aim: 'nobody',
    ask: (world, random) => forNobody(world, random.pick(subjects)),
  },
  'words that mean nothing': { aim: 'nobody', ask: nonsense },
}

/** Up to so many different questions of a kind; fewer where the records do not give more. */
export function questionsOf(
  { ask }: Kind,
  world: World,
  random: Random,
  count: number,
): Question[] {
  const questions = new Map<string, Question>()
  for (let draw = 0; draw < 20 * count && questions.size < count; draw += 1) {
    const question = ask(world, random)
    if (question !== undefined) questions.set(question.text, question)
  }
  return [...questions.values()]
}

/** Names of one script, and the same with one slip in any word. */
export function scriptQuestions(
  script: Script,
  world: World,
  random: Random,
  count: number,
): { readonly written: Question[]; readonly slipped: Question[] } {
  const people = world.truth.people.filter(({ name }) => scriptOf(name) === script)
  const drawn = people.length === 0 ? [] : Array.from({ length: count }, () => random.pick(people))
  const names = [...new Set(drawn.map(({ name }) => name))]
  return {
    written: names.map((name) => byName(world, name)),
    slipped: names.flatMap((name) => {
      const words = writtenWords(name)
      return nameWithSlip(world, words, random.below(words.length), random) ?? []
    }),
  }
}
