/**
 * A name or a topic inside a text. Words before and after it are question words, courtesy, a title, or the
 * subject of the question. The longest part with a match counts; no word is removed from its middle.
 */
import { type Aside, asideOf, officeOf } from '../../../text/speech/aside-words.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import type { DocSet } from '../../postings/doc-set.ts'
import { firstOf } from '../../postings/smallest-k.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import { isUnderstood } from '../phrases.ts'
import { coreIn } from './text.ts'
import {
  foundMeant,
  foundPeople,
  type Text,
  type Tools,
  textsWithout,
  type WayOfSearch,
} from './way.ts'

/** Words beside the core that a part may have on each side: more are never of a name. */
const reachMax = 4

/** Parts of a text that are tried. */
const windowsMax = 25

/** People of a surname whose names are read. */
const surnamesMax = 32

/** A part of a text, and what is left out around it. */
interface Window {
  readonly words: readonly QueryWord[]
  readonly leftOut: readonly QueryWord[]
}

/** See the file's comment. */
export const beside: WayOfSearch = {
  name: 'beside',
  find: (tools, text, limit) => {
    for (const window of windowsOf(tools, text)) {
      const found = foundIn(tools, window, limit)
      if (found === undefined) continue
      return { ...found, leftOut: [...found.leftOut, ...window.leftOut.map((word) => word.text)] }
    }
    return undefined
  },
}

/** Parts of a text with at least one word that says something, the longest first. */
function windowsOf({ words: all }: Tools, { words: asTyped, readings }: Text): readonly Window[] {
  const windows: Window[] = []
  for (const words of readings) {
    const core = coreIn(words)
    if (core === undefined) continue
    // Most texts are nothing but their core.
    if (words === asTyped && core.start === 0 && core.end === words.length) continue
    // A word that no person has ends a part.
    const isHeld = (word: QueryWord) => word.isStop || all.holding(word).size > 0
    const first = words.findLastIndex((word, at) => at < core.start && !isHeld(word)) + 1
    const unheld = words.findIndex((word, at) => at >= core.end && !isHeld(word))
    const last = unheld < 0 ? words.length : unheld
    for (let start = Math.max(first, core.start - reachMax); start <= core.start; start += 1) {
      for (let end = core.end; end <= Math.min(last, core.end + reachMax); end += 1) {
        const isWhole = end - start === words.length
        if (isWhole && words === asTyped) continue
        const leftOut = [...words.slice(0, start), ...words.slice(end)]
        windows.push({ words: words.slice(start, end), leftOut })
      }
    }
  }
  if (windows.length < 2) return windows
  return windows.sort((a, b) => b.words.length - a.words.length).slice(-windowsMax)
}

function foundIn(tools: Tools, { words, leftOut }: Window, limit: number): Found | undefined {
  const kinds = new Set<Aside | undefined>(leftOut.map(({ text }) => asideOf(text)))
  const isTitled = kinds.has('title')
  const [only, another] = words.filter(({ isStop }) => !isStop)
  if (only === undefined) return undefined
  if (isTitled && another === undefined) return surnamed(tools, only, leftOut, limit)
  const meant = isTitled ? undefined : foundMeant(tools, words, limit)
  if (meant !== undefined) return meant
  const found = tools.people.find(words, limit, true)
  if (found === undefined) return undefined
  const isName = found.way === 'name' && another !== undefined
  const isOfTopic = found.parts.some((part) => part.topic >= 0)
  if (isTitled) return isName ? found : undefined
  if (kinds.has('practises')) {
    // Leader Schumer: of an uncommon surname, that one person has.
    const isCalled =
      found.way === 'name' &&
      found.ordinals.length === 1 &&
      isSurname(tools, found.ordinals[0]!, only.text)
    return isName || isOfTopic || (isCalled && !isCommonWord(only.text)) ? found : undefined
  }
  if (kinds.has('about')) return found.way === 'name' || isOfTopic ? found : undefined
  const isWord = another === undefined && isCommonWord(only.text)
  return isWord && !found.parts.some(isUnderstood) ? undefined : found
}

/**
 * A surname behind a title: those who hold the office; behind a title of courtesy anybody called so; and
 * of an office that no such record names, the one person who is called so.
 */
function surnamed(
  tools: Tools,
  word: QueryWord,
  titles: readonly QueryWord[],
  limit: number,
): Found | undefined {
  const { nameWords, words } = tools
  const named = words.named(word)
  if (named.size === 0) return undefined
  const offices = titles.flatMap(({ text }) => officeOf(text) ?? [])
  const found = (people: readonly number[]) =>
    people.length === 0 ? undefined : foundPeople('name', people, limit, { words: [word] })
  for (const office of offices) {
    const held = surnamesIn(tools, [named, words.formsHolding(office)], word, limit)
    if (held.length > 0) return found(held)
  }
  const called = surnamesIn(tools, [named], word, limit)
  const isSure = offices.length === 0 || (called.length === 1 && !isCommonWord(word.text))
  return found(isSure ? called : called.filter((each) => nameWords(each).length === 1))
}

/** The first people of an intersection who have a surname. */
function surnamesIn(
  tools: Tools,
  holders: readonly DocSet[],
  word: QueryWord,
  limit: number,
): readonly number[] {
  if (holders.some(({ size }) => size === 0)) return []
  const people: number[] = []
  for (const each of firstOf(holders, surnamesMax)) {
    if (isSurname(tools, each, word.text)) people.push(each)
    if (people.length === Math.max(limit, 2)) break
  }
  return people
}

/** A suffix behind a surname. */
const suffix = /^(?:jr|sr|i{1,3}|iv|vi{0,3}|ix|x{1,3}|x[iv]+|phd|md)$/

/** Countries whose names begin with the surname, also in Latin letters: Mao Zedong. */
const surnameFirst: ReadonlySet<string> = new Set([
  'China',
  'Taiwan',
  'Hong Kong',
  'South Korea',
  'North Korea',
  'Vietnam',
])

/** Whether a word is the surname of somebody: the last of the name but for what stands behind one, or the first. */
function isSurname(tools: Tools, ordinal: number, text: string): boolean {
  const { catalog, nameWords } = tools
  if (nameWords(ordinal).findLast((word) => !suffix.test(word)) === text) return true
  const country = catalog.countryOf(catalog.sections['authority.countries'][ordinal]!)
  return surnameFirst.has(country) && nameWords(ordinal)[0] === text
}

/** The words around the core of a text. */
export function leftOutOf({ lastReading, core }: Text): string[] {
  return textsWithout(lastReading, core)
}
