/**
 * The sorted indexes of suggestions, derived from a snapshot when it is loaded: owned handles and words of
 * topics in byte order, topics by size, and terms of names by person. Threads share their memory: 26 bytes
 * a person, two percent of the snapshot.
 */

import { lowerBound } from '../../memory/bounds.ts'
import { shared, sharedCopy, uint32Column } from '../../memory/columns.ts'
import { leastLevels } from '../../memory/least-in-range.ts'
import { orderTexts, type TextRanges } from '../../memory/text-order.ts'
import { type Texts, textAt } from '../../memory/text-table.ts'
import type { Snapshot } from '../../snapshot/file.ts'
import type { Counts, Sections } from '../../snapshot/sections.ts'
import { inSoManyBuckets } from '../terms/hash-buckets.ts'

/** The orders of a snapshot, as plain columns that can be handed to another thread. */
export interface Orders {
  /** Numbers of handles that somebody owns, by their keys. */
  readonly handles: Uint32Array
  /** The top owner of each, and the levels over them. */
  readonly handleOwners: Uint32Array
  readonly handleOwnerLevels: Uint32Array
  /** The beginnings of the words of topic keys in the text of the keys, ordered by the text from there on. */
  readonly topicWords: Uint32Array
  /** The place of the topic of each by size, and the levels over them. */
  readonly topicWordPlaces: Uint32Array
  readonly topicWordLevels: Uint32Array
  /** The terms of the names of each authority: of ordinal i from `nameStarts[i]` on. */
  readonly nameStarts: Uint32Array
  readonly nameTerms: Uint32Array
  /** The levels over the lists of the terms of names, which lie one behind the other. */
  readonly nameLevels: Uint32Array
  /** Topics by size, the largest first and of equals by their labels; and the place of each there. */
  readonly topics: Uint32Array
  readonly topicPlaces: Uint32Array
}

const space = 0x20

/** Only letters that begin with such bytes of UTF-8 stand in another order in UTF-16: those behind surrogates. */
const surrogatesApart = 0xee

/** Terms that are looked at between two rests. */
const stepLength = 1 << 10

/**
 * Makes the orders of a snapshot: 0.7 s of processor time for a million people on a busy machine.
 * @param rest called between steps, most of them short.
 */
export function ordersOf(
  { sections, header: { counts } }: Snapshot,
  rest: () => void = () => {},
): Orders {
  return {
    ...orderedHandles(sections, counts, rest),
    ...orderedTopics(sections, counts, rest),
    ...termsOfNames(sections, counts, rest),
  }
}

function orderedHandles(sections: Sections, { authorities }: Counts, rest: () => void) {
  const nodes = firstNodes(sections, rest)
  const owned = new Uint32Array(nodes.length)
  let count = 0
  for (let handle = 0; handle < nodes.length; handle += 1) {
    if (nodes[handle]! < authorities) owned[count++] = handle
  }
  const handles = sharedCopy(owned.subarray(0, count))
  orderTexts(handlePieces(sections), handles, rest)
  const handleOwners = shared(count)
  for (let place = 0; place < count; place += 1) handleOwners[place] = nodes[handles[place]!]!
  return { handles, handleOwners, handleOwnerLevels: sharedCopy(leastLevels(handleOwners)) }
}

function orderedTopics(sections: Sections, counts: Counts, rest: () => void) {
  const topics = topicsBySize(sections, counts.topics, rest)
  const topicPlaces = shared(counts.topics)
  topics.forEach((topic, place) => {
    topicPlaces[topic] = place
  })
  rest()
  const { starts, keys, order } = topicWords(sections, rest)
  const topicOfKey = sections['topic-key.topics']
  const places = order.map((word) => topicPlaces[topicOfKey[keys[word]!]!]!)
  return {
    topics,
    topicPlaces,
    topicWords: sharedCopy(order.map((word) => starts[word]!)),
    topicWordPlaces: sharedCopy(places),
    topicWordLevels: sharedCopy(leastLevels(places)),
  }
}

/** The lists of the terms of names the other way round. */
function termsOfNames(sections: Sections, { authorities, terms }: Counts, rest: () => void) {
  const starts = sections['name.starts']
  const ordinals = sections['name.ordinals']
  const termOfPlace = new Uint32Array(ordinals.length)
  for (let term = 0; term < terms; term += 1) {
    if (term % stepLength === 0) rest()
    termOfPlace.fill(term, starts[term]!, starts[term + 1]!)
  }
  const groups = 2 ** Math.ceil(Math.log2(Math.max(1, authorities)))
  const byOrdinal = inSoManyBuckets(groups, ordinals, termOfPlace, rest)
  return {
    nameStarts: byOrdinal.starts.subarray(0, authorities + 1),
    nameTerms: byOrdinal.values,
    nameLevels: sharedCopy(leastLevels(ordinals)),
  }
}

/** The first node of each handle: its top owner, where it has one. */
function firstNodes(sections: Sections, rest: () => void): Uint32Array {
  const nodes = sections['handle.nodes']
  const starts = sections['handle.node-starts']
  const first = new Uint32Array(sections['handle.ends'].length)
  for (let handle = 0; handle < first.length; handle += 1) {
    if (handle % stepLength === 0) rest()
    first[handle] = nodes[starts[handle]!]!
  }
  return first
}

/** The keys of handles, by their numbers. */
export function handlePieces(sections: Sections): TextRanges {
  const ends = sections['handle.ends']
  return {
    text: sections['handle.text'],
    startOf: (handle) => startOf(ends, handle),
    endOf: (handle) => ends[handle]!,
  }
}

/** The text from each word of the keys of topics on, by its beginning. */
export function topicWordPieces(sections: Sections): TextRanges {
  const ends = sections['topic-key.ends']
  return {
    text: sections['topic-key.text'],
    startOf: (at) => at,
    endOf: (at) => ends[keyAt(ends, at)]!,
  }
}

function startOf(ends: Uint32Array, entry: number): number {
  return entry === 0 ? 0 : ends[entry - 1]!
}

/** The key that a byte of their text is of. O(log keys). */
export function keyAt(ends: Uint32Array, at: number): number {
  return lowerBound(ends, at + 1)
}

/** The beginning of each word of a key, the key of each, and the words ordered by the text from there on. */
function topicWords(sections: Sections, rest: () => void) {
  const text = sections['topic-key.text']
  const ends = sections['topic-key.ends']
  const starts = uint32Column()
  const keys = uint32Column()
  let keyStart = 0
  ends.forEach((end, key) => {
    for (let at = keyStart; at < end; at += 1) {
      if (at !== keyStart && text[at - 1] !== space) continue
      starts.push(at)
      keys.push(key)
    }
    keyStart = end
  })
  const [startOfWord, keyOfWord] = [starts.view(), keys.view()]
  const order = startOfWord.map((_, word) => word)
  const pieces = {
    text,
    startOf: (word: number) => startOfWord[word]!,
    endOf: (word: number) => ends[keyOfWord[word]!]!,
  }
  orderTexts(pieces, order, rest)
  return { starts: startOfWord, keys: keyOfWord, order }
}

/** Topics by size, of equals by the UTF-16 units of their labels. */
function topicsBySize(sections: Sections, count: number, rest: () => void): Uint32Array {
  const starts = sections['topic.member-starts']
  const sizeOf = (topic: number) => starts[topic + 1]! - starts[topic]!
  const labels: Texts = { text: sections['topic.labels'], ends: sections['topic.label-ends'] }
  const byLabel = new Uint32Array(count).map((_, topic) => topic)
  const endOf = (topic: number) => labels.ends[topic]!
  orderTexts(
    { text: labels.text, startOf: (topic) => startOf(labels.ends, topic), endOf },
    byLabel,
    rest,
  )
  // Numbers sort without asking back.
  const keys = Float64Array.from(byLabel, (topic, place) => place - sizeOf(topic) * count).sort()
  const topics = Array.from(keys, (key) => byLabel[((key % count) + count) % count]!)
  if (!labels.text.some((byte) => byte >= surrogatesApart)) return sharedCopy(topics)
  const texts = Array.from({ length: count }, (_, topic) => textAt(labels, topic))
  const bySize = (a: number, b: number) => sizeOf(b) - sizeOf(a) || (texts[a]! < texts[b]! ? -1 : 1)
  return sharedCopy(topics.sort(bySize))
}
