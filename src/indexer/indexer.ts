/** Collected records → the sections of a snapshot. Pure: same records, same order, same bytes. */

import { type ConnectionKind, connectionKinds } from '../connection-kinds.ts'
import { limits } from '../limits.ts'
import { allTexts } from '../memory/text-table.ts'
import type { BuiltSections } from '../snapshot/file.ts'
import { authoritiesPerPage } from '../snapshot/people/profiles.ts'
import { type Counts, withReferences } from '../snapshot/sections.ts'
import type { FiledTexts } from '../snapshot/texts/filed-texts.ts'
import { answerSections } from './answer-sections.ts'
import { authorityItemSections, authoritySections } from './authority-sections.ts'
import type { Collector } from './collector.ts'
import { evidenceSections, unownedPlaces } from './evidence-sections.ts'
import { handleNodes, platformSections } from './handle-sections.ts'
import {
  meaningSections,
  peopleOfPlaces,
  phraseSections,
  placeSections,
} from './meaning-sections.ts'
import { NameWords } from './name-words.ts'
import { placesOf } from './places.ts'
import type { PostingSections } from './posting-sections.ts'
import { Evidence } from './ranking/evidence.ts'
import { type Connections, endorsementsOf, neighboursOf, type Origins } from './ranking/graph.ts'
import { pageRank, patience, priorOf } from './ranking/pagerank.ts'
import { PeerLists } from './ranking/peers.ts'
import { authorityScores, type Order, orderByScore } from './ranking/scores.ts'
import { membershipsOf, rankMembers } from './ranking/topic-ranks.ts'
import { recipeVersion } from './recipe.ts'
import { named, tabled } from './text-sections.ts'
import { topicItemSections } from './topic-items.ts'
import { type ContestedTopic, type KnownTopics, topicPhrases } from './topic-phrases.ts'
import { coreSections, topicSections } from './topic-sections.ts'

interface Built {
  readonly recipe: number
  readonly counts: Counts
  readonly sections: BuiltSections
  /** Topics whose label or alias means something else in a search. */
  readonly contested: readonly ContestedTopic[]
}

/** Called with the phase of the build that is running and what share of it is done, 0 to 1. */
type OnPhase = (phase: string, fraction: number) => void

/**
 * Builds all sections but those of keywords, which may be made in parallel; returns a function that
 * joins the two. It empties the collector, which cannot be used afterwards.
 * @param texts gets the profiles, whose sections are empty.
 * @throws Refusal `build-limit` when a section would be longer than a section can be.
 */
export function build(
  collector: Collector,
  texts: FiledTexts,
  onPhase: OnPhase = () => {},
  perPage = authoritiesPerPage,
): (keywords: PostingSections) => Built {
  const { nodes } = collector
  collector.end()
  const ranks = ranked(collector, onPhase)
  const { order, scores, places, topicKeys, memberships, ranking, evidence } = ranks
  const { handles, peers } = connected(collector, order, onPhase)
  onPhase('making JSON', 0)
  const filing = { perPage, texts }
  const items = authorityItemSections(collector, order, scores, filing, (fraction) =>
    onPhase('making JSON', fraction),
  )
  collector.items.clear()
  const facts = {
    ...authoritySections(collector, order, scores),
    ...topicSections(collector, memberships, ranking),
    ...coreSections(collector, order, memberships, ranking.ranked),
  }
  const ofTopics = { starts: memberships.starts, members: ranking.ranked }
  const firstItems = topicItemSections({ ...items, ...facts }, ofTopics)
  const countries = collector.authorityCountries.view()
  const attributes = collector.attributes.index(order.arrivals)
  const ofPlaces = peopleOfPlaces(places, countries, order)
  const others = [...ofPlaces, ...attributes.people]
  const meanings = {
    ...attributes.sections,
    ...meaningSections(memberships, ranking.ranked, others, order),
    ...placeSections(places),
  }
  const topics = knownTopics(collector, topicKeys)
  const peopleOf = (phrase: string) =>
    Math.max(
      ofPlaces[places.phrases.get(phrase) ?? -1]?.length ?? 0,
      attributes.people[attributes.phrases.get(phrase) ?? -1]?.length ?? 0,
    )

  onPhase('indexing keywords', 0)
  const sections = {
    ...items,
    ...firstItems,
    ...facts,
    ...evidence,
    ...meanings,
    ...named('platform', collector.claims.platforms.table()),
    ...platformSections(handles, collector),
    ...tabled('handle', collector.claims.handles.table()),
    'handle.node-starts': handles.starts,
    'handle.nodes': handles.nodes,
    'handle.platforms': handles.platforms,
    'handle.shared': handles.shared,
    'unowned.places': unownedPlaces(handles.nodes, collector.authorities, nodes),
    'peer.starts': peers.starts.view(),
    'peer.gaps': peers.gaps.view(),
  }
  release(collector)
  return (keywords) => {
    const phrases = topicPhrases(topics, { names: new NameWords(keywords), peopleOf })
    const others = { ...sections, ...phraseSections(phrases, places, attributes), ...keywords }
    const counts = countsOf(nodes, perPage, others)
    const all: BuiltSections = { ...others, ...answerSections(others, counts) }
    return {
      recipe: recipeVersion,
      counts,
      sections: withReferences(all, counts),
      contested: phrases.contested,
    }
  }
}

/** For each kind whether both ends endorse each other. */
const symmetry: Readonly<Record<ConnectionKind, boolean>> = {
  follows: false,
  mentions: false,
  co_membership: true,
  coauthor: true,
  collaborates: true,
}

function connectionsOf(collector: Collector): Connections {
  const { beliefs, connections, vetted } = collector
  return {
    nodes: collector.nodes,
    from: connections.from.view(),
    to: connections.to.view(),
    weights: connections.weights.view(),
    kinds: connections.kinds.view(),
    areSymmetric: connectionKinds.map((kind) => symmetry[kind]),
    // A register may speak for both ends of each connection.
    vetted: beliefs.trust.includes('connections') ? undefined : vetted?.view(),
    origins: originsOf(collector),
    pairWeightMax: beliefs.trust.includes('weights') ? Infinity : limits.pairWeightMax,
  }
}

/** Sources of the connections, and the share that one may carry; undefined if it may carry all, or is the only one. */
function originsOf({ beliefs, connections, sources }: Collector): Origins | undefined {
  const of = connections.sources.view()
  if (of.every((source) => source === of[0])) return undefined
  return { of, count: sources.length + 1, shareMax: beliefs.sourceShareMax }
}

/** All ranks and what they are made of; keywords begin as soon as the order is known. */
function ranked(collector: Collector, onPhase: OnPhase) {
  onPhase('ranking authorities', 0)
  const { nodes } = collector
  const endorsements = endorsementsOf(connectionsOf(collector))
  const prior = priorOf(collector.followers.view(), nodes)
  const masses = pageRank(endorsements, prior, (round) =>
    onPhase('ranking authorities', round / patience.roundsMax),
  )
  const scores = authorityScores(collector.scores.view(), masses.mass)
  const order = orderByScore(scores, collector.sdus.textsFrom(0))
  collector.sdus.release()
  // Perhaps on another thread, beside all that follows.
  const topics = collector.topicLists.view()
  const topicKeys = keysOfTopics(collector)
  const places = placesOf(allTexts(collector.countries.textsFrom(0)))
  const placeTerms = [...places.terms]
  collector.keywords.begin({ arrivals: order.arrivals, topics, topicKeys, placeTerms })

  onPhase('ranking topics', 0)
  const memberships = membershipsOf(
    topics.starts,
    topics.values,
    collector.topicWeights.view(),
    collector.topicKeys.length,
  )
  collector.topicWeights.clear()
  const evidence = new Evidence(nodes)
  const vetted = collector.vetted?.view()
  const by = { endorsements, prior, ordinals: order.ordinals, vetted }
  const ranking = rankMembers(memberships, by, evidence, (topic) =>
    onPhase('ranking topics', topic / collector.topicKeys.length),
  )
  const everybody = { graph: endorsements, masses }
  const known = evidenceSections(collector, evidence, memberships.starts, everybody, order)
  const { starts } = memberships
  return { scores, order, topicKeys, places, memberships: { starts }, ranking, evidence: known }
}

function connected(collector: Collector, order: Order, onPhase: OnPhase) {
  onPhase('collecting peers', 0)
  const { nodes } = collector
  const peers = new PeerLists(neighboursOf(connectionsOf(collector)), order.ordinals)
  collector.connections.clear()
  for (let node = 0; node < nodes; node += 1) {
    peers.add([order.arrivals[node] ?? node])
    if (node % 65_536 === 0) onPhase('collecting peers', node / nodes)
  }
  const { starts, gaps } = peers
  const handles = handleNodes(collector, order, peers)
  collector.claims.clear()
  return { handles, peers: { starts, gaps } }
}

function release(collector: Collector): void {
  const { authorityCountries, followers, scores, authorityProvenances, authoritySources } =
    collector
  const columns = [authorityCountries, followers, scores, authorityProvenances, authoritySources]
  for (const column of [...columns, collector.topicLists]) column.clear()
  collector.claims.handles.release()
}

function keysOfTopics({ topicKeys, topicNames }: Collector): string[][] {
  const { aliasKeys, aliasTopics } = topicNames
  const keys = Array.from({ length: topicKeys.length }, (_, topic) => [topicKeys.textAt(topic)])
  aliasTopics.view().forEach((topic, alias) => {
    keys[topic]!.push(aliasKeys.textAt(alias))
  })
  return keys
}

function countsOf(
  nodes: number,
  perPage: number,
  sections: Omit<BuiltSections, keyof ReturnType<typeof answerSections>>,
): Counts {
  return {
    authorities: sections['authority.scores'].length,
    authoritiesPerPage: perPage,
    topics: sections['topic.label-starts'].length - 1,
    topicKeys: sections['topic-key.starts'].length - 1,
    countries: sections['country.starts'].length - 1,
    platforms: sections['platform.starts'].length - 1,
    platformSets: sections['platform-set.starts'].length - 1,
    attributes: sections['attribute.starts'].length - 1,
    attributeSets: sections['attribute-set.starts'].length - 1,
    handles: sections['handle.starts'].length - 1,
    nodes,
    peerLists: sections['peer.starts'].length - 1,
    terms: sections['term.starts'].length - 1,
    pieceBuckets: sections['piece.starts'].length - 1,
    places: sections['place.starts'].length - 1,
    meanings: sections['meaning.starts'].length - 1,
    phrases: sections['phrase.starts'].length - 1,
    ranks: sections['evidence.own-shares'].length,
    kinds: sections['kind.starts'].length - 1,
    provenances: sections['provenance.starts'].length - 1,
  }
}

/** Facts of a collector about topics. @param keys of each topic: of its label, then of its aliases. */
function knownTopics(
  { topicKeys, topicNames, beliefs }: Collector,
  keys: readonly (readonly string[])[],
): KnownTopics {
  const { sizes, areOfSeveral } = topicNames.backers()
  const isDeclared = (topic: number) => topicNames.declared.has(topic)
  const isOfSeveral = (topic: number) => areOfSeveral[topic] === 1
  const trustsTopics = beliefs.trust.includes('topics')
  return {
    keys,
    // A line of the label may stand behind that of the alias.
    takenAliases: topicNames.takenAliases.filter(({ key }) => {
      const label = topicKeys.find(key)
      return sizes[label]! < limits.phraseMembersMin || !isDeclared(label)
    }),
    absent: topicNames.absent,
    sizeOf: (topic) => sizes[topic]!,
    isDeclared,
    isOfSeveral,
    isTrusted: (topic) => trustsTopics && isDeclared(topic) && isOfSeveral(topic),
  }
}
