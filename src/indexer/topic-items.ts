/** The first summary items of each topic, ready to be sent: `{…},{…}`, with the end of each item. */
import { limits } from '../limits.ts'
import { uint8Column } from '../memory/columns.ts'
import type { Texts } from '../memory/text-table.ts'
import { identityTexts } from '../snapshot/people/identities.ts'
import type { Sections } from '../snapshot/sections.ts'
import { rankMember } from './items.ts'

type ItemSources = Pick<
  Sections,
  | 'identity.json'
  | 'identity.ends'
  | 'identity.slots'
  | 'authority.countries'
  | 'authority.core-topics'
  | `summary.${'countries' | 'country-ends' | 'topics' | 'topic-ends'}`
>

/** Members of the topics in rank order, one topic behind the other. */
interface Members {
  readonly starts: Uint32Array
  readonly members: Uint32Array
}

export function topicItemSections(sections: ItemSources, { starts, members }: Members) {
  const identities = identityTexts({ sections })
  const countries = {
    text: sections['summary.countries'],
    ends: sections['summary.country-ends'],
  }
  const topics = { text: sections['summary.topics'], ends: sections['summary.topic-ends'] }
  const itemStarts = new Uint32Array(starts.length)
  const ends: number[] = []
  const json = uint8Column()
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    const start = starts[topic]!
    const last = Math.min(starts[topic + 1]!, start + limits.resultsMax)
    for (let at = start; at < last; at += 1) {
      const member = members[at]!
      json.append(encoder.encode(at === start ? '' : ','))
      json.append(identities.bytesAt(member))
      json.append(encoder.encode(`${rankMember}${at - start + 1}`))
      json.append(bytesOf(countries, sections['authority.countries'][member]!))
      json.append(bytesOf(topics, sections['authority.core-topics'][member]!))
      ends.push(json.length)
    }
    itemStarts[topic + 1] = ends.length
  }
  return {
    'topic.json': json.view(),
    'topic.item-starts': itemStarts,
    'topic.item-ends': Uint32Array.from(ends),
  }
}

const encoder = new TextEncoder()

function bytesOf({ text, ends }: Texts, entry: number): Uint8Array {
  return text.subarray(entry === 0 ? 0 : ends[entry - 1]!, ends[entry])
}
