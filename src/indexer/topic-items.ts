/** The first summary items of each topic, ready to be sent: `{…},{…}`, with the end of each item. */
import { limits } from '../limits.ts'
import { grownLength } from '../memory/columns.ts'
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
  const json = new GrowingBytes()
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    const start = starts[topic]!
    const last = Math.min(starts[topic + 1]!, start + limits.resultsMax)
    for (let at = start; at < last; at += 1) {
      const member = members[at]!
      json.add(encoder.encode(at === start ? '' : ','))
      json.add(identities.bytesAt(member))
      json.add(encoder.encode(`${rankMember}${at - start + 1}`))
      json.add(bytesOf(countries, sections['authority.countries'][member]!))
      json.add(bytesOf(topics, sections['authority.core-topics'][member]!))
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

/** Bytes while more arrive: a million pieces as objects of their own take several times their bytes. */
class GrowingBytes {
  length = 0
  #bytes = new Uint8Array(1 << 16)

  add(bytes: Uint8Array): void {
    const length = this.length + bytes.length
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, grownLength(this.#bytes.length, 1)))
      larger.set(this.#bytes)
      this.#bytes = larger
    }
    this.#bytes.set(bytes, this.length)
    this.length = length
  }

  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length)
  }
}

function bytesOf({ text, ends }: Texts, entry: number): Uint8Array {
  return text.subarray(entry === 0 ? 0 : ends[entry - 1]!, ends[entry])
}
