/** Texts of numbers and findings: one form for each kind, so that columns align and none surprises. */
import type { Schemas } from '../../../client/client.ts'

export type Understanding = NonNullable<Schemas['SearchPage']['query']>

const grouped = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** `12345` → `12,345`. */
export function wholeText(number: number): string {
  return grouped.format(number)
}

/** `12345` → `12.3K`. */
export function shortText(number: number): string {
  return short.format(number)
}

export function scoreText(score: number): string {
  return score.toFixed(2)
}

/** A share as a percentage with three digits that count. */
export function shareText(share: number): string {
  const percent = share * 100
  if (percent === 0) return '0 %'
  const decimals = percent >= 10 ? 1 : percent >= 1 ? 2 : 3
  return `${percent.toFixed(decimals)} %`
}

/** An amount in USD with the digits that it has, at least two. */
export function usdText(amount: number): string {
  const [whole = '', decimals = ''] = amount.toFixed(6).split('.')
  return `$${grouped.format(Number(whole))}.${decimals.replace(/0{1,4}$/, '')}`
}

/** The day of a time of the API; '' if it is not known. */
export function dayText(time: string | null): string {
  return time === null ? '' : time.slice(0, 10)
}

/** Letters that are written from right to left, and characters that turn the direction. */
const turning =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Bidi_Control}]/u
const openControls = /[\u202a-\u202e\u2066-\u2069]/g

/**
 * A text of a record for a place between other words, whose direction it leaves alone: between the
 * marks FSI and PDI (UAX #9), without controls that would outlive them. Most texts are as they were.
 */
export function isolated(text: string): string {
  return turning.test(text) ? `\u2068${text.replace(openControls, '')}\u2069` : text
}

/** A sentence in which texts of records stand: each of them isolated. */
export function isolatedIn(sentence: string, texts: readonly string[]): string {
  return texts
    .filter((text) => turning.test(text))
    .reduce((told, text) => told.replaceAll(text, isolated(text)), sentence)
}

/** One thing or several: `1 person`, `1,250 people`. */
export function countText(count: number, one: string, several: string): string {
  return `${wholeText(count)} ${count === 1 ? one : several}`
}

/** `co_membership` → `co-membership`. */
export function kindText(kind: string): string {
  return kind.replaceAll('_', '-')
}

interface WordedPart {
  readonly text: string
  readonly isFound: boolean
}

const found = (text: string): WordedPart => ({ text, isFound: true })
const said = (text: string): WordedPart => ({ text, isFound: false })

export function understandingWords(understanding: Understanding): WordedPart[] {
  return [...wayWords(understanding), ...leftOutWords(understanding)]
}

function wayWords({ way, topics, country, corrected, words }: Understanding): WordedPart[] {
  switch (way) {
    case 'identity':
      return [said('Understood as a handle or an identifier: its owner.')]
    case 'topic':
      return [said('Understood as the topic '), ...listed(topics), said('.')]
    case 'name':
      return [said('People of this name.')]
    case 'likely-topic':
      return [
        said('Nobody holds these words. Likely meant: the topic '),
        ...listed(topics),
        said('.'),
      ]
    case 'related':
      return [said('No topic is called that. Showing the topic '), ...listed(topics), said('.')]
    case 'nobody':
      return [said('Nobody was found.')]
    case 'words':
      return meantWords(words, topics, country)
    case 'corrected':
      return [
        said('Corrected: '),
        ...corrected.flatMap(({ from, to }, index) => [
          said(`${index === 0 ? '' : ', '}${isolated(from)} → `),
          found(to),
        ]),
        said('. '),
        ...(topics.length + (country === null ? 0 : 1) > 0
          ? meantWords(words, topics, country)
          : []),
      ]
  }
}

/** The topics and the country that words were understood as; without any, the words themselves. */
function meantWords(
  words: readonly string[],
  topics: readonly string[],
  country: string | null,
): WordedPart[] {
  if (topics.length === 0 && country === null) {
    return [said('Everybody who holds the words '), ...listed(words), said('.')]
  }
  const about = topics.length === 0 ? [] : [said('in '), ...listed(topics)]
  const from =
    country === null ? [] : [said(`${about.length > 0 ? ', ' : ''}from `), found(country)]
  return [said('People '), ...about, ...from, said('.')]
}

function leftOutWords({ left_out: words, way }: Understanding): WordedPart[] {
  return words.length === 0 || way === 'nobody'
    ? []
    : [said(' Left out: '), said(words.map(isolated).join(', ')), said('.')]
}

function listed(texts: readonly string[]): WordedPart[] {
  return texts.flatMap((text, index) => (index === 0 ? [found(text)] : [said(', '), found(text)]))
}

/**
 * The search for exactly these words, without interpretation; undefined if the text is such a search
 * already, or was understood word by word.
 */
export function exactQuery(
  query: string,
  { way, topics, country }: Understanding,
): string | undefined {
  const isLiteral = way === 'identity' || way === 'name' || way === 'nobody'
  const isPlain = way === 'words' && topics.length === 0 && country === null
  if (isLiteral || isPlain || query.includes('"')) return undefined
  return `"${query.trim()}"`
}
