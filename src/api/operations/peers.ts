/** The top authorities connected with handles: the union of their peers, each person once, as ranked summaries. */
import { byScore } from '../../engine/explain/rank-evidence.ts'
import { positions } from '../../engine/interpret/found.ts'
import { unionOf } from '../../engine/postings/doc-set.ts'
import { listOf } from '../../engine/postings/list.ts'
import { type FieldName, holdsProfile } from '../../request-parameters.ts'
import type { HandleQuery } from '../../text/handle.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { Written } from '../answer-cache.ts'
import type { Parsed } from '../exchange.ts'
import type { Body } from '../items/body.ts'
import { itemFormOf, writeItems } from '../items/write-items.ts'
import { fastHandle, fastTail, firstEnd } from '../parameters/fast-parse.ts'
import { distinctHandles } from '../parameters/sent-handles.ts'
import type { Explain } from '../schemas/values.ts'
import { type Page, type PageQuery, pageOf, parsePage } from './lists/people-pages.ts'
import { operation } from './operation.ts'

interface PeersQuery {
  readonly count: number
  /** Each different one once. */
  readonly handles: readonly HandleQuery[]
  readonly limit: number
  readonly explain: Explain
  readonly fields: readonly FieldName[] | undefined
  /** Undefined if only the first items are wanted. */
  readonly page: PageQuery | undefined
}

/** Parses one handle of plain characters, and a limit and fields behind it. */
export function fastParsePeers(query: string): PeersQuery | undefined {
  const end = firstEnd(query)
  const handle = fastHandle(query, end)
  const tail = handle && fastTail(query, end)
  if (handle === undefined || tail === undefined) return undefined
  const { limit, fields } = tail
  return { count: 1, handles: [handle], limit, explain: false, fields, page: undefined }
}

/** The peers that are shown, ranked by their positions, or a page of them with their ranks; good until the next request. */
type PeersResult = Uint32Array | Page

/** Whether peers are a page. Plain peers are a list and nothing else: an object around them is garbage for each request. */
function isPage(result: PeersResult): result is Page {
  return !ArrayBuffer.isView(result)
}

export function findPeers(served: ActiveSnapshot, query: PeersQuery): PeersResult {
  const { handles, limit, page } = query
  if (handles.length !== 1 || page !== undefined) return peersOfSeveral(served, query)
  const { catalog } = served
  return catalog.peersIn(catalog.peersOf(handles[0]!), limit)
}

/** Functions that keep what they are made in stay out of the path of one handle: there, that is garbage. */
function peersOfSeveral(served: ActiveSnapshot, { handles, limit, page }: PeersQuery): PeersResult {
  const { catalog } = served
  const lists = handles.map((handle) => catalog.peersOf(handle))
  if (page === undefined) {
    const distinct = new Set<number>()
    for (const list of lists) for (const peer of catalog.peersIn(list, limit)) distinct.add(peer)
    return Uint32Array.from(distinct).sort().subarray(0, limit)
  }
  const peers = unionOf(lists.map((list) => listOf(catalog.peersIn(list).slice())))
  const matched = { names: [[peers]], words: [], order: undefined, isRanked: false }
  return pageOf(served, matched, page, limit)
}

export function renderPeers(
  { catalog }: ActiveSnapshot,
  query: PeersQuery,
  result: PeersResult,
  body: Body,
): Written | undefined {
  const form = itemFormOf(query, byScore)
  if (!isPage(result)) {
    writeItems(catalog, result, body, positions, form)
    return undefined
  }
  writeItems(catalog, result.ordinals, body, result.ranks, form)
  return { way: '', members: result.members }
}

export const peers = operation('peers', {
  fastParse: fastParsePeers,
  understand: (values, { cursors }): Parsed<PeersQuery> => {
    const handles = distinctHandles(values.handles).map(({ query }) => query)
    const identities = handles.map(({ platform, key }) => [platform, key])
    const { value: page, problem } = parsePage(['peers', identities], values, cursors)
    if (problem !== undefined) return { problem }
    const { limit, explain, fields } = values
    return { value: { count: handles.length, handles, limit, explain, fields, page } }
  },
  profilesMax: ({ fields, limit }) => (holdsProfile(fields) ? limit : 0),
  find: findPeers,
  render: renderPeers,
})
