/** Writes profiles. An unknown SDU is left out; in an aligned answer it is `null`. */

import { inCoreTopic } from '../../../engine/explain/explained.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Body } from '../../items/body.ts'
import { explainItem, itemFormOf } from '../../items/write-items.ts'
import type { DetailResult } from './find.ts'
import type { DetailQuery } from './parse.ts'

/** Writes the profiles. */
export function renderDetail(
  { catalog }: ActiveSnapshot,
  query: DetailQuery,
  ordinals: DetailResult,
  body: Body,
): undefined {
  const { identities, rests } = catalog.profiles
  const { fields, explained } = itemFormOf(query, inCoreTopic)
  const start = body.length
  for (let index = 0; index < ordinals.length; index += 1) {
    const ordinal = ordinals[index]!
    if (ordinal < 0 && !query.aligned) continue
    if (body.length > start) body.comma()
    if (ordinal < 0) {
      body.text('null')
      continue
    }
    if (fields === undefined) {
      body.entry(identities, ordinal)
      body.entry(rests, ordinal)
    } else {
      fields.write(catalog, ordinal, catalog.coreRankOf(ordinal), body)
    }
    if (explained !== undefined) explainItem(catalog, ordinal, body, explained)
  }
}
