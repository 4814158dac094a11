/** People and explanations of a whole snapshot as the blocks of a tail hold them: made with what writes answers. */
import type { Body } from '../../api/items/body.ts'
import { writeExplanation } from '../../api/items/explanations.ts'
import type { Catalog } from '../../engine/catalog.ts'
import type { ExplainedRank } from '../../engine/explain/rank-evidence.ts'
import { textOf } from '../../memory/copy-text.ts'
import type { TailPerson, TailReasons, TailSummary } from '../../tail/blocks.ts'

/** The summary of a person as blocks hold it. */
export function tailSummaryOf(catalog: Catalog, ordinal: number): TailSummary {
  return {
    ordinal,
    identity: catalog.identities.bytesAt(ordinal),
    country: catalog.countryNumberOf(ordinal),
    score: catalog.scoreOf(ordinal),
    coreTopic: catalog.coreTopicOf(ordinal),
    coreRank: catalog.coreRankOf(ordinal),
  }
}

/** A person as blocks hold one. */
export function tailPersonOf(catalog: Catalog, ordinal: number): TailPerson {
  const topics = topicsOf(catalog, ordinal)
  return {
    ...tailSummaryOf(catalog, ordinal),
    profile: catalog.profiles.rests.bytesAt(ordinal),
    topics,
    ranks: topics.map((topic) => catalog.evidence.rankIn(topic, ordinal)),
  }
}

/** The explanations of a person's ranks. @param body anything that is written into meanwhile. */
export function tailReasonsOf(catalog: Catalog, ordinal: number, body: Body): TailReasons {
  const { evidence } = catalog
  const written = (rank: ExplainedRank) => {
    body.begin()
    writeExplanation(catalog, rank, body)
    return textOf(body.pieceFrom(0))
  }
  const topics = topicsOf(catalog, ordinal)
  const ranks = topics.map((topic) => evidence.ofMember(topic, ordinal))
  return {
    ofScore: written(evidence.ofScore(ordinal)),
    topics,
    shares: ranks.map(({ share }) => share),
    ofTopics: ranks.map(written),
  }
}

/** A person's topics, the core topic first. */
function topicsOf({ sections }: Catalog, ordinal: number): number[] {
  const starts = sections['authority.topic-starts']
  return [...sections['authority.topics'].subarray(starts[ordinal], starts[ordinal + 1])]
}
