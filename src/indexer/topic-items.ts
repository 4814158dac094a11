/** The first summary items of each topic, ready to be sent: `{…},{…}`, with the end of each item. */
import { limits } from '../limits.ts'
import type { Texts } from '../memory/text-table.ts'
import { identityTexts } from '../snapshot/people/identities.ts'
import type { Sections } from '../snapshot/sections.ts'
import { rankMember } from './items.ts'

/** The sections that items are made of. */
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

/**
 * Makes the items.
 * @param rankOf the rank to show of the member at a position, of a topic whose members begin at `start`.
 */
export function topicItemSections(
  sections: ItemSources,
  { starts, members }: Members,
  rankOf: (position: number, start: number) => number,
) {
  const identities = identityTexts({ sections })
  const countries = {
    text: sections['summary.countries'],
    ends: sections['summary.country-ends'],
  }
  const topics = { text: sections['summary.topics'], ends: sections['summary.topic-ends'] }
  const itemStarts = new Uint32Array(starts.length)
  const ends: number[] = []
  const parts: Uint8Array[] = []
  let end = 0
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    const start = starts[topic]!
    const last = Math.min(starts[topic + 1]!, start + limits.resultsMax)
    for (let at = start; at < last; at += 1) {
      const member = members[at]!
      const item = [
        encoder.encode(at === start ? '' : ','),
        identities.bytesAt(member),
        encoder.encode(`${rankMember}${rankOf(at, start)}`),
        bytesOf(countries, sections['authority.countries'][member]!),
        bytesOf(topics, sections['authority.core-topics'][member]!),
      ]
      parts.push(...item)
      end += item.reduce((sum, { length }) => sum + length, 0)
      ends.push(end)
    }
    itemStarts[topic + 1] = ends.length
  }
  return {
    'topic.json': Buffer.concat(parts),
    'topic.item-starts': itemStarts,
    'topic.item-ends': Uint32Array.from(ends),
  }
}

const encoder = new TextEncoder()

function bytesOf({ text, ends }: Texts, entry: number): Uint8Array {
  return text.subarray(entry === 0 ? 0 : ends[entry - 1]!, ends[entry])
}
