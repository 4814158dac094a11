/**
 * The sections of topics: labels, keys, members in rank order, and the first items as JSON.
 */

import { limits } from '../limits.ts'
import { fillSlots, type Texts, type TextTable } from '../memory/text-table.ts'
import { type Collector, itemParts } from './collector.ts'
import type { Order } from './ranking/scores.ts'
import { coreRanks, type Memberships, type Ranking } from './ranking/topic-ranks.ts'
import { tabled } from './text-sections.ts'

const encoder = new TextEncoder()

/** The core topic of each authority and its rank there. */
export function coreSections(
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

/** Labels, keys of labels and aliases, and the rankings. */
export function topicSections(
  collector: Collector,
  { starts }: Memberships,
  { ranked, shares }: Ranking,
) {
  const labels = encodeTexts(collector.topicLabels)
  const keys = collector.topicKeys
  const { aliasKeys: aliases } = collector.topicNames
  const table = joined(keys.table(), aliases.table())
  const aliasTopics = collector.topicNames.aliasTopics.view()
  return {
    'topic.labels': labels.text,
    'topic.label-ends': labels.ends,
    'topic.member-starts': starts,
    'topic.members': ranked,
    'topic.shares': shares,
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
export function itemSections(
  { items }: Collector,
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
      length = items.copyTo(arrival, itemParts.summaryHead, item, length)
      length += encoder.encodeInto(String(position + 1), item.subarray(length)).written
      length = items.copyTo(arrival, itemParts.summaryTail, item, length)
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
