/**
 * Sources in the order of the authority of who published them: with a topic its members by their rank
 * in it, then whoever else is known by authority, then those of whom nobody is known. Equals stay in
 * the order of the request.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import { nowhere } from '../../text/handle.ts'
import type { SentHandle } from '../read/identities.ts'
import type { Served } from '../served.ts'
import type { Body } from './body.ts'
import { writeField } from './chosen-items.ts'

/** Why nobody is known. */
export const unknownReasons = {
  'not-an-account': 'the source is an address or an identifier of nobody, such as a home page',
  'not-in-index': 'nobody in the index owns the handle, profile or address',
} as const

/** A source, and who published it. */
interface RankedSource {
  readonly source: SentHandle
  /** Below 0 where nobody is known. */
  readonly ordinal: number
  /** In the topic; 0 where it has none. */
  readonly rank: number
}

/** Writes an item for each source. @param topic undefined where ranks are those in core topics. */
export function writeRankedSources(
  { catalog, search }: Served,
  sources: readonly SentHandle[],
  topic: number | undefined,
  body: Body,
): void {
  const order = topic === undefined ? undefined : search.orderOf(topic)
  const label = topic === undefined ? undefined : JSON.stringify(catalog.labelOf(topic))
  const ranked = sources.map((source): RankedSource => {
    const [ordinal = -1] = catalog.ownersOf(source.query)
    return { source, ordinal, rank: ordinal < 0 ? 0 : (order?.rankOf(ordinal) ?? 0) }
  })
  ranked.sort(byAuthority).forEach((each, index) => {
    if (index > 0) body.comma()
    writeSource(catalog, each, label, body)
  })
}

/** Ordinals are by descending authority. */
function byAuthority(a: RankedSource, b: RankedSource): number {
  if (a.rank !== b.rank) return (a.rank || unranked) - (b.rank || unranked)
  return (a.ordinal < 0 ? unranked : a.ordinal) - (b.ordinal < 0 ? unranked : b.ordinal)
}

/** Behind every rank and every ordinal. */
const unranked = 2 ** 32

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
