/**
 * The four answers: parameters in, items into the body. Every item is copied from the snapshot's
 * ready-made JSON; only ranks and the handles that were sent are written here.
 */
import type { Catalog } from '../catalog/catalog.ts'
import type { Problem } from '../problems.ts'
import type { Body } from './body.ts'
import {
  type Pairs,
  parseHandles,
  parseLimit,
  parseSdus,
  parseText,
  type SentHandle,
} from './parameters.ts'
import type { Served } from './served.ts'

/** Writes the items of an answer, or says what is wrong with the parameters. */
export type Answer = (served: Served, pairs: Pairs, body: Body) => Problem | undefined

const closeBraceBytes = 1

/** Search: the first `limit` authorities for the text. */
export const answerSearch: Answer = ({ catalog, search }, pairs, body) => {
  const text = parseText(pairs)
  if (text.problem !== undefined) return text.problem
  const limit = parseLimit(pairs)
  if (limit.problem !== undefined) return limit.problem
  const { topic } = search.find(text.value)
  if (topic !== undefined) writeTopic(catalog, topic, limit.value, body)
  return undefined
}

/** The first items of a topic's ranking are one slice of its ready-made JSON. */
function writeTopic({ sections }: Catalog, topic: number, limit: number, body: Body): void {
  const first = sections['topic.item-starts'][topic]!
  const last = Math.min(first + limit, sections['topic.item-starts'][topic + 1]!)
  if (last === first) return
  const ends = sections['topic.item-ends']
  body.slice(sections['topic.json'], first === 0 ? 0 : ends[first - 1]!, ends[last - 1]!)
}

/** Detail: the profiles of the SDUs that are known, in the order of the request. */
export const answerDetail: Answer = ({ catalog }, pairs, body) => {
  const sdus = parseSdus(pairs)
  if (sdus.problem !== undefined) return sdus.problem
  let items = 0
  for (const sdu of sdus.value) {
    const ordinal = catalog.findSdu(sdu)
    if (ordinal < 0) continue
    if (items > 0) body.text(',')
    const ends = catalog.sections['profile.ends']
    const start = ordinal === 0 ? 0 : ends[ordinal - 1]!
    body.slice(catalog.sections['profile.json'], start, ends[ordinal]!)
    items += 1
  }
  return undefined
}

/** Peers: the union of the peers of all handles by authority score, ranked from 1. */
export const answerPeers: Answer = ({ catalog }, pairs, body) => {
  const handles = parseHandles(pairs)
  if (handles.problem !== undefined) return handles.problem
  const limit = parseLimit(pairs)
  if (limit.problem !== undefined) return limit.problem
  peersOf(catalog, handles.value, limit.value).forEach((ordinal, index) => {
    if (index > 0) body.text(',')
    writeSummary(catalog, ordinal, index + 1, body)
  })
  return undefined
}

function peersOf(catalog: Catalog, handles: readonly SentHandle[], limit: number): Uint32Array {
  const ordinals = catalog.sections['peer.ordinals']
  const ranges = handles.map(({ query }) => catalog.peersOf(query))
  if (ranges.length === 1) {
    const { start, end } = ranges[0]!
    return ordinals.subarray(start, Math.min(end, start + limit))
  }
  const union = new Set(ranges.flatMap(({ start, end }) => [...ordinals.subarray(start, end)]))
  return Uint32Array.from(union).sort().subarray(0, limit)
}

/**
 * Match: the owners of each handle in the order of the request; when several handles were asked
 * for, each item says which one it answers.
 */
export const answerMatch: Answer = ({ catalog }, pairs, body) => {
  const handles = parseHandles(pairs)
  if (handles.problem !== undefined) return handles.problem
  const several = handles.value.length > 1
  let items = 0
  for (const { sent, query } of handles.value) {
    for (const ordinal of catalog.ownersOf(query)) {
      if (items > 0) body.text(',')
      const rank = catalog.sections['authority.core-ranks'][ordinal]!
      writeSummary(catalog, ordinal, rank, body, several ? sent : undefined)
      items += 1
    }
  }
  return undefined
}

/** A summary item: the two halves around its rank, and the handle it answers when there is one. */
function writeSummary(
  { sections }: Catalog,
  ordinal: number,
  rank: number,
  body: Body,
  handle?: string,
): void {
  const json = sections['summary.json']
  const ends = sections['summary.ends']
  const split = sections['summary.splits'][ordinal]!
  body.slice(json, ordinal === 0 ? 0 : ends[ordinal - 1]!, split)
  body.integer(rank)
  if (handle === undefined) {
    body.slice(json, split, ends[ordinal]!)
  } else {
    body.slice(json, split, ends[ordinal]! - closeBraceBytes)
    body.text(`,"handle":${JSON.stringify(handle)}}`)
  }
}
