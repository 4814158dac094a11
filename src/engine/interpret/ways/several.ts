/**
 * Several things in one text: `rust OR go`, `rust -compiler`, `a vs b`. What only one of them says
 * may be said of all: `rick and tim scott`. Unknown things are not guessed.
 */
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { firstOf, isAnyIn } from '../../postings/best.ts'
import { type DocSet, intersectionOf, isInAll, unionOf } from '../../postings/doc-set.ts'
import { Passing } from '../../postings/filter-set.ts'
import type { QueryPart, QueryWord } from '../../terms/query-word.ts'
import { type Found, foundAmong, foundNobody, topicsOf } from '../found.ts'
import { tellingOf } from '../people.ts'
import { isUnderstood } from '../phrases.ts'
import { TopicOrder } from '../ranking.ts'
import type { Tools } from '../tools.ts'
import { coreOf, type WayOfSearch } from './way.ts'

/** Things of one text. */
const thingsMax = 5
/** Letters of the shortest surname that stands alone for somebody. */
const surnameMin = 4

/** Written as an operator: in capitals, or a sign of its own. Nothing else is cut at. */
const either = /\s+OR\s+|\s+\|\|?\s+/u
const excluded = /(?:^|\s+)(?:-|NOT\s+|AND\s+NOT\s+)(?="?\p{L})("[^"]*"|\S+)/gu
const mayOperate = /\sOR\s|\s\|\|?\s|(?:^|\s)-"?\p{L}|\bNOT\s/u

/** A separator of two things in the languages of most users. */
const between =
  /\s+(?:and|or|vs\.?|versus|und|oder|y|o|et|ou|e|ed|with|mit|con|avec|com)\s+|\s+\+\s+|\s*[,;/&|、，·•]\s*|\s*(?:和|与|と|와|과)\s*/iu

interface Thing {
  readonly words: readonly QueryWord[]
  readonly parts: readonly QueryPart[]
  readonly holders: DocSet
}

/** The text as its operators say, where it has any that people mean as such. */
export const operators: WayOfSearch = {
  name: 'operators',
  find: (tools, { query }, limit) => {
    if (!mayOperate.test(query)) return undefined
    const without = [...query.matchAll(excluded)].map(([, word = '']) => word)
    const texts = query.replace(excluded, ' ').split(either)
    if (texts.length === 1 && without.length === 0) return undefined
    const things = thingsOf(tools, texts)
    const others = thingsOf(tools, without)
    // Without anything to take them from, those who are taken away leave nobody.
    const found = things.length === 0 ? undefined : foundOf(tools, things, others, limit)
    return found ?? { ...foundNobody, leftOut: without }
  },
}

export const severalThings: WayOfSearch = {
  name: 'several',
  find: (tools, { query, words }, limit) => {
    if (words.some(({ isExact }) => isExact)) return undefined
    const pieces = query.split(between)
    if (pieces.length < 2) return undefined
    const texts = pieces.map((text) => tools.words.read(text)).filter(({ length }) => length > 0)
    if (texts.length < 2 || texts.length > thingsMax) return undefined
    const things = knownThingsOf(tools, texts)
    if (things === undefined || things.length === 0) return undefined
    // Only the word between has kept the ways before from finding people who are all of it.
    const both = things.flatMap(({ parts }) => parts)
    const all = both.every(isUnderstood) ? both.map((part) => tools.phrases.holdersOf(part)) : []
    const meant = isAnyIn(all) ? [{ words, parts: both, holders: intersectionOf(all) }] : things
    return foundOf(tools, meant, [], limit)
  },
}

function thingsOf(tools: Tools, texts: readonly string[]): readonly Thing[] {
  return texts
    .slice(0, thingsMax)
    .map((text) => thingOf(tools, tools.words.read(text)))
    .filter(isAnybody)
}

/** The same of texts that share what the first or the last one says; undefined where one of them is unknown. */
function knownThingsOf(
  tools: Tools,
  texts: readonly (readonly QueryWord[])[],
): readonly Thing[] | undefined {
  const read = texts.map((words) => tools.phrases.partsOf(words))
  const things: Thing[] = []
  for (let at = 0; at < texts.length; at += 1) {
    const thing = sharedIn(tools, read, read[at]!) ?? thingOf(tools, texts[at]!)
    if (!isKnown(tools, thing)) return undefined
    things.push(thing)
  }
  return things.filter(isAnybody)
}

/** `tim scott`, of `tim and rick scott`. Undefined where the thing with what others say is none. */
function sharedIn(
  tools: Tools,
  all: readonly (readonly QueryPart[])[],
  own: readonly QueryPart[],
): Thing | undefined {
  const [first, last] = [all[0]!, all.at(-1)!]
  const shared = [
    [...own, ...last.slice(own.length)],
    [...first.slice(0, Math.max(0, first.length - own.length)), ...own],
  ]
  return shared
    .filter(({ length }) => length > own.length)
    .map((parts) => parts.flatMap(({ words }) => words))
    .map((words) => thingIn(tools, words))
    .find((thing) => thing.parts.every(isUnderstood) || (isAnybody(thing) && isKnown(tools, thing)))
}

function isAnybody({ holders }: Thing): boolean {
  return isAnyIn([holders])
}

/** A thing as it is written, else without the words around it. */
function thingOf(tools: Tools, all: readonly QueryWord[]): Thing {
  const written = thingIn(tools, all)
  return written.holders.size > 0 ? written : thingIn(tools, coreOf(all))
}

function thingIn({ phrases }: Tools, words: readonly QueryWord[]): Thing {
  const read = phrases.partsOf(words)
  const telling = tellingOf(read)
  const said = telling.length === 0 ? read : telling
  // Virginia is not West Virginia, unless it is of a name.
  const isMeant = said.every(isUnderstood)
  const parts = said.map((part) => ({ ...part, isOfMeaning: isMeant && part.attribute >= 0 }))
  return { words, parts, holders: intersectionOf(parts.map((part) => phrases.holdersOf(part))) }
}

/** Whether a thing is of topics, places and attributes, or a name that somebody has: of one word, an uncommon one. */
function isKnown({ phrases }: Tools, { parts, holders, words }: Thing): boolean {
  if (parts.every(isUnderstood)) return true
  const name = phrases.partsOf(words).flatMap((part) => (isUnderstood(part) ? [] : part.words))
  const [word] = name
  if (name.length === 1 && (word!.text.length < surnameMin || isCommonWord(word!.text)))
    return false
  const names = name.map(({ named }) => named)
  // Beside a place or a topic the name says who of them: hirono hawaii.
  return isAnyIn(parts.some(isUnderstood) ? [...names, holders] : names)
}

function foundOf(
  { catalog, postings }: Tools,
  things: readonly Thing[],
  others: readonly Thing[],
  limit: number,
): Found | undefined {
  const any = unionOf(things.map(({ holders }) => holders))
  const without = [unionOf(others.map(({ holders }) => holders))]
  const isWanted = (ordinal: number) => !isInAll(without, ordinal)
  const all = others.length === 0 ? [any] : [any, new Passing(isWanted, catalog.counts.authorities)]
  const parts = things.flatMap((thing) => thing.parts)
  const topics = topicsOf(parts)
  const order = topics.length === 0 ? undefined : new TopicOrder(catalog, postings, topics)
  // A named person comes before the people of a named topic.
  const named = things.filter((thing) => !thing.parts.some(isUnderstood))
  const isMixed = order !== undefined && named.length > 0
  const names = isMixed ? [[unionOf(named.map(({ holders }) => holders)), ...all]] : []
  const matched = { names, words: all, order, isRanked: topics.length === 1 && !isMixed }
  const first = names.flatMap((tier) => firstOf(tier, limit))
  const found = foundAmong('words', matched, limit, first)
  const leftOut = others.flatMap(({ words }) => words.map(({ text }) => text))
  return found && { ...found, parts, leftOut }
}
