/**
 * Sources by authority: with a topic its members by rank, then others by score, then sources without a known publisher;
 * equals in the order of the request. Each source is charged, also where several mean one author, because each is read
 * and has its item; they are read when the answer is paid for.
 */
import { inCoreTopic, inTopics } from '../../engine/explain/rank-evidence.ts'
import { limits } from '../../limits.ts'
import { type FieldName, holdsProfile } from '../../request-parameters.ts'
import { nowhere } from '../../text/handle.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import { type AnsweredValues, invalid, type Parsed } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import { writeField } from '../items/item-fields.ts'
import { explainItem } from '../items/write-items.ts'
import { readHandle, type SentHandle } from '../parameters/sent-handles.ts'
import type { Values } from '../schemas/inputs.ts'
import { unknownValue } from '../schemas/unknown-names.ts'
import type { Explain } from '../schemas/values.ts'
import { operation } from './operation.ts'

export interface RankQuery {
  /** The number of sources; an entry that is none costs nothing. */
  readonly count: number
  /** As they were sent; a `WrongSource` only in a lenient request. */
  readonly sources: readonly (string | WrongSource)[]
  /** The number of a topic; undefined if none was named, `unknownTopic` if the index has no such topic. */
  readonly topic: number | undefined
  readonly fields: readonly FieldName[] | undefined
  readonly explain: Explain
  readonly aligned: boolean
}

interface WrongSource {
  /** Null for an entry that is no string. */
  readonly sent: string | null
  readonly reason: 'not-a-string' | 'blank' | 'too-long'
}

const unknownTopic = -1

function understandRank(
  { topic: label, explain, fields, aligned, lenient, ...values }: Values<'rank'>,
  { names }: ActiveSnapshot,
): Parsed<RankQuery> {
  const topic = label === undefined ? undefined : (names.topic(label).numbers?.[0] ?? unknownTopic)
  if (topic === unknownTopic && !lenient) {
    return invalid(`topic${unknownValue(label!, names.topic(label!).nearest?.())}`)
  }
  const sources = values.sources.map((each) => sourceOrWrong(each))
  const count = sources.filter((each) => typeof each === 'string').length
  return { value: { count, sources, topic, aligned, explain, fields } }
}

function sourceOrWrong(sent: unknown): string | WrongSource {
  if (typeof sent !== 'string') return { sent: null, reason: 'not-a-string' }
  if (!/\S/.test(sent)) return { sent, reason: 'blank' }
  return sent.length > limits.sourceCharactersMax ? { sent, reason: 'too-long' } : sent
}

interface RankedSource {
  readonly source: SentHandle | WrongSource
  /** In the request, from 0. */
  readonly index: number
  /** By authority, from 1. */
  position: number
  /** Below 0 if the publisher is unknown. */
  readonly ordinal: number
  /** Rank in the topic; 0 without one. */
  readonly rank: number
}

function findRank(
  { catalog, search }: ActiveSnapshot,
  { sources, topic, aligned }: RankQuery,
): RankedSource[] {
  const isKnown = topic !== undefined && topic !== unknownTopic
  const order = isKnown ? search.orderOf(topic) : undefined
  const ranked = sources.map((sent, index): RankedSource => {
    const source = typeof sent === 'string' ? readHandle(sent) : sent
    const [ordinal = -1] = 'query' in source ? catalog.ownersOf(source.query) : []
    const rank = ordinal < 0 ? 0 : (order?.rankOf(ordinal) ?? 0)
    return { source, index, position: 0, ordinal, rank }
  })
  ranked.sort(byAuthority)
  for (const [place, each] of ranked.entries()) each.position = place + 1
  return aligned ? ranked.sort((a, b) => a.index - b.index) : ranked
}

/** Ordinals are by descending authority. */
function byAuthority(a: RankedSource, b: RankedSource): number {
  if (a.rank !== b.rank) return (a.rank || unranked) - (b.rank || unranked)
  return (a.ordinal < 0 ? unranked : a.ordinal) - (b.ordinal < 0 ? unranked : b.ordinal)
}

/** A number above every rank and every ordinal. */
const unranked = 2 ** 32

function sourcesAnswered(_: RankQuery, shown: readonly RankedSource[]): AnsweredValues {
  return (items) => shown.slice(0, items).filter(({ source }) => 'query' in source).length
}

/** Reasons why a source has no known publisher, or no rank; the last four of lenient requests only. */
export const unknownReasons = {
  'not-an-account': 'the source is an address or identifier of no account, such as a home page',
  'not-in-index': 'the owner of the handle, profile or address is not in the index',
  'unknown-topic': 'the author is known, and the index has no such topic',
  'not-a-string': 'the entry is not a string',
  blank: 'the entry is blank',
  'too-long': 'the entry is longer than a source may be',
} as const

/** The fields of a publisher unless `fields` names others. */
const usualFields: readonly FieldName[] = ['sdu', 'name', 'authority_score', 'rank', 'topic']

function renderRank(
  { catalog }: ActiveSnapshot,
  { topic, fields = usualFields, explain, aligned }: RankQuery,
  shown: readonly RankedSource[],
  body: Body,
): undefined {
  const isKnown = topic !== undefined && topic !== unknownTopic
  const explained = isKnown ? inTopics([topic]) : inCoreTopic
  const label = isKnown ? JSON.stringify(catalog.labelOf(topic)) : 'null'
  const isProfile = holdsProfile(fields)
  for (const [place, { source, index, position, ordinal, rank }] of shown.entries()) {
    if (place > 0) body.comma()
    body.text(`{"source":${JSON.stringify(source.sent)}`)
    for (const name of fields) {
      body.text(`,"${name}":`)
      if (name === 'topic' && topic !== undefined) body.text(label)
      else if (ordinal < 0) body.text('null')
      else if (name !== 'rank') writeField(catalog, ordinal, name, body)
      else if (topic !== undefined) body.text(`${rank || null}`)
      else body.integer(catalog.coreRankOf(ordinal))
    }
    if (isProfile && ordinal >= 0) body.addProfiles(1)
    const reason = reasonOf(source, ordinal, topic)
    body.text(`,"reason":${reason === undefined ? null : `"${reason}"`},"index":${index}`)
    body.text(aligned ? `,"position":${position}}` : '}')
    if (explain === true && ordinal >= 0) explainItem(catalog, ordinal, body, explained)
  }
}

function reasonOf(
  source: SentHandle | WrongSource,
  ordinal: number,
  topic: number | undefined,
): keyof typeof unknownReasons | undefined {
  if ('reason' in source) return source.reason
  if (ordinal >= 0) return topic === unknownTopic ? 'unknown-topic' : undefined
  return source.query.platform === nowhere ? 'not-an-account' : 'not-in-index'
}

export const rank = operation('rank', {
  understand: understandRank,
  profilesMax: ({ fields, count }) => (holdsProfile(fields) ? count : 0),
  find: findRank,
  render: renderRank,
  answeredValues: sourcesAnswered,
})
