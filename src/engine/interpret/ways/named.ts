/**
 * People by name: what the matcher (`src/engine/match`) finds. `named` takes names as they are written, joined, with
 * initials and nicknames; `guessed` also takes slips, beginnings and sounds.
 */
import { isNumber } from '../../../text/numerals.ts'
import { publicNameOf } from '../../../text/speech/nicknames.ts'
import { bounds } from '../../match/costs.ts'
import type { Match } from '../../match/matcher.ts'
import { MatchedText } from '../../match/text.ts'
import { tokensOf } from '../../match/tokens.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import { type Found, foundAmong, foundNobody, type Tier, tierOf } from '../found.ts'
import { meaningless } from '../phrases.ts'
import type { Tools } from '../tools.ts'
import { Meanings } from './meanings.ts'
import type { Text, WayOfSearch } from './way.ts'

/** A letter of an alphabet; one of Han or Hangul is a word. */
const letter =
  /^(?:\p{LC}|\p{Lo}(?<![\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]))$/u
/** A letter that is typed as an initial is, or a number. */
const capital = /^(?:\p{Lu}|\d+)$/u

/** Signs of handles, whose letters are no initials. */
const ofHandle = /[_@/:]/

const none: readonly never[] = []

export const named: WayOfSearch = {
  name: 'named',
  find: (tools, text, limit) => (isLettered(text) ? undefined : findNamed(tools, text, limit)),
}

/** A letter or a number by itself is an initial beside a name, or the text means nobody. */
export const lettered: WayOfSearch = {
  name: 'lettered',
  find: (tools, text, limit) => (isLettered(text) ? findNamed(tools, text, limit) : undefined),
}

function findNamed(tools: Tools, text: Text, limit: number): Found | undefined {
  const sure = text.sure(tools)
  if (sure === undefined) return undefined
  const { text: read, matches } = sure
  if (matches.length === 0) {
    const called = spelledOut(tools, read)
    const people = called === undefined ? none : tools.matcher.find(called).matches
    const meant = people.filter(({ cost }) => cost === people[0]!.cost)
    if (meant.length > 0) return foundMatches(called!, meant, text, limit)
    if (isSurnameAndLetter(tools, read)) return foundNobody
  }
  if (matches.length === 0 || matches[0]!.cost > bounds.sure) return undefined
  return foundMatches(read, matches, text, limit)
}

export const guessed: WayOfSearch = {
  name: 'guessed',
  find: (tools, text, limit) => {
    const sure = text.sure(tools)
    if (sure === undefined) return undefined
    const matches = tools.matcher.guess(sure)
    if (matches.length === 0) return undefined
    return foundMatches(sure.text, matches, text, limit)
  },
}

/** The same with the whole name of somebody whom the press calls by a short one: `AOC`. */
function spelledOut(tools: Tools, { tokens }: MatchedText): MatchedText | undefined {
  const short = tokens.find(
    ({ aside, text }) => aside === undefined && publicNameOf(text) !== undefined,
  )
  if (short === undefined) return undefined
  const all = tokens.flatMap((token) =>
    token === short ? tokensOf(publicNameOf(short.text)!) : [token],
  )
  return new MatchedText(all, new Meanings(tools, all))
}

/** Whether a text is a name and one letter: a letter that contradicts everybody of that name means nobody. */
function isSurnameAndLetter({ words }: Tools, { tokens, facts }: MatchedText): boolean {
  const [letter, another] = tokens.filter(({ raw }) => capital.test(raw))
  if (tokens.length !== 2 || letter === undefined || another !== undefined) return false
  const name = tokens.find((token) => token !== letter)!
  if (name.isCommon) return false
  const meant = tokens.flatMap((_, at) => facts.contextsAt(at))
  if (meant.some(({ kind }) => kind !== 'word')) return false
  return words.read(name.text).every(({ named }) => named.size > 0)
}

function foundMatches(
  { tokens }: MatchedText,
  matches: readonly Match[],
  { words }: Text,
  limit: number,
): Found {
  const { leftOut, corrected } = matches[0]!
  const left = tokens.filter((_, at) => ((leftOut >> at) & 1) === 1).map(({ text }) => text)
  const way = corrected.length > 0 ? 'corrected' : 'name'
  const matched = { names: tiersOf(matches), words: none, order: undefined, isRanked: false }
  const people = matches.map(({ person }) => person)
  return {
    ...foundAmong(way, matched, limit, people)!,
    parts: [{ words: words.filter(({ text }) => !left.includes(text)), ...meaningless }],
    leftOut: left,
    corrected,
  }
}

/** A tier for each cost, the cheapest first. */
function tiersOf(matches: readonly Match[]): readonly Tier[] {
  const tiers: Tier[] = []
  for (let from = 0; from < matches.length; ) {
    let to = from
    while (to < matches.length && matches[to]!.cost === matches[from]!.cost) to += 1
    tiers.push(tierOf(matches.slice(from, to).map(({ person }) => person)))
    from = to
  }
  return tiers
}

function isLettered({ query, words }: Text): boolean {
  return !ofHandle.test(query) && words.some(isLetterOrNumber)
}

function isLetterOrNumber({ text, isExact }: QueryWord): boolean {
  return !isExact && (letter.test(text) || isNumber(text))
}
