/**
 * What people type into a search, by kind: texts drawn from the records of a snapshot, words drawn
 * by how many have them, and hostile texts. Each kind has a bound for what it may cost.
 */
import type { ActiveSnapshot } from '../../src/api/active-snapshot.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { Random } from '../../test/support/random.ts'
import { slipped } from '../relevance/slips.ts'
import { sdusOf, topicTexts } from '../shared/data/data.ts'
import { makeQueries } from '../shared/data/queries.ts'
import { getter } from '../shared/in-process.ts'

/** What a kind may cost, in microseconds; undefined where nothing is said of it. */
export interface Bounds {
  readonly meanUsMax?: number
  readonly p50UsMax?: number
  readonly p99UsMax?: number
  readonly mostUsMax?: number
}

/** Texts of one kind. */
export interface Kind extends Bounds {
  readonly name: string
  readonly texts: readonly string[]
}

/** What is known of a person. */
interface Person {
  readonly name: string
  readonly topic: string
  readonly country: string
  /** Of the bio, the name and the topics, from three letters on. */
  readonly words: readonly string[]
}

/** What every kind of usual text may cost. */
const usual: Bounds = { p50UsMax: 50, p99UsMax: 300 }
/** What a text as people type it may cost: with a title, an office, a platform, a place. */
const typed: Bounds = { p50UsMax: 60, p99UsMax: 400 }
/** What words drawn by how many have them may cost, whether they find anybody or not. */
const drawnUsMax = { few: 20, many: 40, manyAuthorities: 1_000_000 } as const
/** What the worst text may cost. */
const worst: Bounds = { mostUsMax: 3_000 }

/** Characters of the longest query that is read. */
const queryLength = 256

const letters = [...'abcdefghijklmnopqrstuvwxyz']
const consonants = [...'bcdfghjklmnpqrstvwxz']

/** Draws so many texts of every kind, and some hostile ones. */
export function drawKinds(snapshot: Snapshot, served: ActiveSnapshot, count: number): Kind[] {
  const random = new Random(13, count)
  const people = drawPeople(snapshot, served, count, random)
  const { labels } = topicTexts(snapshot)
  const someone = () => random.pick(people)
  const slip = (word: string) => slipped(word, letters, random)
  const kind = (name: string, make: () => string): Kind => {
    return { name, ...usual, texts: Array.from({ length: count }, make) }
  }
  return [
    kind('name', () => someone().name),
    kind('who is NAME?', () => `who is ${someone().name}?`),
    kind('surname, one slip', () => slip(lastOf(someone().name))),
    kind('name, one slip', () => replaceLast(someone().name, slip)),
    kind('topic', () => random.pick(labels)),
    kind('topic, one slip', () => replaceFirst(random.pick(labels), slip)),
    kind('topic country', () => ofPlace(someone(), (topic, country) => `${topic} ${country}`)),
    kind('topics from Country', () =>
      ofPlace(someone(), (topic, country) => `${topic}s from ${country}`),
    ),
    kind('best topic in Country', () =>
      ofPlace(someone(), (topic, country) => `best ${topic} in ${country}`),
    ),
    kind('two topics', () => `${random.pick(labels)} ${random.pick(labels)}`),
    kind('name and topic', () => nameAndTopic(someone())),
    kind('two words of one', () => wordsOfOne(someone(), 2, random)),
    kind('three words of one', () => wordsOfOne(someone(), 3, random)),
    kind('two words of two', () => `${oneWord(someone(), random)} ${oneWord(someone(), random)}`),
    kind('nonsense', () => `${nonsense(random)} ${nonsense(random)}`),
    kind('one letter', () => random.pick(letters)),
    ...typedKinds(kind, someone, () => random.pick(labels)),
    ...drawnKinds(snapshot, served, count),
    { name: 'hostile', ...worst, texts: hostileTexts(people, labels, random) },
  ]
}

/** Texts with words around a name or a topic: most of them go down the whole ladder of ways. */
function typedKinds(
  kind: (name: string, make: () => string) => Kind,
  someone: () => Person,
  label: () => string,
): Kind[] {
  const kinds = [
    kind('title and name', () => `Dr. ${someone().name}`),
    kind('title and surname', () => `senator ${lastOf(someone().name)}`),
    kind('nickname and surname', () => `bill ${lastOf(someone().name)}`),
    kind('initial and surname', () => `${someone().name[0]} ${lastOf(someone().name)}`),
    kind(
      'first and last of two',
      () => `${someone().name.split(' ')[0]} ${lastOf(someone().name)}`,
    ),
    kind('NAME on github', () => `${someone().name.replace(' ', '')} on github`),
    kind('NAME and NAME', () => `${someone().name} and ${someone().name}`),
    kind('head of TOPIC', () => `head of ${label()}`),
    kind('who chairs the TOPIC committee', () => `who chairs the ${label()} committee`),
    kind('texas TOPIC', () => `texas ${label()}`),
  ]
  return kinds.map((each) => ({ ...each, ...typed }))
}

/** Words drawn by how many have them; of those that find nobody as many as there are. */
function drawnKinds(snapshot: Snapshot, served: ActiveSnapshot, count: number): Kind[] {
  const { few, many, manyAuthorities } = drawnUsMax
  const meanUsMax = snapshot.header.counts.authorities < manyAuthorities ? few : many
  const {
    'two words': two = [],
    'three words': three = [],
    miss = [],
  } = makeQueries(snapshot, served, count)
  const findsNobody = (text: string) => served.search.find(text, 1).way === 'nobody'
  return [
    { name: 'two words drawn', meanUsMax, texts: two },
    { name: 'of these, nobody has', texts: two.filter(findsNobody) },
    { name: 'three words drawn', texts: three },
    { name: 'one word that nobody has', texts: miss },
  ]
}

/** Two or three words of a person's record, as many texts as asked for, each another one. */
export function drawWordsOfOne(
  snapshot: Snapshot,
  served: ActiveSnapshot,
  count: number,
): string[] {
  const random = new Random(17, count)
  const people = drawPeople(snapshot, served, count, random)
  const texts = people.map((person) => wordsOfOne(person, random.chance(0.5) ? 2 : 3, random))
  return [...new Set(texts)]
}

function drawPeople(
  snapshot: Snapshot,
  served: ActiveSnapshot,
  count: number,
  random: Random,
): Person[] {
  const sdus = sdusOf(snapshot)
  const get = getter(served)
  return Array.from({ length: count }, () => {
    const [found] = JSON.parse(get(`/api/v1/detail?sdus=${random.pick(sdus)}`)).results
    const { name, bio, country, topics } = found
    const text = [bio, name, ...topics].join(' ')
    const words = text.split(/[^\p{L}\p{M}\p{N}]+/u).filter(({ length }) => length > 2)
    return { name, country: country === '' ? 'France' : country, topic: topics[0], words }
  })
}

function ofPlace(
  { topic, country }: Person,
  write: (topic: string, country: string) => string,
): string {
  return write(topic, country)
}

function nameAndTopic({ name, topic }: Person): string {
  return `${name} ${topic}`
}

function oneWord({ words }: Person, random: Random): string {
  return random.pick(words)
}

function wordsOfOne(person: Person, count: number, random: Random): string {
  return Array.from({ length: count }, () => oneWord(person, random)).join(' ')
}

function nonsense(random: Random): string {
  return Array.from({ length: 7 }, () => random.pick(consonants)).join('')
}

function lastOf(text: string): string {
  return text.split(' ').at(-1)!
}

function replaceLast(text: string, replace: (word: string) => string): string {
  const words = text.split(' ')
  return [...words.slice(0, -1), replace(words.at(-1)!)].join(' ')
}

function replaceFirst(text: string, replace: (word: string) => string): string {
  const [first = '', ...others] = text.split(' ')
  return [replace(first), ...others].join(' ')
}

/** Texts as long as they may be that ask for as much work as they can. */
function hostileTexts(
  people: readonly Person[],
  labels: readonly string[],
  random: Random,
): string[] {
  const fill = (make: () => string, between = ' '): string => {
    let text = make()
    while (text.length < queryLength) text += between + make()
    return text.slice(0, queryLength)
  }
  const word = () => oneWord(random.pick(people), random)
  const slip = () => slipped(word(), letters, random)
  const character = () => String.fromCodePoint(0x4e00 + random.below(500))
  const texts = (make: () => string) => Array.from({ length: 20 }, make)
  return [
    fill(() => 'a'),
    fill(() => 'ab', ''),
    fill(() => random.pick(letters)),
    fill(() => 'the'),
    fill(() => '"', ''),
    fill(() => 'x', ''),
    fill(() => random.pick(people).country),
    fill(() => '字', ''),
    ...texts(() => fill(character, '')),
    ...texts(() => fill(word)),
    ...texts(() => fill(() => random.pick(labels))),
    ...texts(() => fill(() => random.pick(people).name)),
    ...texts(() => fill(slip)),
    // As many slips as are looked for, in as much of a text as there can be.
    ...texts(() => `${slip()} ${slip()} ${fill(word)}`.slice(0, queryLength)),
    ...texts(() => `${slip()} ${slip()} ${fill(() => 'who is the best')}`.slice(0, queryLength)),
  ]
}
