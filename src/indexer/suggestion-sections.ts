/** The sorted indexes of suggestions (`sections.ts`): 23 bytes a person in a file. */
import { uint32Column } from '../memory/columns.ts'
import { leastLevels } from '../memory/least-in-range.ts'
import { orderTexts, rangesOf } from '../memory/text-order.ts'
import { allTexts } from '../memory/text-table.ts'
import type { Counts, Sections } from '../snapshot/sections.ts'
import { labelsOf, textsOf } from '../snapshot/text-tables.ts'
import { byNumber } from './people-lists.ts'

const space = 0x20

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
  const byOrdinal = byNumber(ordinals, termOfPlace, authorities)
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
  const labels = allTexts(labelsOf({ sections }))
  return new Uint32Array(count)
    .map((_, topic) => topic)
    .sort((a, b) => sizeOf(b) - sizeOf(a) || (labels[a]! < labels[b]! ? -1 : 1))
}
