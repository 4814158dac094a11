/** The sections of topics: labels, keys, and members in rank order. */
import {
  countOf,
  encodeTexts,
  fillSlots,
  type Texts,
  type TextTable,
} from '../memory/text-table.ts'
import type { Collector } from './collector.ts'
import { topicMember } from './items.ts'
import type { Order } from './ranking/scores.ts'
import { coreRanks, type Memberships, type Ranking } from './ranking/topic-ranks.ts'
import { tabled } from './text-sections.ts'

export function coreSections(
  collector: Collector,
  { arrivals }: Order,
  { starts }: Pick<Memberships, 'starts'>,
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

export function topicSections(
  collector: Collector,
  { starts }: Pick<Memberships, 'starts'>,
  { ranked, shares }: Ranking,
) {
  const labels = encodeTexts(collector.topicLabels)
  const members = encodeTexts(collector.topicLabels.map(topicMember))
  const keys = collector.topicKeys
  const { aliasKeys: aliases } = collector.topicNames
  const table = joined(keys.table(), aliases.table())
  const aliasTopics = collector.topicNames.aliasTopics.view()
  return {
    'topic.labels': labels.text,
    'topic.label-starts': labels.starts,
    'summary.topics': members.text,
    'summary.topic-starts': members.starts,
    'topic.member-starts': starts,
    'topic.members': ranked,
    'topic.shares': shares,
    ...tabled('topic-key', table),
    'topic-key.topics': Uint32Array.from({ length: countOf(table) }, (_, key) =>
      key < keys.length ? key : aliasTopics[key - keys.length]!,
    ),
  }
}

/** One table of the texts of two that have none in common. */
function joined(first: Texts, second: Texts): TextTable {
  const text = Buffer.concat([first.text, second.text])
  const starts = new Uint32Array(countOf(first) + second.starts.length)
  starts.set(first.starts)
  starts.set(
    second.starts.map((start) => start + first.text.length),
    countOf(first),
  )
  return { text, starts, slots: fillSlots({ text, starts }) }
}
