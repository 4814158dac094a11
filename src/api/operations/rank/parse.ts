/**
 * A request for the order of sources by the authority of their publishers. Each source is charged, also where several
 * mean one author, because each is read and has its item; they are read when the answer is paid for.
 */

import { limits } from '../../../limits.ts'
import type { FieldName } from '../../../request-parameters.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import { readBody, type SentBody } from '../../parameters/body-reader.ts'
import { type Explain, shownOf } from '../../parameters/meanings.ts'
import { invalid, type Parsed } from '../../parameters/pairs.ts'
import { inputs } from '../../schemas/inputs.ts'
import { unknownValue } from '../../schemas/unknown-names.ts'
import { anything } from '../../schemas/values.ts'

/** A parsed request for an order of sources. */
export interface RankQuery {
  readonly kind: 'rank'
  /** The number of sources; an entry that is none costs nothing. */
  readonly count: number
  /** As they were sent; a `WrongSource` only in a lenient request. */
  readonly sources: readonly (string | WrongSource)[]
  readonly asked: Asked
}

/** The other members. */
interface Asked {
  /** The number of a topic; undefined if none was named, `unknownTopic` if the index has no such topic. */
  readonly topic: number | undefined
  readonly fields: readonly FieldName[] | undefined
  readonly explain: Explain
  readonly aligned: boolean
}

/** An entry that is no source, and why. */
export interface WrongSource {
  /** Null for an entry that is no string. */
  readonly sent: string | null
  readonly reason: 'not-a-string' | 'blank' | 'too-long'
}

/** Stands for a topic that the snapshot does not have. */
export const unknownTopic = -1

const lenientInput = inputs.rank.post.extend({ sources: anything })

/** Parses a body. */
export function parseRankBody(request: SentBody, { names }: ActiveSnapshot): Parsed<RankQuery> {
  const { value: members, problem } = readBody(request, ({ lenient }) =>
    lenient === true ? lenientInput : inputs.rank.post,
  )
  if (problem !== undefined) return { problem }
  const { topic: label, aligned, lenient } = members
  const topic = label === undefined ? undefined : (names.topic(label).numbers?.[0] ?? unknownTopic)
  if (topic === unknownTopic && !lenient) {
    return invalid(`topic${unknownValue(label!, names.topic(label!).nearest?.())}`)
  }
  const sources = members.sources.map((each) => sourceOrWrong(each))
  const count = sources.filter((each) => typeof each === 'string').length
  return { value: { kind: 'rank', count, sources, asked: { topic, aligned, ...shownOf(members) } } }
}

function sourceOrWrong(sent: unknown): string | WrongSource {
  if (typeof sent !== 'string') return { sent: null, reason: 'not-a-string' }
  if (!/\S/.test(sent)) return { sent, reason: 'blank' }
  return sent.length > limits.sourceCharactersMax ? { sent, reason: 'too-long' } : sent
}
