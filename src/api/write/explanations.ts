/**
 * Explanations: what the rank of an item is made of, written behind its other members. Shares stand in
 * parts of 10¹⁰, rounded so that those of the components sum to that of the rank.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import type { ExplainedRank } from '../../catalog/rank-evidence.ts'
import { pieceOf } from '../../memory/copy-text.ts'
import { wholeShare } from '../../snapshot/sections.ts'
import type { Body } from './body.ts'

/** What a share of 1 has. */
const wholeParts = 1e10

/** What stands before the SDU in a summary, between it and the name, and behind the name. */
const beforeSdu = '{"sdu":"'.length
const betweenSduAndName = '","name":"'.length
const behindName = '","rank":'.length

/** What stands in every explanation, ready to be copied: writing it anew takes several times as long. */
const fixed = {
  topic: pieceOf(',"explanation":{"topic":'),
  rank: pieceOf(',"rank":'),
  of: pieceOf(',"of":'),
  share: pieceOf(',"share":'),
  margin: pieceOf(',"margin":'),
  own: pieceOf(',"components":[{"name":"own","value":'),
  endorsement: pieceOf('},{"name":"endorsement","value":'),
  endorsers: pieceOf('],"endorsers":['),
  kind: pieceOf(',"kind":"'),
  kindShare: pieceOf('","share":'),
  sources: pieceOf('],"sources":['),
  sentence: pieceOf('],"sentence":"'),
} as const

/** Which rank of an authority is explained. */
export type Explained = (catalog: Catalog, ordinal: number) => ExplainedRank

/** The rank in the core topic. */
export const inCoreTopic: Explained = ({ evidence, sections }, ordinal) =>
  evidence.ofMember(sections['authority.core-topics'][ordinal]!, ordinal)

/** The rank by authority score among all. */
export const byScore: Explained = ({ evidence }, ordinal) => evidence.ofScore(ordinal)

/** Of some topics the rank in the one of which somebody has most; of none, by authority score. */
export function inTopics(topics: readonly number[]): Explained {
  return ({ evidence }, ordinal) => {
    const topic = evidence.topicOf(ordinal, topics)
    return topic < 0 ? evidence.ofScore(ordinal) : evidence.ofMember(topic, ordinal)
  }
}

/** Writes `,"explanation":{…}`: behind the members of an item, before its end. */
export function writeExplanation(catalog: Catalog, rank: ExplainedRank, body: Body): void {
  body.piece(fixed.topic)
  const topic = rank.topic < 0 ? 'null' : catalog.evidence.labelJson(rank.topic)
  body.text(topic)
  body.piece(fixed.rank)
  body.integer(rank.rank)
  body.piece(fixed.of)
  body.integer(rank.of)
  body.piece(fixed.share)
  body.share(partsOf(rank.share))
  body.piece(fixed.margin)
  if (rank.topic < 0) body.text(String(rank.margin / 100))
  else body.share(partsOf(rank.margin))
  writeComponents(catalog, rank, body)
  writeEndorsers(catalog, rank, body)
  body.piece(fixed.sources)
  body.piece(catalog.evidence.provenanceOf(rank.ordinal))
  body.piece(fixed.sentence)
  writeSentence(catalog, rank, topic.slice(1, -1), body)
  body.text('"}')
}

function partsOf(share: number): number {
  return Math.round((share / wholeShare) * wholeParts)
}

/** Whether it is a score that the record gives. */
function isOfRecord({ topic, share }: ExplainedRank): boolean {
  return topic < 0 && share === 0
}

/** Of a rank in a topic, or of a score that was computed; a score of the record is its own component. */
function writeComponents(catalog: Catalog, rank: ExplainedRank, body: Body): void {
  if (isOfRecord(rank)) {
    const score = catalog.sections['authority.scores'][rank.ordinal]! / 100
    body.text(`,"components":[{"name":"record","value":${score},"share":0}`)
    return
  }
  const own = partsOf(rank.ownShare)
  body.piece(fixed.own)
  body.share(Math.round((rank.ownShare / rank.ownWhole) * wholeParts))
  body.piece(fixed.share)
  body.share(own)
  body.piece(fixed.endorsement)
  body.integer(rank.endorserCount)
  body.piece(fixed.share)
  body.share(partsOf(rank.share) - own)
  body.text('}')
}

function writeEndorsers(catalog: Catalog, { start, end }: ExplainedRank, body: Body): void {
  const { evidence } = catalog
  body.piece(fixed.endorsers)
  for (let index = start; index < end; index += 1) {
    if (index > start) body.comma()
    writeIdentity(catalog, evidence.endorsers[index]!, body)
    body.piece(fixed.kind)
    body.text(evidence.kindAt(index))
    body.piece(fixed.kindShare)
    body.share(partsOf(evidence.endorserShares[index]!))
    body.text('}')
  }
}

/** `{"sdu":"7","name":"Ann"`; a handle that nobody owns has no SDU. */
function writeIdentity(catalog: Catalog, node: number, body: Body): void {
  if (node >= catalog.counts.authorities) {
    body.text(`{"sdu":null,"name":${JSON.stringify(catalog.evidence.unownedName(node))}`)
    return
  }
  const { json, ends, splits } = catalog.summaries
  // All of the summary's head but `,"rank":`; the quote in front of it is the name's.
  body.slice(json, node === 0 ? 0 : ends[node - 1]!, splits[node]! - behindName + 1)
}

/** What an endorser is called, as it stands between quotes. */
function writeName(catalog: Catalog, node: number, body: Body): void {
  if (node >= catalog.counts.authorities) {
    body.text(JSON.stringify(catalog.evidence.unownedName(node)).slice(1, -1))
    return
  }
  const { json, ends, splits } = catalog.summaries
  const sduEnds = catalog.sections['sdu.ends']
  const sduLength = sduEnds[node]! - (node === 0 ? 0 : sduEnds[node - 1]!)
  const start = node === 0 ? 0 : ends[node - 1]!
  const name = start + beforeSdu + sduLength + betweenSduAndName
  body.slice(json, name, splits[node]! - behindName)
}

/** @param label of the topic, as it stands between quotes. */
function writeSentence(catalog: Catalog, rank: ExplainedRank, label: string, body: Body): void {
  body.text(`Rank ${rank.rank} of ${rank.of} `)
  body.text(rank.topic < 0 ? 'by authority score' : `in ${label}`)
  if (isOfRecord(rank)) {
    body.text(', which the record gives.')
    return
  }
  if (rank.endorserCount === 0) {
    body.text(': nobody there endorses them.')
    return
  }
  const ownPercent = Math.round((rank.ownShare / Math.max(1, rank.share)) * 100)
  const who = rank.endorserCount === 1 ? 'who endorses' : 'who endorse'
  body.text(`: ${100 - ownPercent} % of the share is from ${rank.endorserCount} ${who} them`)
  if (rank.end > rank.start) {
    body.text(', most from ')
    writeName(catalog, catalog.evidence.endorsers[rank.start]!, body)
  }
  body.text(`; ${ownPercent} % is their own.`)
}
