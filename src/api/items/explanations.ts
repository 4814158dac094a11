/**
 * Explanations: the components of the rank of an item, written behind its other members. Shares stand in
 * parts of 10¹⁰, rounded so that those of the components sum to that of the rank.
 */
import type { Catalog } from '../../engine/catalog.ts'
import type { ExplainedRank } from '../../engine/explain/rank-evidence.ts'
import { wholeShare } from '../../snapshot/sections.ts'
import type { Body } from './body.ts'

export function writeExplanation(catalog: Catalog, explained: ExplainedRank, body: Body): void {
  const { topic, ordinal, rank, of, losses } = explained
  const label = topic < 0 ? null : JSON.stringify(catalog.labelOf(topic))
  const share = decimals(partsOf(explained.share, wholeShare))
  const { margin } = explained
  const toNext = topic < 0 ? margin / 100 : decimals(partsOf(margin, wholeShare))
  body.text(`,"explanation":{"topic":${label},"rank":${rank},"of":${of},"share":${share}`)
  body.text(`,"margin":${toNext},"components":[${componentsJson(catalog, explained)}]`)
  // The number of the strongest endorsers whose loss lowers the rank by so much; null if none does.
  body.text(`,"resilience":{"by_1":${losses[0] || null},"by_10":${losses[1] || null}}`)
  body.text(',"endorsers":[')
  writeEndorsers(catalog, explained, body)
  body.text('],"sources":[')
  body.piece(catalog.evidence.provenanceOf(ordinal))
  body.text(`],"sentence":${JSON.stringify(sentenceOf(catalog, explained))}}`)
}

const wholeParts = 1e10

function partsOf(value: number, whole: number): number {
  return Math.round((value / whole) * wholeParts)
}

/** A number from 0 to 1 in parts of 10¹⁰, with all of its decimals. */
function decimals(parts: number): string {
  return (parts / wholeParts).toFixed(10)
}

/** Whether it is a score that the record gives. */
function isOfRecord({ topic, share }: ExplainedRank): boolean {
  return topic < 0 && share === 0
}

function componentsJson(catalog: Catalog, rank: ExplainedRank): string {
  if (isOfRecord(rank)) {
    const score = catalog.sections['authority.scores'][rank.ordinal]! / 100
    return `{"name":"record","value":${score},"share":0}`
  }
  const own = partsOf(rank.ownShare, wholeShare)
  const rest = decimals(partsOf(rank.share, wholeShare) - own)
  const value = decimals(partsOf(rank.ownShare, rank.ownWhole))
  const components = [
    `{"name":"own","value":${value},"share":${decimals(own)}}`,
    `{"name":"endorsement","value":${rank.endorserCount},"share":${rest}}`,
  ]
  return components.join()
}

function writeEndorsers(catalog: Catalog, { start, end }: ExplainedRank, body: Body): void {
  const { evidence, counts } = catalog
  for (let index = start; index < end; index += 1) {
    const node = evidence.endorserAt(index)
    // A handle without an owner has no SDU.
    const sdu = node < counts.authorities ? `"${catalog.sduOf(node)}"` : null
    const name = JSON.stringify(nodeName(catalog, node))
    body.text(`${index > start ? ',' : ''}{"sdu":${sdu},"name":${name}`)
    body.piece(evidence.kindMembers(index))
    body.text(`${decimals(partsOf(evidence.endorserShareAt(index), wholeShare))}}`)
  }
}

function nodeName(catalog: Catalog, node: number): string {
  const isOwned = node < catalog.counts.authorities
  return isOwned ? catalog.nameOf(node) : catalog.evidence.unownedName(node)
}

function sentenceOf(catalog: Catalog, rank: ExplainedRank): string {
  const { topic, endorserCount: count, start, end } = rank
  const among = topic < 0 ? 'by authority score' : `in ${catalog.labelOf(topic)}`
  const place = `Rank ${rank.rank} of ${rank.of} ${among}`
  if (isOfRecord(rank)) return `${place}, which the record gives.`
  if (count === 0) return `${place}: nobody there endorses them.`
  const own = Math.round((rank.ownShare / Math.max(1, rank.share)) * 100)
  const first = start < end ? nodeName(catalog, catalog.evidence.endorserAt(start)) : undefined
  const most = first === undefined ? '' : `, most from ${first}`
  const origin = `${count} who ${count === 1 ? 'endorses' : 'endorse'} them${most}`
  return `${place}: ${100 - own} % of the share is from ${origin}; ${own} % is their own.`
}
