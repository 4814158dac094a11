/** The first summary items of each topic, ready to be sent: `{…},{…}`, with the start of each item. */
import { limits } from '../limits.ts'
import { uint8Column } from '../memory/columns.ts'
import type { Texts } from '../memory/text-table.ts'
import { identityTexts } from '../snapshot/people/identities.ts'
import type { Sections } from '../snapshot/sections.ts'
import { rankMember } from './items.ts'

type ItemSources = Pick<
  Sections,
  | 'identity.json'
  | 'identity.starts'
  | 'identity.slots'
  | 'authority.countries'
  | 'authority.core-topics'
  | `summary.${'countries' | 'country-starts' | 'topics' | 'topic-starts'}`
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
    starts: sections['summary.country-starts'],
  }
  const topics = { text: sections['summary.topics'], starts: sections['summary.topic-starts'] }
  const itemStarts = new Uint32Array(starts.length)
  const jsonStarts = [0]
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
      jsonStarts.push(json.length)
    }
    itemStarts[topic + 1] = jsonStarts.length - 1
  }
  return {
    'topic.json': json.view(),
    'topic.item-starts': itemStarts,
    'topic.json-starts': Uint32Array.from(jsonStarts),
  }
}

const encoder = new TextEncoder()

function bytesOf({ text, starts }: Texts, entry: number): Uint8Array {
  return text.subarray(starts[entry], starts[entry + 1])
}
