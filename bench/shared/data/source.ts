/**
 * A synthetic source of any size, in the shape of real data: few topics, words, people and handles are very
 * common, most are rare. What is needed twice follows from the number of the authority, so memory is bounded by a
 * few words per authority.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectionKind } from '../../../src/connection-kinds.ts'
import { mix, Random, Sampler, zipf } from '../../../test/support/random.ts'
import { capitalized, Names, vocabulary } from './words.ts'

interface GenerateOptions {
  readonly authorities: number
  /** Created if it is not there; the three files in it are replaced. */
  readonly directory: string
  readonly connectionsPer?: number
  /** Words of the longest bio; the shortest has half of them. */
  readonly bioWordsMax?: number
}

const seed = 1
const vocabularyWords = 50_000
const platforms = ['bluesky', 'github', 'instagram', 'linkedin', 'mastodon', 'twitter', 'youtube']
const countries = (
  'United States,India,China,Brazil,Germany,United Kingdom,France,Japan,Spain,Italy,Canada,' +
  'Mexico,Poland,Netherlands,Türkiye,South Korea,Australia,Greece,Israel,Egypt,Thailand,Sweden,' +
  'Ukraine,Argentina,Nigeria,Kenya,Côte d’Ivoire,Switzerland,Portugal,Viet Nam,Norway,Chile'
).split(',')
/** Kinds of connections with their shares of a hundred, and whether they have weights. */
const kinds: readonly { kind: ConnectionKind; share: number; weighted: boolean }[] = [
  { kind: 'follows', share: 60, weighted: false },
  { kind: 'mentions', share: 15, weighted: true },
  { kind: 'co_membership', share: 10, weighted: true },
  { kind: 'coauthor', share: 10, weighted: true },
  { kind: 'collaborates', share: 5, weighted: false },
]

/**
 * Writes `authorities.ndjson`, `connections.ndjson` and `topics.ndjson`. Blocks until it is done:
 * about a minute for a million authorities with 20 connections each.
 */
export function generate(options: GenerateOptions): void {
  const { authorities, directory, connectionsPer = 20, bioWordsMax = 40 } = options
  const people = new People()
  const { aliased, labels } = makeTopics(people.words, topicCount(authorities))
  mkdirSync(directory, { recursive: true })
  const file = (name: string) => join(directory, `${name}.ndjson`)
  writeLines(file('topics'), aliased.length, (index) => JSON.stringify(aliased[index]))
  writeLines(file('authorities'), authorities, authorityLines(people, labels, bioWordsMax))
  const connections = authorities * connectionsPer
  writeLines(file('connections'), connections, connectionLines(people, authorities))
}

function topicCount(authorities: number): number {
  return Math.min(10_000, Math.max(20, Math.floor(authorities / 100)))
}

/** Appends lines in pieces of about a mebibyte; a blocking write is all the backpressure needed. */
function writeLines(path: string, lines: number, line: (index: number) => string): void {
  const descriptor = openSync(path, 'w')
  let text = ''
  for (let index = 0; index < lines; index++) {
    text += line(index)
    text += '\n'
    if (text.length < 1 << 20 && index + 1 < lines) continue
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written)
    }
    text = ''
  }
  closeSync(descriptor)
}

interface Topics {
  /** By rank: the first is the most common one. */
  readonly labels: readonly string[]
  readonly aliased: readonly { readonly topic: string; readonly aliases: readonly string[] }[]
}

/** Labels of one to three words; every fourth has one or two aliases. No text is used twice. */
function makeTopics(words: readonly string[], count: number): Topics {
  const random = new Random(seed, 1)
  const used = new Set<string>()
  const fresh = (): string => {
    const text = Array.from({ length: random.between(1, 3) }, () => random.pick(words)).join(' ')
    if (used.has(text)) return fresh()
    used.add(text)
    return capitalized(text)
  }
  const labels = Array.from({ length: count }, fresh)
  const aliased = labels
    .filter((_, index) => index % 4 === 0)
    .map((topic) => ({ topic, aliases: Array.from({ length: random.between(1, 2) }, fresh) }))
  return { labels, aliased }
}

class People {
  readonly words = vocabulary(new Random(seed, 0), vocabularyWords)

  /** 10 to 18 digits; the last nine are another for every authority below a thousand million. */
  sdu(authority: number): string {
    const head = 1 + (mix(seed, authority) % 999_999_999)
    // A power of three has no factor in common with a power of ten, so this is a permutation.
    const tail = (authority * 3 ** 12) % 1_000_000_000
    return `${head}${String(tail).padStart(9, '0')}`
  }

  /** Letters, then the number, so that no two people have one. Some write it with capitals. */
  handle(authority: number): string {
    const bits = mix(seed + 1, authority)
    const first = this.words[bits % 1000]!
    const second = this.words[(bits >>> 10) % 5000]!
    return bits >>> 30 === 0
      ? `${capitalized(first)}${capitalized(second)}${authority}`
      : `${first}${second}${authority}`
  }

  /** One to three platforms, next to each other in the list. */
  platforms(authority: number): number[] {
    const bits = mix(seed + 2, authority)
    const first = bits % platforms.length
    const count = 1 + ((bits >>> 16) % 3)
    return Array.from({ length: count }, (_, step) => (first + step) % platforms.length)
  }
}

function authorityLines(
  people: People,
  labels: readonly string[],
  bioWordsMax: number,
): (authority: number) => string {
  const random = new Random(seed, 2)
  const names = new Names(new Random(seed, 3))
  const topicRanks = zipf(labels.length, 1)
  const wordRanks = zipf(vocabularyWords, 1)
  const countryRanks = zipf(countries.length, 1)
  return (authority) => {
    const name = names.draw(random)
    return JSON.stringify({
      sdu: people.sdu(authority),
      name,
      bio: bioOf(random, people.words, wordRanks, bioWordsMax),
      country_name: random.chance(0.05) ? '' : countries[countryRanks.draw(random)],
      topics: topicsOf(random, labels, topicRanks),
      socials: socialsOf(random, people, authority),
      website: random.chance(0.2)
        ? `https://${people.handle(authority)}.example`.toLowerCase()
        : null,
    })
  }
}

function bioOf(random: Random, words: readonly string[], ranks: Sampler, wordsMax: number): string {
  const count = random.between(Math.ceil(wordsMax / 2), wordsMax)
  let bio = capitalized(words[ranks.draw(random)]!)
  for (let index = 1; index < count; index++) {
    const word = words[ranks.draw(random)]!
    bio += index % 12 === 0 ? `. ${capitalized(word)}` : ` ${word}`
  }
  return `${bio}.`
}

/** One to five different topics; one in ten carries a weight. */
function topicsOf(random: Random, labels: readonly string[], ranks: Sampler) {
  const count = random.between(1, 5)
  const chosen = new Set<number>()
  while (chosen.size < count) chosen.add(ranks.draw(random))
  return Array.from(chosen, (rank) => {
    const topic = labels[rank]!
    return random.chance(0.1) ? { topic, weight: random.between(1, 100) / 100 } : topic
  })
}

/**
 * The handles of an authority. One in a hundred has the handle of the authority before, too, on
 * the platform before the first of that one, where its owner never is. So a bare handle can have
 * two owners, while on a platform it has one.
 */
function socialsOf(random: Random, people: People, authority: number) {
  const socials: Record<string, { handle: string; followers: number }> = {}
  for (const platform of people.platforms(authority)) {
    socials[platforms[platform]!] = {
      handle: people.handle(authority),
      followers: followersOf(random),
    }
  }
  if (authority > 0 && random.chance(0.01)) {
    const [first] = people.platforms(authority - 1)
    const platform = platforms[(first! + platforms.length - 1) % platforms.length]!
    socials[platform] = { handle: people.handle(authority - 1), followers: followersOf(random) }
  }
  return socials
}

/** Log-normal: half have fewer than 2,000, one in a hundred more than 100,000. */
function followersOf(random: Random): number {
  return Math.round(2000 * Math.exp(1.7 * random.normal()))
}

/**
 * Connections whose ends are both drawn by Zipf's law, so degrees follow a power law in both
 * directions. A few ends are handles; nobody owns those that begin with `ghost`.
 */
function connectionLines(people: People, authorities: number): (connection: number) => string {
  const random = new Random(seed, 4)
  const sources = { order: random.permutation(authorities), ranks: zipf(authorities, 0.5) }
  const targets = { order: random.permutation(authorities), ranks: zipf(authorities, 0.85) }
  const ghosts = zipf(Math.max(10, Math.floor(authorities / 20)), 0.85)
  const kindShares = new Sampler(kinds.map(({ share }) => share))
  const endOf = (authority: number): string => {
    const chance = random.fraction()
    if (chance >= 0.03) return people.sdu(authority)
    const platform = platforms[people.platforms(authority)[0]!]!
    return `${platform}:${chance < 0.01 ? `ghost${ghosts.draw(random)}` : people.handle(authority)}`
  }
  return () => {
    const from = sources.order[sources.ranks.draw(random)]!
    let to = targets.order[targets.ranks.draw(random)]!
    if (to === from) to = (from + 1) % authorities
    const { kind, weighted } = kinds[kindShares.draw(random)]!
    const weight = weighted ? `,"weight":${1 + Math.floor(9 * random.fraction() ** 4)}` : ''
    return `{"from":"${endOf(from)}","to":"${endOf(to)}"${weight},"kind":"${kind}"}`
  }
}
