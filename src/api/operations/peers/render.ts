/** Writes peers as ranked summaries. */

import type { Served } from '../../active-snapshot.ts'
import type { Written } from '../../answer-cache.ts'
import type { Body } from '../../items/body.ts'
import { byScore } from '../../items/explanations.ts'
import { formOf, writeItems } from '../../items/write-items.ts'
import { pageMembers } from '../lists/listing-pages.ts'
import type { PeersResult } from './find.ts'
import type { PeersQuery } from './parse.ts'

/** Writes the peers. */
export function renderPeers(
  { catalog }: Served,
  query: PeersQuery,
  { ordinals, ranks, page }: PeersResult,
  body: Body,
): Written | undefined {
  writeItems(catalog, ordinals, body, ranks, formOf(query, byScore))
  return page && { way: '', members: pageMembers(page) }
}
