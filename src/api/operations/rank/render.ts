/** Writes sources with their publishers, or why no publisher is known. */
import type { Catalog } from '../../../engine/catalog.ts'
import { nowhere } from '../../../text/handle.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Body } from '../../items/body.ts'
import { writeField } from '../../items/item-fields.ts'
import type { RankedSource } from './find.ts'
import type { RankQuery } from './parse.ts'

/** Reasons why a source has no known publisher. */
export const unknownReasons = {
  'not-an-account': 'the source is an address or identifier of no account, such as a home page',
  'not-in-index': 'the owner of the handle, profile or address is not in the index',
} as const

/** Writes an item for each source; without a topic, ranks are those in core topics. */
export function renderRank(
  { catalog }: ActiveSnapshot,
  { topic }: RankQuery,
  ranked: readonly RankedSource[],
  body: Body,
): undefined {
  const label = topic === undefined ? undefined : JSON.stringify(catalog.labelOf(topic))
  for (const [index, each] of ranked.entries()) {
    if (index > 0) body.comma()
    writeSource(catalog, each, label, body)
  }
}

/** @param label of the topic, as JSON. */
function writeSource(
  catalog: Catalog,
  { source, ordinal, rank }: RankedSource,
  label: string | undefined,
  body: Body,
): void {
  body.text(`{"source":${JSON.stringify(source.sent)}`)
  if (ordinal < 0) {
    const reason = source.query.platform === nowhere ? 'not-an-account' : 'not-in-index'
    const topic = label ?? 'null'
    body.text(`,"sdu":null,"name":null,"authority_score":null,"rank":null,"topic":${topic}`)
    body.text(`,"reason":"${reason satisfies keyof typeof unknownReasons}"}`)
    return
  }
  for (const name of ['sdu', 'name', 'authority_score'] as const) {
    body.text(`,"${name}":`)
    writeField(catalog, ordinal, name, body)
  }
  body.text(',"rank":')
  if (label !== undefined && rank === 0) body.text('null')
  else body.integer(rank || catalog.coreRanks[ordinal]!)
  body.text(',"topic":')
  if (label === undefined) writeField(catalog, ordinal, 'topic', body)
  else body.text(label)
  body.text(',"reason":null}')
}
