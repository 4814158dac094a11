/** Rules of the sections that say in another order what other sections say: they lead to what is there, and agree with it. */
import { lowerBound } from '../../memory/bounds.ts'
import { isBefore, rangesOf, restsOf, type TextRanges } from '../../memory/text-order.ts'
import { summariesOf } from '../people/summaries.ts'
import { inPieces } from '../pieces.ts'
import { type BucketName, bucketTables, type SectionName, tokenSlotBits } from '../sections.ts'
import { bucketsOf, textsOf } from '../text-tables.ts'
import { blocksOf, blocksOfAll, checksumsOfBlocks, isText } from '../texts/stored-texts.ts'
import { areBelow, countsAs, every, isEqual, isSo, type Rules, type Verified } from './rule.ts'

const space = 0x20

export function* answerRules(verified: Verified): Rules {
  const { sections } = verified
  const summaries = sections['authority.summaries']
  yield isEqual('authority.summaries', summaries, summariesOf(sections), 'those of their people')
  yield* topicCountRules(verified)
  for (const table of bucketTables) yield* bucketRules(verified, table)
  yield* handleOrderRules(verified)
  yield* topicOrderRules(verified)
  yield* blockRules(verified)
}

function* topicCountRules({ sections, counts: { topics } }: Verified): Rules {
  const large = sections['topic-count.topics']
  const rows = sections['topic-count.counts']
  const starts = sections['topic.member-starts']
  const isWhole = rows.length === large.length * topics
  yield isSo('topic-count.counts', isWhole, 'does not hold one row for each large topic')
  yield every('topic-count.counts', ['row', large.length], 'is not that of its topic', (row) => {
    const topic = large[row]!
    return rows[row * topics + topic] === starts[topic + 1]! - starts[topic]!
  })
}

function* bucketRules({ sections, counts }: Verified, name: BucketName): Rules {
  const { starts, hashes, values } = bucketsOf(sections, name)
  const buckets = starts.length - 1
  const isTable = Number.isInteger(Math.log2(buckets))
  yield isSo(`${name}.starts`, isTable, 'is not that of a table')
  yield every(`${name}.hashes`, ['bucket', buckets], 'holds a hash of another', (bucket) => {
    for (let at = starts[bucket]!; at < starts[bucket + 1]!; at += 1) {
      if ((hashes[at]! & (buckets - 1)) !== bucket) return false
    }
    return true
  })
  const isOfTokens = name.startsWith('topic-')
  if (isOfTokens) yield areBelow(`${name}.values`, values, counts.topicKeys << tokenSlotBits)
}

/** All handles that somebody owns, by their keys, each with its top owner. */
function* handleOrderRules({ sections, counts }: Verified): Rules {
  const handles = sections['suggest.handles']
  const owners = sections['suggest.handle-owners']
  const nodes = sections['handle.nodes']
  const starts = sections['handle.node-starts']
  yield* isOrdered('suggest.handles', rangesOf(textsOf({ sections }, 'handle')), handles)
  yield every('suggest.handle-owners', ['owner', owners.length], 'is not the first', (place) => {
    return owners[place] === nodes[starts[handles[place]!]!]
  })
  const listed = new Uint8Array(counts.handles)
  for (const handle of handles) listed[handle] = 1
  yield every('suggest.handles', ['handle', counts.handles], 'is missing', (handle) => {
    return listed[handle] === 1 || nodes[starts[handle]!]! >= counts.authorities
  })
}

/** All topics by size, and words of their keys in order, each with the place of its topic. */
function* topicOrderRules({ sections, counts }: Verified): Rules {
  const topics = sections['suggest.topics']
  const members = sections['topic.member-starts']
  const sizeOf = (place: number) => members[topics[place]! + 1]! - members[topics[place]!]!
  const seen = new Uint8Array(counts.topics)
  yield every('suggest.topics', ['topic', topics.length], 'is out of order', (place) => {
    const isFirst = seen[topics[place]!] === 0
    seen[topics[place]!] = 1
    return isFirst && (place === 0 || sizeOf(place) <= sizeOf(place - 1))
  })
  const keys = textsOf({ sections }, 'topic-key')
  const topicOf = sections['topic-key.topics']
  const words = sections['suggest.topic-words']
  const places = sections['suggest.topic-places']
  const keyAt = (offset: number) => lowerBound(keys.starts, offset + 1) - 1
  yield areBelow('suggest.topic-words', words, keys.text.length)
  yield every('suggest.topic-words', ['word', words.length], 'begins no word', (word) => {
    const at = words[word]!
    return at === keys.starts[keyAt(at)] || keys.text[at - 1] === space
  })
  yield* isOrdered('suggest.topic-words', restsOf(keys), words)
  yield every('suggest.topic-places', ['place', places.length], 'is of another topic', (word) => {
    return topics[places[word]!] === topicOf[keyAt(words[word]!)]
  })
}

function* isOrdered(section: SectionName, ranges: TextRanges, numbers: Uint32Array): Rules {
  yield every(section, ['text', numbers.length, 512], 'is out of order', (place) => {
    return place === 0 || isBefore(ranges, numbers[place - 1]!, numbers[place]!, 0)
  })
}

function* blockRules({ sections, counts, isOnDisk }: Verified): Rules {
  const bytesIn = (name: SectionName) => sections[name]!.byteLength
  const total = blocksOfAll(counts, bytesIn)
  if (!isOnDisk) yield countsAs('block.checksums', sections['block.checksums'], total, 'blocks')
  for (const { name, begins, checksums } of blocksOf(sections, counts, bytesIn)) {
    // Texts in the file come last; they are compared where they are read.
    if (isOnDisk && isText(name)) return
    const { buffer, byteOffset, byteLength } = sections[name]!
    const pieces = inPieces(new Uint8Array(buffer, byteOffset, byteLength))
    const { blocks } = checksumsOfBlocks(pieces, begins()!)
    yield isEqual('block.checksums', checksums, blocks, `those of ${name}`)
  }
}
