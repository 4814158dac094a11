/** The sections of topics: labels, keys, and members in rank order. */
import { allTexts, countOf, encodeTexts, fillSlots } from '../memory/text-table.ts'
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
  const texts = encodeTexts([keys, aliases].flatMap((each) => allTexts(each.textsFrom(0))))
  const aliasTopics = collector.topicNames.aliasTopics.view()
  return {
    'topic.labels': labels.text,
    'topic.label-starts': labels.starts,
    'summary.topics': members.text,
    'summary.topic-starts': members.starts,
    'topic.member-starts': starts,
    'topic.members': ranked,
    'topic.shares': shares,
    ...tabled('topic-key', { ...texts, slots: fillSlots(texts) }),
    'topic-key.topics': Uint32Array.from({ length: countOf(texts) }, (_, key) =>
      key < keys.length ? key : aliasTopics[key - keys.length]!,
    ),
  }
}
