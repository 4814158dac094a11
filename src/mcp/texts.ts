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
  if (way === 'related') return `No topic of that name; showing ${topics.join(', ')}.`
  if (way === 'sounds-like') return 'A guess: nobody has this name; these names sound like it.'
  if (way !== 'corrected') return ''
  const better = new Map(corrected.map(({ from, to }) => [from, to]))
  return `No exact match; showing '${words.map((word) => better.get(word) ?? word).join(' ')}'.`
}

/** Topics and names to try where nobody was found, behind a space; or ''. */
export function nearLine(understood: Understood | undefined): string {
  const { topics = [], names = [] } = understood?.suggestions ?? {}
  const parts = [
    topics.length === 0 ? '' : `Topics that are near: ${topics.join(', ')}.`,
    names.length === 0 ? '' : `Names that are near: ${names.join(', ')}.`,
  ]
  return parts.map((part) => (part === '' ? '' : ` ${part}`)).join('')
}

/** `1. David Wood (Rust, Germany), SDU 489…` for each, in order. */
export function rankedLines(items: readonly Summary[]): string {
  return items.map((item) => `${item.rank}. ${personOf(item)}${reasonOf(item)}`).join('\n')
}

/** `@ann: owned by Ann Other (France), SDU 7, rank 3 in Rust` for each. */
export function matchLines(items: readonly Match[], onlyHandle: string): string {
  return items.map((item) => matchLine(item, onlyHandle)).join('\n')
}

function matchLine(item: Match, onlyHandle: string): string {
  const { handle = onlyHandle, name, country_name: country, sdu, rank, topic } = item
  const owner = country === '' ? name : `${name} (${country})`
  return `${handle}: owned by ${owner}, SDU ${sdu}, rank ${rank} in ${topic}${reasonOf(item)}`
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

/** `Ann Other, SDU 7, authority score 61 (Rust, Compilers; France)` for each profile, with three topics at most. */
export function profileLines(items: readonly Profile[]): string {
  return items.map(profileLine).join('\n')
}

/** Topics that a line names. */
const topicsMax = 3

function profileLine(profile: Profile): string {
  const { name, sdu, authority_score: score, country, topics } = profile
  const known = [topics.slice(0, topicsMax).join(', '), country].filter((part) => part !== '')
  return `${name}, SDU ${sdu}, authority score ${score} (${known.join('; ')})${reasonOf(profile)}`
}

/** `sdu 7, authority_score 61` for each item of which some fields were asked for. */
export function chosenLines(items: readonly Chosen[]): string {
  return items.map(chosenLine).join('\n')
}

interface Chosen extends Readonly<Record<string, unknown>> {
  readonly explanation?: Explanation
}

function chosenLine({ explanation, ...fields }: Chosen): string {
  const told = Object.entries(fields).map(
    ([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return `${told.join(', ')}${reasonOf({ explanation })}`
}

/** A text with how many there are of all, and where the next page begins. */
export function withPage(
  text: string,
  { total, next_cursor: next }: { readonly total?: number; readonly next_cursor?: string | null },
): string {
  if (total === undefined) return text
  const more = typeof next === 'string' ? `; go on with cursor ${next}` : ''
  return `${text}\n\n${total} in all${more}`
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
