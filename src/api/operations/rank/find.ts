/**
 * Finds the publishers of sources, in the order of their authority: with a topic its members by their rank
 * in it, then other people by authority score, then the sources without a known publisher. Equals stay
 * in the order of the request.
 */

import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { AnsweredValues } from '../../exchange.ts'
import { readHandle, type SentHandle } from '../../parameters/identities.ts'
import { type RankQuery, unknownTopic, type WrongSource } from './parse.ts'

/** A source and its publisher. */
export interface RankedSource {
  readonly source: SentHandle | WrongSource
  /** Its place in the request, from 0. */
  readonly index: number
  /** Below 0 if the publisher is unknown. */
  readonly ordinal: number
  /** Rank in the topic; 0 without one. */
  readonly rank: number
}

/** Finds the order of the sources. */
export function findRank(
  { catalog, search }: ActiveSnapshot,
  { sources, asked: { topic } }: RankQuery,
): RankedSource[] {
  const isKnown = topic !== undefined && topic !== unknownTopic
  const order = isKnown ? search.orderOf(topic) : undefined
  const ranked = sources.map((sent, index): RankedSource => {
    const source = typeof sent === 'string' ? readHandle(sent) : sent
    const [ordinal = -1] = 'query' in source ? catalog.ownersOf(source.query) : []
    return { source, index, ordinal, rank: ordinal < 0 ? 0 : (order?.rankOf(ordinal) ?? 0) }
  })
  return ranked.sort(byAuthority)
}

/** Ordinals are by descending authority. */
function byAuthority(a: RankedSource, b: RankedSource): number {
  if (a.rank !== b.rank) return (a.rank || unranked) - (b.rank || unranked)
  return (a.ordinal < 0 ? unranked : a.ordinal) - (b.ordinal < 0 ? unranked : b.ordinal)
}

/** A number above every rank and every ordinal. */
const unranked = 2 ** 32

/** Counts the sources of the first items. */
export function sourcesAnswered(
  { asked: { aligned } }: RankQuery,
  ranked: readonly RankedSource[],
): AnsweredValues {
  return (items) => {
    const shown = aligned ? ranked.toSorted((a, b) => a.index - b.index) : ranked
    return shown.slice(0, items).filter(({ source }) => 'query' in source).length
  }
}
