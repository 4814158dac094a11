/**
 * People of whom no name is said: every word of the text is a topic, a place, an attribute, its code, another word for a
 * topic, or a word that people hold; what stands around them only asks. The cheapest reading that somebody matches
 * answers.
 *
 * Invariant: a word that is none of these means nobody.
 */
import { standsForPlace } from '../../../text/speech/offices.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { costs } from '../../match/costs.ts'
import { Effort } from '../../match/effort.ts'
import type { Context, MatchedText } from '../../match/text.ts'
import type { QueryPart } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import type { Meanings } from './meanings.ts'
import {
  foundMeant,
  foundTopic,
  isOneName,
  type Text,
  type Tools,
  type WayOfSearch,
} from './way.ts'

/** Steps of one text, and readings that are tried. */
const stepsMax = 512
const readingsMax = 8
/** Words of the longest text that is read so. */
const wordsMax = 16

/** A way to read a text. */
interface Reading {
  readonly cost: number
  readonly contexts: readonly Context[]
  /** Tokens that were left out. */
  readonly leftOut: readonly number[]
}

/**
 * The same of a text that consists of attributes, topics and places. Only those are found who have every attribute, not
 * those whose biographies hold the words: Virginia is not West Virginia.
 */
export const attributes: WayOfSearch = {
  name: 'attributes',
  find: (tools, text, limit) => {
    const parts = tools.phrases.partsOf(text.words)
    if (parts.every(isOfNoAttribute) || isOneName(tools, text.words)) return undefined
    return findIn(tools, text, limit, (read, reading) => {
      const { contexts } = reading
      if (contexts.some(({ kind }) => kind !== 'phrase' && kind !== 'code')) return false
      const isOfAttribute = contexts.some(({ part }) => part.attribute >= 0)
      return asksForPlace(read, reading) || (contexts.length > 1 && isOfAttribute)
    })
  },
}

/** See the file's comment. */
export const contexts: WayOfSearch = {
  name: 'contexts',
  find: (tools, text, limit) => findIn(tools, text, limit, () => true),
}

function isOfNoAttribute({ attribute }: QueryPart): boolean {
  return attribute < 0
}

/** The people of the first reading that somebody matches. */
function findIn(
  tools: Tools,
  text: Text,
  limit: number,
  mayAnswer: (read: MatchedText, reading: Reading) => boolean,
): Found | undefined {
  const read = text.words.length > wordsMax ? undefined : text.forMatcher(tools)
  if (read === undefined) return undefined
  for (const reading of readingsOf(read)) {
    const found = mayAnswer(read, reading) && foundBy(tools, reading, limit)
    if (!found) continue
    const leftOut = reading.leftOut.map((at) => read.tokens[at]!.text)
    const isRelated = reading.contexts.some(({ kind }) => kind === 'related')
    return { ...found, way: isRelated ? 'related' : found.way, leftOut }
  }
  return undefined
}

/** The readings that mean somebody, the cheapest first. */
function readingsOf(text: MatchedText<Meanings>): readonly Reading[] {
  const { tokens, facts } = text
  const effort = new Effort(stepsMax)
  const found: Reading[] = []
  const go = (at: number, reading: Reading): void => {
    if (!effort.spend(1)) return
    if (at === tokens.length) {
      if (isMeant(text, reading)) found.push(reading)
      return
    }
    const { contexts, leftOut } = reading
    for (const context of facts.apartAt(at)) {
      const cost = reading.cost + context.cost + costs.context
      go(context.to, { cost, contexts: [...contexts, context], leftOut })
    }
    const cost = costWithout(text, at, contexts.length > 0)
    if (cost !== undefined)
      go(at + 1, { cost: reading.cost + cost, contexts, leftOut: [...leftOut, at] })
  }
  go(0, { cost: 0, contexts: [], leftOut: [] })
  return found.sort((a, b) => a.cost - b.cost).slice(0, readingsMax)
}

/** The cost of leaving a token out; undefined where it says something. A number behind something is of it. */
function costWithout({ tokens, facts }: MatchedText<Meanings>, at: number, isBehind: boolean) {
  const { aside, text, isNumber, isCapitals } = tokens[at]!
  if (isNumber && isBehind) return undefined
  const asksOnly = facts.wordAt(at).isStop || standsForPlace(text)
  const kind = asksOnly ? 'asks' : aside
  if (kind === undefined || kind === 'title') return undefined
  // A code as it is written, or behind all: senators IN, physics de.
  const mayBeCode = isCapitals || (at > 0 && at === tokens.length - 1)
  const isCode = mayBeCode && facts.contextsAt(at).some((each) => each.kind === 'code')
  return isCode ? costs.common : costs.aside[kind]
}

/** Whether what was left out asks who stands for a place. */
function asksForPlace({ tokens }: MatchedText, { leftOut }: Reading): boolean {
  return leftOut.some((at) => standsForPlace(tokens[at]!.text))
}

/** Whether a reading says enough of who is meant. */
function isMeant(text: MatchedText, reading: Reading): boolean {
  const { contexts, leftOut } = reading
  const isOf = (kind: Context['kind']) => contexts.some((each) => each.kind === kind)
  const isOfTopic = contexts.some(({ part }) => part.topic >= 0)
  const isOfAttribute = contexts.some(({ part }) => part.attribute >= 0)
  if (asksForPlace(text, reading) && !isOfAttribute) return false
  // A craft, and what is asked of a person, are of a topic.
  const asides = leftOut.map((at) => text.tokens[at]!.aside)
  if (!isOfTopic && (asides.includes('practises') || asides.includes('about'))) return false
  if (isOf('related')) return !isOf('word')
  const [only, another] = contexts
  if (only === undefined) return false
  if (another === undefined) return only.kind !== 'word' || !isCommonWord(only.part.words[0]!.text)
  return !isOf('code') || isOf('phrase')
}

function foundBy(tools: Tools, { contexts }: Reading, limit: number): Found | undefined {
  const [only, another] = contexts
  const { words, topic } = only!.part
  if (another === undefined && topic >= 0) {
    return only!.kind === 'related'
      ? foundTopic(tools, 'related', topic, words, limit)
      : foundMeant(tools, words, limit)
  }
  const parts = contexts.map(({ part }) => ({ ...part, isOfMeaning: part.attribute >= 0 }))
  return tools.people.inAll(parts, limit)
}
