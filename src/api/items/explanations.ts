/**
 * Explanations: the components of the rank of an item, written behind its other members. Shares stand in
 * parts of 10¹⁰, rounded so that those of the components sum to that of the rank.
 */
import type { Catalog } from '../../engine/catalog.ts'
import {
  isOfRecord,
  ownPartsOf,
  ownPercentOf,
  sharePartsOf,
} from '../../engine/explain/explained.ts'
import type { ExplainedRank } from '../../engine/explain/rank-evidence.ts'
import { nameSpan } from '../../engine/person-names.ts'
import { pieceOf } from '../../memory/copy-text.ts'
import type { Body } from './body.ts'

/** The constant parts of every explanation, ready to copy: writing them anew takes several times as long. */
const fixed = {
  topic: pieceOf(',"explanation":{"topic":'),
  none: pieceOf('null'),
  rank: pieceOf(',"rank":'),
  of: pieceOf(',"of":'),
  share: pieceOf(',"share":'),
  margin: pieceOf(',"margin":'),
  own: pieceOf(',"components":[{"name":"own","value":'),
  endorsement: pieceOf('},{"name":"endorsement","value":'),
  endComponents: pieceOf('}]'),
  endRecord: pieceOf(']'),
  byOne: pieceOf(',"resilience":{"by_1":'),
  byTen: pieceOf(',"by_10":'),
  endorsers: pieceOf('},"endorsers":['),
  endEndorser: pieceOf('}'),
  nextEndorser: pieceOf('},'),
  sources: pieceOf('],"sources":['),
  sentence: pieceOf('],"sentence":"Rank '),
  ofAll: pieceOf(' of '),
  byScore: pieceOf(' by authority score'),
  inTopic: pieceOf(' in '),
  record: pieceOf(', which the record gives.'),
  nobody: pieceOf(': nobody there endorses them.'),
  percent: pieceOf(': '),
  from: pieceOf(' % of the share is from '),
  endorses: pieceOf(' who endorses them'),
  endorse: pieceOf(' who endorse them'),
  most: pieceOf(', most from '),
  rest: pieceOf('; '),
  theirOwn: pieceOf(' % is their own.'),
  end: pieceOf('"}'),
} as const

export function writeExplanation(catalog: Catalog, rank: ExplainedRank, body: Body): void {
  const { evidence } = catalog
  body.piece(fixed.topic)
  if (rank.topic < 0) body.piece(fixed.none)
  else {
    const { topicMembers: topics } = catalog
    body.slice(topics.source, topics.valueStart(rank.topic), topics.valueEnd(rank.topic))
  }
  body.piece(fixed.rank)
  body.integer(rank.rank)
  body.piece(fixed.of)
  body.integer(rank.of)
  body.piece(fixed.share)
  body.share(sharePartsOf(rank.share))
  body.piece(fixed.margin)
  if (rank.topic < 0) body.hundredths(rank.margin)
  else body.share(sharePartsOf(rank.margin))
  writeComponents(catalog, rank, body)
  writeResilience(rank, body)
  writeEndorsers(catalog, rank, body)
  body.piece(fixed.sources)
  body.piece(evidence.provenanceOf(rank.ordinal))
  body.piece(fixed.sentence)
  writeSentence(catalog, rank, body)
  body.piece(fixed.end)
}

function writeComponents(catalog: Catalog, rank: ExplainedRank, body: Body): void {
  if (isOfRecord(rank)) {
    const score = catalog.sections['authority.scores'][rank.ordinal]! / 100
    body.text(`,"components":[{"name":"record","value":${score},"share":0}`)
    body.piece(fixed.endRecord)
    return
  }
  const own = sharePartsOf(rank.ownShare)
  body.piece(fixed.own)
  body.share(ownPartsOf(rank))
  body.piece(fixed.share)
  body.share(own)
  body.piece(fixed.endorsement)
  body.integer(rank.endorserCount)
  body.piece(fixed.share)
  body.share(sharePartsOf(rank.share) - own)
  body.piece(fixed.endComponents)
}

/** The number of the strongest endorsers whose loss lowers the rank by 1, and by 10: null if none does. */
function writeResilience({ losses: [one, ten] }: ExplainedRank, body: Body): void {
  body.piece(fixed.byOne)
  writeLosses(one, body)
  body.piece(fixed.byTen)
  writeLosses(ten, body)
  body.piece(fixed.endorsers)
}

function writeLosses(losses: number, body: Body): void {
  if (losses === 0) body.piece(fixed.none)
  else body.integer(losses)
}

function writeEndorsers(catalog: Catalog, { start, end }: ExplainedRank, body: Body): void {
  const { evidence } = catalog
  for (let index = start; index < end; index += 1) {
    writeIdentity(catalog, evidence.endorserAt(index), body)
    body.piece(evidence.kindMembers(index))
    body.share(sharePartsOf(evidence.endorserShareAt(index)))
    body.piece(index + 1 < end ? fixed.nextEndorser : fixed.endEndorser)
  }
}

/** `{"sdu":"7","name":"Ann"`; a handle without an owner has no SDU. */
function writeIdentity(catalog: Catalog, node: number, body: Body): void {
  if (node >= catalog.counts.authorities) {
    body.text(`{"sdu":null,"name":${JSON.stringify(catalog.evidence.unownedName(node))}`)
    return
  }
  body.entry(catalog.identities, node)
}

/** As it stands between quotes. */
function writeName(catalog: Catalog, node: number, body: Body): void {
  if (node >= catalog.counts.authorities) {
    body.text(JSON.stringify(catalog.evidence.unownedName(node)).slice(1, -1))
    return
  }
  const { start, end } = nameSpan(catalog, node)
  body.slice(catalog.identities.pageOf(node).source, start, end)
}

function writeSentence(catalog: Catalog, rank: ExplainedRank, body: Body): void {
  body.integer(rank.rank)
  body.piece(fixed.ofAll)
  body.integer(rank.of)
  if (rank.topic < 0) body.piece(fixed.byScore)
  else writeInTopic(catalog, rank.topic, body)
  if (isOfRecord(rank)) body.piece(fixed.record)
  else if (rank.endorserCount === 0) body.piece(fixed.nobody)
  else writeOrigin(catalog, rank, body)
}

function writeOrigin(catalog: Catalog, rank: ExplainedRank, body: Body): void {
  const { evidence } = catalog
  const ownPercent = ownPercentOf(rank)
  body.piece(fixed.percent)
  body.integer(100 - ownPercent)
  body.piece(fixed.from)
  body.integer(rank.endorserCount)
  body.piece(rank.endorserCount === 1 ? fixed.endorses : fixed.endorse)
  if (rank.end > rank.start) {
    body.piece(fixed.most)
    writeName(catalog, evidence.endorserAt(rank.start), body)
  }
  body.piece(fixed.rest)
  body.integer(ownPercent)
  body.piece(fixed.theirOwn)
}

/** Writes ` in ` and the label without its quotes. */
function writeInTopic({ topicMembers }: Catalog, topic: number, body: Body): void {
  body.piece(fixed.inTopic)
  body.slice(
    topicMembers.source,
    topicMembers.valueStart(topic) + 1,
    topicMembers.valueEnd(topic) - 1,
  )
}
