/** Writes peers as ranked summaries. */

import { byScore } from '../../../engine/explain/explained.ts'
import { positions } from '../../../engine/interpret/found.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Written } from '../../answer-cache.ts'
import type { Body } from '../../items/body.ts'
import { itemFormOf, writeItems } from '../../items/write-items.ts'
import { pageMembers } from '../lists/listing-pages.ts'
import { isPage, type PeersResult } from './find.ts'
import type { PeersQuery } from './parse.ts'

/** Writes the peers. */
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
  return { way: '', members: pageMembers(result) }
}
