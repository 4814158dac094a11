/** The sorted indexes of suggestions (`sections.ts`): 23 bytes a person in a file. */
import { uint32Column } from '../memory/columns.ts'
import { inBuckets } from '../memory/hash-buckets.ts'
import { leastLevels } from '../memory/least-in-range.ts'
import { orderTexts, rangesOf } from '../memory/text-order.ts'
import { textAt } from '../memory/text-table.ts'
import type { Counts, Sections } from '../snapshot/sections.ts'
import { labelsOf, textsOf } from '../snapshot/text-tables.ts'

const space = 0x20

/** Only letters that begin with such bytes of UTF-8 stand in another order in UTF-16: those behind surrogates. */
const surrogatesApart = 0xee

type Suggested = Pick<
  Sections,
  | 'handle.text'
  | 'handle.starts'
  | 'handle.nodes'
  | 'handle.node-starts'
  | 'name.starts'
  | 'name.ordinals'
  | 'topic.labels'
  | 'topic.label-starts'
  | 'topic.member-starts'
  | 'topic-key.text'
  | 'topic-key.starts'
  | 'topic-key.topics'
>

/** Makes the orders: 0.7 s of processor time for a million people on a busy machine. */
export function suggestionSections(sections: Suggested, counts: Counts) {
  return {
    ...handleSections(sections, counts),
    ...topicSections(sections, counts),
    ...nameSections(sections, counts),
  }
}

function handleSections(sections: Suggested, { authorities }: Counts) {
  const nodes = sections['handle.nodes']
  const starts = sections['handle.node-starts']
  // The first node of a handle is its top owner, where it has one.
  const firstNode = (handle: number) => nodes[starts[handle]!]!
  const owned = new Uint32Array(starts.length - 1)
  let count = 0
  for (let handle = 0; handle < owned.length; handle += 1) {
    if (firstNode(handle) < authorities) owned[count++] = handle
  }
  const handles = owned.subarray(0, count)
  orderTexts(rangesOf(textsOf({ sections }, 'handle')), handles)
  const owners = handles.map(firstNode)
  return {
    'suggest.handles': handles,
    'suggest.handle-owners': owners,
    'suggest.handle-levels': leastLevels(owners),
  }
}

function topicSections(sections: Suggested, counts: Counts) {
  const topics = topicsBySize(sections, counts.topics)
  const placeOf = new Uint32Array(counts.topics)
  topics.forEach((topic, place) => {
    placeOf[topic] = place
  })
  const { starts, keys, order } = topicWords(sections)
  const topicOfKey = sections['topic-key.topics']
  const places = order.map((word) => placeOf[topicOfKey[keys[word]!]!]!)
  return {
    'suggest.topics': topics,
    'suggest.topic-words': order.map((word) => starts[word]!),
    'suggest.topic-places': places,
    'suggest.topic-levels': leastLevels(places),
  }
}

function nameSections(sections: Suggested, { authorities, terms }: Counts) {
  const starts = sections['name.starts']
  const ordinals = sections['name.ordinals']
  const termOfPlace = new Uint32Array(ordinals.length)
  for (let term = 0; term < terms; term += 1) {
    termOfPlace.fill(term, starts[term]!, starts[term + 1]!)
  }
  const groups = 2 ** Math.ceil(Math.log2(Math.max(1, authorities)))
  const byOrdinal = inBuckets(ordinals, termOfPlace, groups)
  return {
    'suggest.name-starts': byOrdinal.starts.subarray(0, authorities + 1),
    'suggest.name-terms': byOrdinal.values,
    'suggest.name-levels': leastLevels(ordinals),
  }
}

/** The beginning of each word of a key, the key of each, and the words ordered by the text from there on. */
function topicWords(sections: Suggested) {
  const { text, starts: keyStarts } = textsOf({ sections }, 'topic-key')
  const starts = uint32Column()
  const keys = uint32Column()
  for (let key = 0; key + 1 < keyStarts.length; key += 1) {
    for (let at = keyStarts[key]!; at < keyStarts[key + 1]!; at += 1) {
      if (at !== keyStarts[key] && text[at - 1] !== space) continue
      starts.push(at)
      keys.push(key)
    }
  }
  const [startOfWord, keyOfWord] = [starts.view(), keys.view()]
  const order = startOfWord.map((_, word) => word)
  const ranges = {
    text,
    startOf: (word: number) => startOfWord[word]!,
    endOf: (word: number) => keyStarts[keyOfWord[word]! + 1]!,
  }
  orderTexts(ranges, order)
  return { starts: startOfWord, keys: keyOfWord, order }
}

/** Topics by size, of equals by the UTF-16 units of their labels. */
function topicsBySize(sections: Suggested, count: number): Uint32Array {
  const starts = sections['topic.member-starts']
  const sizeOf = (topic: number) => starts[topic + 1]! - starts[topic]!
  const labels = labelsOf({ sections })
  const byLabel = new Uint32Array(count).map((_, topic) => topic)
  orderTexts(rangesOf(labels), byLabel)
  // Numbers sort without asking back.
  const keys = Float64Array.from(byLabel, (topic, place) => place - sizeOf(topic) * count).sort()
  const topics = Uint32Array.from(keys, (key) => byLabel[((key % count) + count) % count]!)
  if (!labels.text.some((byte) => byte >= surrogatesApart)) return topics
  const texts = Array.from({ length: count }, (_, topic) => textAt(labels, topic))
  const bySize = (a: number, b: number) => sizeOf(b) - sizeOf(a) || (texts[a]! < texts[b]! ? -1 : 1)
  return topics.sort(bySize)
}
