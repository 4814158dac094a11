/** Writes peers as ranked summaries. */

import { byScore } from '../../../engine/explain/explained.ts'
import { positions } from '../../../engine/interpret/found.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Written } from '../../answer-cache.ts'
import type { Body } from '../../items/body.ts'
import { itemFormOf, writeItems } from '../../items/write-items.ts'
import { pageMembers } from '../lists/listing-pages.ts'
import type { PeersResult } from './find.ts'
import type { PeersQuery } from './parse.ts'

/** Writes the peers. */
export function renderPeers(
  { catalog }: ActiveSnapshot,
  query: PeersQuery,
  { ordinals, page }: PeersResult,
  body: Body,
): Written | undefined {
  writeItems(catalog, ordinals, body, page?.ranks ?? positions, itemFormOf(query, byScore))
  return page && { way: '', members: pageMembers(page) }
}
