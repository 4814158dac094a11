/**
 * Kinds of text that mean one person or two by name, with what people put around names, and with
 * names as people shorten and miswrite them.
 */
import { allLocales, Faker } from '@faker-js/faker'
import type { Random } from '../../../test/support/random.ts'
import { type Ask, forOne, type Kinds, type World } from '../question.ts'
import { slipped } from '../slips.ts'
import { common, wordsOf } from '../truth.ts'
import { fill, firstAndLast, forAny, forName, named, typedName } from './draw.ts'

/** What stands before names, by language, as a package has it that the service does not use. */
const prefixLocales = ['en', 'de', 'fr', 'es', 'pt_BR', 'it'] as const

function prefixOf(random: Random): string {
  const locale = random.pick(prefixLocales)
  const randomizer = { next: () => random.fraction(), seed: () => {} }
  const faker = new Faker({ locale: [allLocales[locale], allLocales.en], randomizer })
  return faker.person.prefix()
}

/** Titles of the offices that biographies name. */
const offices: readonly { readonly bio: RegExp; readonly titles: readonly string[] }[] = [
  {
    bio: /^U\.S\. Senator/,
    titles: ['sen.', 'Sen', 'Senator', 'US senator', 'senador', 'sénateur'],
  },
  {
    bio: /^U\.S\. Representative/,
    titles: ['rep.', 'Rep', 'Representative', 'congressman', 'Congresswoman', 'congressperson'],
  },
]

const questions: Readonly<Record<string, readonly string[]>> = {
  en: [
    "who's *?",
    'who is * really',
    'what does * do?',
    'tell me something about *',
    'do you know *?',
    'can you find *',
    "what is *'s job?",
    'where can I follow *?',
    'is * an expert?',
    'what do we know about *',
  ],
  es: ['quién es *?', '¿quién es *?', 'quien es *', 'información sobre *', 'buscar a *'],
  fr: ['qui est *?', "c'est qui *", 'qui est-ce que *', 'parlez-moi de *', 'je cherche *'],
  de: ['wer ist *?', 'wer ist denn *', 'was macht *', 'informationen über *', 'ich suche *'],
  pt: ['quem é *?', 'quem e *', 'o que faz *?', 'informações sobre *', 'procuro *'],
  it: ['chi è *?', 'chi e *', 'cosa fa *?', 'informazioni su *', 'cerco *'],
  ja: ['*とは誰ですか', '*さんについて', '*は誰', '*って誰？'],
  zh: ['*是谁', '谁是*', '*是谁？', '请问*是谁'],
  ko: ['*은 누구', '*은 누구인가요?', '* 누구', '*에 대해'],
}

const courtesies = [
  'please show me *',
  'hi, I am looking for *',
  '* please',
  'hello, * thanks',
  'could you please look up *',
  'thank you for finding *',
  'i need the profile of *',
  'info on *',
]

const contractions = [
  "*'s twitter",
  "*'s website",
  '*’s profile',
  "what's * known for",
  "who're * and colleagues",
  "where's * from",
  '* bio',
  '* contact',
]

const pairs = ['* and @', '* vs @', '*, @', '* & @', '* or @', '* und @', '* y @', '* et @']

function around(templates: readonly string[]): Ask {
  return (world, random) => {
    const name = named(world, random)?.name
    if (name === undefined) return undefined
    const about = firstAndLast(name)
    return forName(world, fill(random.pick(templates), typedName(about, random)), about)
  }
}

function titled(world: World, random: Random) {
  const person = named(world, random)
  if (person === undefined) return undefined
  const office = offices.find(({ bio }) => bio.test(person.bio ?? ''))
  const name = firstAndLast(person.name)
  if (office === undefined || random.chance(0.4)) {
    return forName(world, `${prefixOf(random)} ${typedName(name, random)}`, name)
  }
  const title = random.pick(office.titles)
  if (random.chance(0.5)) return forName(world, `${title} ${typedName(name, random)}`, name)
  const last = name.split(' ').at(-1)!
  const { truth } = world
  const right = [...truth.named(last)].filter((each) =>
    office.bio.test(truth.people[each]!.bio ?? ''),
  )
  return forOne(`${title} ${typedName(last, random)}`, new Set(right))
}

function two(world: World, random: Random) {
  const [one, other] = [named(world, random), named(world, random)]
  if (one === undefined || other === undefined || one === other) return undefined
  const [a, b] = [firstAndLast(one.name), firstAndLast(other.name)]
  const text = random
    .pick(pairs)
    .replace('*', typedName(a, random))
    .replace('@', typedName(b, random))
  const { truth } = world
  return forAny(text, new Set([...truth.named(a), ...truth.named(b)]))
}

/** The first letters of all given names and the last word. */
function initials(world: World, random: Random) {
  const name = named(world, random)?.name
  if (name === undefined) return undefined
  const words = wordsOf(name)
  const given = words.slice(0, -1)
  if (given.length > 3 || words.at(-1)!.length < 3) return undefined
  const letters = given.map((word) => [...word][0]!)
  const short = random.pick([
    letters.join(''),
    letters.map((each) => `${each}.`).join(' '),
    letters.join(' '),
  ])
  const { truth } = world
  const right = [...truth.named(words.at(-1)!)].filter((each) => {
    const others = wordsOf(truth.people[each]!.name)
    const at = others.indexOf(words.at(-1)!)
    return letters.every((letter, index) => index < at && others[index]!.startsWith(letter))
  })
  return forOne(`${short} ${words.at(-1)}`, new Set(right))
}

/** A name of which one word has a slip that makes it another word that stands in somebody's record. */
function anchored(world: World, random: Random) {
  const name = named(world, random)?.name
  if (name === undefined) return undefined
  const words = wordsOf(firstAndLast(name))
  const at = random.below(2)
  if (words.length !== 2 || words[at]!.length < 5) return undefined
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  for (let draw = 0; draw < 40; draw += 1) {
    const slip = slipped(words[at]!, letters, random)
    if (!world.truth.isKnown(slip) || slip === words[at]) continue
    const text = words.with(at, slip).join(' ')
    if (world.truth.holding(text).size > 0) continue
    return forOne(text, world.truth.nearlyNamed(text))
  }
  return undefined
}

/** Kinds by their names. */
export const nameKinds: Kinds = {
  'title and name': titled,
  'question for a name, English': around(questions.en!),
  'question for a name, European': (world, random) =>
    around(questions[random.pick(['es', 'fr', 'de', 'pt', 'it'])]!)(world, random),
  'question for a name, CJK': (world, random) =>
    around(questions[random.pick(['ja', 'zh', 'ko'])]!)(world, random),
  'own script in a question': (world, random) => {
    const { name } = world.somebody(random)
    if (!/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+$/u.test(name)) {
      return undefined
    }
    const language = /\p{Script=Hangul}/u.test(name) ? 'ko' : random.pick(['ja', 'zh'])
    return forName(world, fill(random.pick(questions[language]!), name), name)
  },
  'courtesy and name': around(courtesies),
  'contraction and name': around(contractions),
  'two names': two,
  'name and a topic': (world, random) => {
    const person = named(world, random)
    if (person === undefined) return undefined
    const name = firstAndLast(person.name)
    const topic = random.pick(person.topics)
    const text = random.pick([`${name} on ${topic}`, `${topic} ${name}`, `${name} (${topic})`])
    const { truth } = world
    return forAny(text.toLowerCase(), common([truth.named(name), truth.about(topic)]))
  },
  initials,
  'nickname or other name': ({ hiddenNames }, random) => {
    if (hiddenNames.length === 0) return undefined
    const { person, name } = random.pick(hiddenNames)
    return forOne(typedName(name, random), new Set([person]))
  },
  'a slip that is a known word': anchored,
}
