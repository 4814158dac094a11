/**
 * The ways to read a text without a name: every word means something, is held by people, or only
 * asks. A word that is none of these means nobody.
 */
import { isNumber } from '../../../text/numerals.ts'
import { standsForPlace } from '../../../text/speech/offices.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import { costs } from '../../match/costs.ts'
import { Effort } from '../../match/effort.ts'
import type { Context, MatchedText } from '../../match/text.ts'
import type { Meanings } from './meanings.ts'

/** Steps of one text, and readings that are tried. */
const stepsMax = 512
const readingsMax = 8

export interface Reading {
  readonly cost: number
  readonly contexts: readonly Context[]
  readonly leftOut: readonly number[]
}

/** The readings that mean somebody, the cheapest first. */
export function readingsOf(text: MatchedText<Meanings>): readonly Reading[] {
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

export function asksForPlace({ tokens }: MatchedText, { leftOut }: Reading): boolean {
  return leftOut.some((at) => standsForPlace(tokens[at]!.text))
}

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
  const [word] = only.part.words
  if (another === undefined)
    return only.kind !== 'word' || !(isCommonWord(word!.text) || isNumber(word!.text))
  return !isOf('code') || isOf('phrase') || isOfDistrict(text, reading)
}

function isOfDistrict(
  { tokens }: MatchedText,
  { contexts: [code, number, more], leftOut }: Reading,
) {
  const isCode = code!.kind === 'code' && code!.part.attribute >= 0
  const asksOnly = leftOut.every(
    (at) => tokens[at]!.aside === 'asks' || standsForPlace(tokens[at]!.text),
  )
  return isCode && more === undefined && asksOnly && tokens[number!.to - 1]!.isNumber
}
