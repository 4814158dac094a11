/**
 * Collected records → the sections of a snapshot. Pure: the same records in the same order give
 * the same bytes on every machine.
 */
import type { Interner } from '../memory/interner.ts'
import { authoritiesPerPage } from '../snapshot/section-pages.ts'
import type { Counts, Sections } from '../snapshot/sections.ts'
import { authoritySections, profileSections, summarySections } from './authority-sections.ts'
import { areSymmetric, type Collector } from './collector.ts'
import { evidenceSections, unownedPlaces } from './evidence-sections.ts'
import { handleNodes, platformSections } from './handle-sections.ts'
import { meaningSections, phraseSections } from './meaning-sections.ts'
import { placesOf } from './places.ts'
import { Evidence } from './ranking/evidence.ts'
import { endorsementsOf, neighboursOf } from './ranking/graph.ts'
import { pageRank, patience, priorOf } from './ranking/pagerank.ts'
import { PeerLists } from './ranking/peers.ts'
import { authorityScores, orderByScore } from './ranking/scores.ts'
import { membershipsOf, rankMembers } from './ranking/topic-ranks.ts'
import { recipeVersion } from './recipe.ts'
import { named, tabled } from './text-sections.ts'
import { coreSections, itemSections, topicSections } from './topic-sections.ts'

/** A built index, ready to be written. */
export interface Built {
  /** Of this program, as `recipe.ts` has it. */
  readonly recipe: number
  readonly counts: Counts
  readonly sections: Sections
}

/** Called with the phase of the build that is running and what share of it is done, 0 to 1. */
export type OnPhase = (phase: string, fraction: number) => void

/**
 * Builds all sections.
 * @param perPage authorities whose texts share a page: a power of two.
 * @throws Refusal `build-limit` when a section would be longer than a section can be.
 */
export function build(
  collector: Collector,
  onPhase: OnPhase = () => {},
  perPage = authoritiesPerPage,
): Built {
  const connections = {
    nodes: collector.nodes,
    from: collector.from.view(),
    to: collector.to.view(),
    weights: collector.weights.view(),
    kinds: collector.kinds.view(),
    areSymmetric,
  }
  onPhase('ranking authorities', 0)
  const endorsements = endorsementsOf(connections)
  const prior = priorOf(collector.followers.view(), connections.nodes)
  const masses = pageRank(endorsements, prior, (round) =>
    onPhase('ranking authorities', round / patience.roundsMax),
  )
  const everybody = { graph: endorsements, masses }
  const sdus = collector.sdus.table()
  const scores = authorityScores(collector.scores.view(), masses.mass)
  const order = orderByScore(scores, sdus)
  // Perhaps on another thread, beside all that follows.
  const topics = collector.topicLists.view()
  const topicKeys = keysOfTopics(collector)
  const places = placesOf(textsOf(collector.countries))
  const placeTerms = [...places.terms]
  collector.keywords.begin({ arrivals: order.arrivals, topics, topicKeys, placeTerms })

  onPhase('ranking topics', 0)
  const memberships = membershipsOf(
    topics.starts,
    topics.values,
    collector.topicWeights.view(),
    collector.topicKeys.length,
  )
  const evidence = new Evidence(connections.nodes)
  const { ordinals } = order
  const by = { endorsements, prior, ordinals }
  const ranking = rankMembers(memberships, by, evidence, (topic) =>
    onPhase('ranking topics', topic / collector.topicKeys.length),
  )
  const { ranked } = ranking

  onPhase('collecting peers', 0)
  const peers = new PeerLists(neighboursOf(connections), order.ordinals)
  for (let node = 0; node < connections.nodes; node += 1) {
    peers.add([order.arrivals[node] ?? node])
    if (node % 65_536 === 0) onPhase('collecting peers', node / connections.nodes)
  }
  const handles = handleNodes(collector, order, peers)

  onPhase('making JSON', 0)
  const texts = {
    ...authoritySections(collector, order, scores, sdus),
    ...summarySections(collector, order, perPage),
    ...profileSections(collector, order, scores, perPage),
    ...topicSections(collector, memberships, ranking),
    ...itemSections(collector, order, memberships, ranked),
    ...coreSections(collector, order, memberships, ranked),
    ...evidenceSections(collector, evidence, memberships.starts, everybody, order),
  }
  const countries = collector.authorityCountries.view()
  const meanings = {
    ...meaningSections(memberships, ranked, places, countries, order),
    ...phraseSections(topicKeys, memberships, places),
  }

  onPhase('indexing keywords', 0)
  const sections: Sections = {
    ...texts,
    ...meanings,
    ...named('platform', collector.platforms.table()),
    ...platformSections(handles, collector.authorities),
    ...tabled('handle', collector.handles.table()),
    'handle.node-starts': handles.starts,
    'handle.nodes': handles.nodes,
    'handle.platforms': handles.platforms,
    'handle.peer-lists': handles.peerLists,
    'unowned.places': unownedPlaces(handles.nodes, collector.authorities, connections.nodes),
    'peer.starts': peers.starts.view(),
    'peer.gaps': peers.gaps.view(),
    ...collector.keywords.sections(),
  }
  return { recipe: recipeVersion, counts: countsOf(connections.nodes, perPage, sections), sections }
}

/** The keys of each topic: of its label and of its aliases. */
function keysOfTopics({ topicKeys, aliasKeys, aliasTopics }: Collector): string[][] {
  const keys = Array.from({ length: topicKeys.length }, (_, topic) => [topicKeys.textAt(topic)])
  aliasTopics.view().forEach((topic, alias) => {
    keys[topic]!.push(aliasKeys.textAt(alias))
  })
  return keys
}

function textsOf(texts: Interner): string[] {
  return Array.from({ length: texts.length }, (_, number) => texts.textAt(number))
}

function countsOf(nodes: number, perPage: number, sections: Sections): Counts {
  return {
    authorities: sections['sdu.ends'].length,
    authoritiesPerPage: perPage,
    topics: sections['topic.label-ends'].length,
    topicKeys: sections['topic-key.ends'].length,
    countries: sections['country.ends'].length,
    platforms: sections['platform.ends'].length,
    platformSets: sections['platform-set.starts'].length - 1,
    handles: sections['handle.ends'].length,
    nodes,
    peerLists: sections['peer.starts'].length - 1,
    terms: sections['term.ends'].length,
    pieceBuckets: sections['piece.starts'].length - 1,
    places: sections['place.starts'].length - 1,
    meanings: sections['meaning.starts'].length - 1,
    phrases: sections['phrase.ends'].length,
    ranks: sections['evidence.own-shares'].length,
    kinds: sections['kind.ends'].length,
    provenances: sections['provenance.ends'].length,
  }
}
