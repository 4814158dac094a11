/**
 * Results as text: what a model reads when its client shows it no structured content. One line a
 * person wherever that is enough.
 */
import type { Explanation, Item, Understood } from '../api/describe/schemas.ts'

type Summary = Item<'search'>
type Match = Item<'match'>
type Profile = Item<'detail'>
type RankedSource = Item<'rank'>

/** Characters of a biography that the text repeats; the structured content holds all of it. */
const bioCharactersMax = 400

/** What stands above people who were found by another text than the one that was asked for; or ''. */
export function understoodLine(understood: Understood | undefined): string {
  if (understood === undefined) return ''
  const { way, words, corrected, topics } = understood
  if (way === 'likely-topic') return `No exact match; showing the topic ${topics.join(', ')}.`
  if (way !== 'corrected') return ''
  const better = new Map(corrected.map(({ from, to }) => [from, to]))
  return `No exact match; showing '${words.map((word) => better.get(word) ?? word).join(' ')}'.`
}

/** `1. David Wood (Rust, Germany), SDU 489…` for each, in order. */
export function rankedLines(items: readonly Summary[]): string {
  return items.map((item) => `${item.rank}. ${personOf(item)}${reasonOf(item)}`).join('\n')
}

/** `@ann: owned by Ann Other (Rust, France), rank 3 in Rust, SDU 7` for each. */
export function matchLines(items: readonly Match[], onlyHandle: string): string {
  return items
    .map((item) => `${item.handle ?? onlyHandle}: owned by ${personOf(item)}, rank ${item.rank}`)
    .map((line, index) => `${line} in ${items[index]!.topic}${reasonOf(items[index]!)}`)
    .join('\n')
}

/** Why an item has its rank, in a sentence behind it; '' where that was not asked for. */
function reasonOf({ explanation }: { readonly explanation?: Explanation | undefined }): string {
  return explanation === undefined ? '' : `. ${explanation.sentence}`
}

/** `1. https://x.com/ann: Ann Other, authority score 61, rank 3 in Rust, SDU 7` for each source. */
export function sourceLines(items: readonly RankedSource[]): string {
  return items.map((item, index) => `${index + 1}. ${item.source}: ${publisherOf(item)}`).join('\n')
}

function publisherOf({ name, sdu, authority_score: score, rank, topic }: RankedSource): string {
  if (sdu === null) return 'nobody known'
  const place = rank === null ? `not ranked in ${topic}` : `rank ${rank} in ${topic}`
  return `${name}, authority score ${score}, ${place}, SDU ${sdu}`
}

function personOf({ name, topic, country_name: country, sdu }: Summary): string {
  return `${name} (${country === '' ? topic : `${topic}, ${country}`}), SDU ${sdu}`
}

/** A paragraph for each profile. */
export function profileTexts(items: readonly Profile[]): string {
  return items.map(profileText).join('\n\n')
}

function profileText(profile: Profile): string {
  const { name, sdu, authority_score: score, country, topics, socials, website, bio } = profile
  const accounts = Object.entries(socials).map(([platform, { handle, followers }]) =>
    followers === 0 ? `${platform} ${handle}` : `${platform} ${handle} (${followers} followers)`,
  )
  const facts = [
    `${name}, SDU ${sdu}, authority score ${score} of 100`,
    country === '' ? '' : `Country: ${country}`,
    `Topics: ${topics.join(', ')}`,
    accounts.length === 0 ? '' : `Verified accounts: ${accounts.join(', ')}`,
    website === null ? '' : `Website: ${website}`,
    bio === '' ? '' : `Bio: ${shortened(bio)}`,
    profile.explanation?.sentence ?? '',
  ]
  return facts.filter((fact) => fact !== '').join('\n')
}

function shortened(text: string): string {
  const characters = [...text]
  if (characters.length <= bioCharactersMax) return text
  return `${characters.slice(0, bioCharactersMax).join('')}…`
}
