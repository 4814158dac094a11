/**
 * Collected records → the sections of a snapshot. Pure: the same records in the same order give
 * the same bytes on every machine.
 */
import { limits } from '../settings.ts'
import type { Counts, Sections } from '../snapshot/sections.ts'
import { fillSlots, type Texts, type TextTable } from '../snapshot/table.ts'
import type { Collector } from './collector.ts'
import { sectionBytes, type TextColumn } from './columns.ts'
import { endorsementsOf, neighboursOf } from './graph.ts'
import { handleNodes } from './handles.ts'
import { pageRank, priorOf, roundsMax } from './pagerank.ts'
import { PeerLists } from './peers.ts'
import { authorityScores, type Order, orderByScore } from './scores.ts'
import { coreRanks, type Memberships, membershipsOf, rankMembers } from './topics.ts'

/** A built index, ready to be written. */
export interface Built {
  readonly counts: Counts
  readonly sections: Sections
}

/** Told which phase of the build is running and what share of it is done, 0 to 1. */
export type OnPhase = (phase: string, fraction: number) => void

const encoder = new TextEncoder()

/**
 * Builds all sections.
 * @throws Refusal `build-limit` when a section would be longer than a section can be.
 */
export function build(collector: Collector, onPhase: OnPhase = () => {}): Built {
  const connections = {
    nodes: collector.nodes,
    from: collector.from.view(),
    to: collector.to.view(),
    weights: collector.weights.view(),
    symmetric: collector.symmetric.view(),
  }
  onPhase('ranking authorities', 0)
  const endorsements = endorsementsOf(connections)
  const prior = priorOf(collector.followers.view(), connections.nodes)
  const mass = pageRank(endorsements, prior, (round) =>
    onPhase('ranking authorities', round / roundsMax),
  )
  const sdus = collector.sdus.table()
  const scores = authorityScores(collector.scores.view(), mass)
  const order = orderByScore(scores, sdus)

  onPhase('ranking topics', 0)
  const memberships = membershipsOf(
    collector.topicLists.starts.view(),
    collector.topicLists.values.view(),
    collector.topicWeights.view(),
    collector.topicKeys.length,
  )
  const ranked = rankMembers(memberships, mass, endorsements, order.ordinals)

  onPhase('collecting peers', 0)
  const peers = new PeerLists(neighboursOf(connections), order.ordinals)
  for (let node = 0; node < connections.nodes; node += 1) {
    peers.add([order.arrivals[node] ?? node])
    if (node % 65_536 === 0) onPhase('collecting peers', node / connections.nodes)
  }
  const handles = handleNodes(collector, order, peers)

  onPhase('making JSON', 0)
  const sections: Sections = {
    ...authoritySections(collector, order, scores, sdus),
    ...summarySections(collector, order),
    ...profileSections(collector, order, scores),
    ...topicSections(collector, memberships, ranked),
    ...itemSections(collector, order, memberships, ranked),
    ...coreSections(collector, order, memberships, ranked),
    ...named('platform', collector.platforms.table()),
    ...tabled('handle', collector.handles.table()),
    'handle.node-starts': handles.starts,
    'handle.nodes': handles.nodes,
    'handle.platforms': handles.platforms,
    'handle.peer-lists': handles.peerLists,
    'peer.starts': peers.lists.starts.view(),
    'peer.ordinals': peers.lists.values.view(),
  }
  return { counts: countsOf(connections.nodes, sections), sections }
}

function countsOf(nodes: number, sections: Sections): Counts {
  return {
    authorities: sections['sdu.ends'].length,
    topics: sections['topic.label-ends'].length,
    topicKeys: sections['topic-key.ends'].length,
    countries: sections['country.ends'].length,
    platforms: sections['platform.ends'].length,
    handles: sections['handle.ends'].length,
    nodes,
    peerLists: sections['peer.starts'].length - 1,
  }
}

function named<P extends string>(prefix: P, { text, ends }: Texts) {
  return { [`${prefix}.text`]: text, [`${prefix}.ends`]: ends } as Record<`${P}.text`, Uint8Array> &
    Record<`${P}.ends`, Uint32Array>
}

function tabled<P extends string>(prefix: P, { text, ends, slots }: TextTable) {
  return { ...named(prefix, { text, ends }), [`${prefix}.slots`]: slots } as ReturnType<
    typeof named<P>
  > &
    Record<`${P}.slots`, Uint32Array>
}

/** The texts of a table in the order of the ordinals. */
function reordered({ text, ends }: Texts, arrivals: Uint32Array): TextTable {
  const result = { text: new Uint8Array(text.length), ends: new Uint32Array(ends.length) }
  let end = 0
  arrivals.forEach((arrival, ordinal) => {
    const slice = text.subarray(arrival === 0 ? 0 : ends[arrival - 1]!, ends[arrival]!)
    result.text.set(slice, end)
    end += slice.length
    result.ends[ordinal] = end
  })
  return { ...result, slots: fillSlots(result) }
}

function authoritySections(
  collector: Collector,
  { arrivals }: Order,
  scores: Uint16Array,
  sdus: Texts,
) {
  const countries = collector.authorityCountries.view()
  return {
    'authority.scores': Uint16Array.from(arrivals, (arrival) => scores[arrival]!),
    'authority.countries': arrivals.map((arrival) => countries[arrival]!),
    ...named('country', collector.countries.table()),
    ...tabled('sdu', reordered(sdus, arrivals)),
  }
}

function coreSections(
  collector: Collector,
  { arrivals }: Order,
  { starts }: Memberships,
  ranked: Uint32Array,
) {
  const topics = collector.topicLists.values.view()
  const firsts = collector.topicLists.starts.view()
  const coreTopics = arrivals.map((arrival) => topics[firsts[arrival]!]!)
  return {
    'authority.core-topics': coreTopics,
    'authority.core-ranks': coreRanks(starts, ranked, coreTopics),
  }
}

function jsonBytes(name: string, ...columns: readonly TextColumn[]): Uint8Array {
  const bytes = columns.reduce((sum, column) => sum + column.bytes, 0)
  return sectionBytes(name, bytes, limits.sectionBytesMax)
}

function summarySections({ summaryHeads, summaryTails }: Collector, { arrivals }: Order) {
  const json = jsonBytes('summary.json', summaryHeads, summaryTails)
  const splits = new Uint32Array(arrivals.length)
  const ends = new Uint32Array(arrivals.length)
  let end = 0
  arrivals.forEach((arrival, ordinal) => {
    splits[ordinal] = summaryHeads.copyTo(arrival, json, end)
    end = summaryTails.copyTo(arrival, json, splits[ordinal]!)
    ends[ordinal] = end
  })
  return { 'summary.json': json, 'summary.splits': splits, 'summary.ends': ends }
}

const scoreBytesMax = 6

function profileSections(
  { profileHeads, profileTails }: Collector,
  { arrivals }: Order,
  scores: Uint16Array,
) {
  const bytesMax = profileHeads.bytes + profileTails.bytes + arrivals.length * scoreBytesMax
  const json = sectionBytes('profile.json', bytesMax, limits.sectionBytesMax)
  const ends = new Uint32Array(arrivals.length)
  let end = 0
  arrivals.forEach((arrival, ordinal) => {
    end = profileHeads.copyTo(arrival, json, end)
    end += encoder.encodeInto(String(scores[arrival]! / 100), json.subarray(end)).written
    end = profileTails.copyTo(arrival, json, end)
    ends[ordinal] = end
  })
  return { 'profile.json': json.subarray(0, end), 'profile.ends': ends }
}

function topicSections(collector: Collector, { starts }: Memberships, ranked: Uint32Array) {
  const labels = encodeTexts(collector.topicLabels)
  const keys = collector.topicKeys
  const aliases = collector.aliasKeys
  const table = joined(keys.table(), aliases.table())
  const aliasTopics = collector.aliasTopics.view()
  return {
    'topic.labels': labels.text,
    'topic.label-ends': labels.ends,
    'topic.member-starts': starts,
    'topic.members': ranked,
    ...tabled('topic-key', table),
    'topic-key.topics': Uint32Array.from(table.ends, (_, key) =>
      key < keys.length ? key : aliasTopics[key - keys.length]!,
    ),
  }
}

function encodeTexts(list: readonly string[]): Texts {
  const parts = list.map((text) => encoder.encode(text))
  let end = 0
  const ends = Uint32Array.from(parts, (part) => {
    end += part.length
    return end
  })
  return { text: Buffer.concat(parts), ends }
}

/** One table of the texts of two that have none in common. */
function joined(first: Texts, second: Texts): TextTable {
  const text = Buffer.concat([first.text, second.text])
  const ends = new Uint32Array(first.ends.length + second.ends.length)
  ends.set(first.ends)
  ends.set(
    second.ends.map((end) => end + first.text.length),
    first.ends.length,
  )
  return { text, ends, slots: fillSlots({ text, ends }) }
}

/** The first items of each topic, ready to be sent: `{…},{…}`, with the end of each item. */
function itemSections(
  { summaryHeads, summaryTails }: Collector,
  { arrivals }: Order,
  { starts }: Memberships,
  ranked: Uint32Array,
) {
  const itemStarts = new Uint32Array(starts.length)
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    const items = Math.min(limits.resultsMax, starts[topic + 1]! - starts[topic]!)
    itemStarts[topic + 1] = itemStarts[topic]! + items
  }
  const itemEnds = new Uint32Array(itemStarts.at(-1)!)
  const parts: Uint8Array[] = []
  const item = new Uint8Array(limits.lineBytesMax)
  let end = 0
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    for (let index = itemStarts[topic]!; index < itemStarts[topic + 1]!; index += 1) {
      const position = index - itemStarts[topic]!
      const arrival = arrivals[ranked[starts[topic]! + position]!]!
      let length = position === 0 ? 0 : encoder.encodeInto(',', item).written
      length = summaryHeads.copyTo(arrival, item, length)
      length += encoder.encodeInto(String(position + 1), item.subarray(length)).written
      length = summaryTails.copyTo(arrival, item, length)
      parts.push(item.slice(0, length))
      end += length
      itemEnds[index] = end
    }
  }
  return {
    'topic.json': Buffer.concat(parts),
    'topic.item-starts': itemStarts,
    'topic.item-ends': itemEnds,
  }
}
