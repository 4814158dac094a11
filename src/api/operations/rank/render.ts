/** Writes sources with their publishers, or why no publisher is known. */
import type { Catalog } from '../../../engine/catalog.ts'
import { type Explained, inCoreTopic, inTopics } from '../../../engine/explain/explained.ts'
import { type FieldName, holdsProfile } from '../../../request-parameters.ts'
import { nowhere } from '../../../text/handle.ts'
import type { ActiveSnapshot } from '../../active-snapshot.ts'
import type { Body } from '../../items/body.ts'
import { writeField } from '../../items/item-fields.ts'
import { explainItem } from '../../items/write-items.ts'
import type { RankedSource } from './find.ts'
import { type RankQuery, unknownTopic } from './parse.ts'

/** Reasons why a source has no known publisher, or no rank; the last four of lenient requests only. */
export const unknownReasons = {
  'not-an-account': 'the source is an address or identifier of no account, such as a home page',
  'not-in-index': 'the owner of the handle, profile or address is not in the index',
  'unknown-topic': 'the author is known, and the index has no such topic',
  'not-a-string': 'the entry is not a string',
  blank: 'the entry is blank',
  'too-long': 'the entry is longer than a source may be',
} as const

/** The fields of a publisher unless `fields` names others. */
const usualFields: readonly FieldName[] = ['sdu', 'name', 'authority_score', 'rank', 'topic']

/** The form of items. */
interface SourceForm {
  readonly fields: readonly FieldName[]
  readonly holdsProfile: boolean
  /** The topic in the request, as JSON; undefined if ranks are those in core topics. */
  readonly label: string | undefined
  readonly isTopicUnknown: boolean
  readonly explained: Explained | undefined
}

/** Writes an item for each source; without a topic, ranks are those in core topics. */
export function renderRank(
  { catalog }: ActiveSnapshot,
  { asked }: RankQuery,
  ranked: readonly RankedSource[],
  body: Body,
): undefined {
  const form = formOf(catalog, asked)
  const positions = asked.aligned ? new Uint32Array(ranked.length) : undefined
  const shown = positions === undefined ? ranked : inOrderSent(ranked, positions)
  for (const [place, each] of shown.entries()) {
    if (place > 0) body.comma()
    writeSource(catalog, each, form, body)
    body.text(`,"index":${each.index}`)
    if (positions !== undefined) body.text(`,"position":${positions[each.index]}`)
    body.text('}')
    const { explained } = form
    if (explained !== undefined && each.ordinal >= 0) {
      explainItem(catalog, each.ordinal, body, explained)
    }
  }
}

function formOf(catalog: Catalog, { topic, fields, explain }: RankQuery['asked']): SourceForm {
  const isTopicUnknown = topic === unknownTopic
  const isKnown = topic !== undefined && !isTopicUnknown
  const explained = isKnown ? inTopics([topic]) : inCoreTopic
  return {
    fields: fields ?? usualFields,
    holdsProfile: holdsProfile(fields),
    label: isKnown ? JSON.stringify(catalog.labelOf(topic)) : isTopicUnknown ? 'null' : undefined,
    isTopicUnknown,
    explained: explain === 'items' ? explained : undefined,
  }
}

/** The sources as they were sent. @param positions is filled with the place of each by authority, from 1. */
function inOrderSent(ranked: readonly RankedSource[], positions: Uint32Array): RankedSource[] {
  const sent: RankedSource[] = []
  for (const [place, each] of ranked.entries()) {
    sent[each.index] = each
    positions[each.index] = place + 1
  }
  return sent
}

/** Writes an item up to its reason; the members behind that and the brace are missing. */
function writeSource(catalog: Catalog, ranked: RankedSource, form: SourceForm, body: Body): void {
  const { source, ordinal, rank } = ranked
  const { fields, label } = form
  if (form.holdsProfile && ordinal >= 0) body.addProfiles(1)
  body.text(`{"source":${JSON.stringify(source.sent)}`)
  for (const name of fields) {
    body.text(`,"${name}":`)
    if (name === 'topic' && label !== undefined) body.text(label)
    else if (ordinal < 0 || (name === 'rank' && label !== undefined && rank === 0)) {
      body.text('null')
    } else if (name === 'rank') body.integer(rank || catalog.coreRankOf(ordinal))
    else writeField(catalog, ordinal, name, body)
  }
  const reason = reasonOf(ranked, form)
  body.text(reason === undefined ? ',"reason":null' : `,"reason":"${reason}"`)
}

function reasonOf(
  { source, ordinal }: RankedSource,
  { isTopicUnknown }: SourceForm,
): keyof typeof unknownReasons | undefined {
  if ('reason' in source) return source.reason
  if (ordinal >= 0) return isTopicUnknown ? 'unknown-topic' : undefined
  return source.query.platform === nowhere ? 'not-an-account' : 'not-in-index'
}
