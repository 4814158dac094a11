/** Queries of every kind, drawn from what a snapshot holds. */
import type { ActiveSnapshot } from '../../../src/api/active-snapshot.ts'
import { textAt } from '../../../src/memory/text-table.ts'
import type { Snapshot } from '../../../src/snapshot/file.ts'
import { Random } from '../../../test/support/random.ts'
import { topicTexts } from './data.ts'

type Queries = Readonly<Record<string, readonly string[]>>

export function makeQueries(snapshot: Snapshot, served: ActiveSnapshot, count: number): Queries {
  const random = new Random(7, count)
  const words = termSampler(snapshot, 'word', random)
  const names = termSampler(snapshot, 'name', random)
  const draw = (make: () => string) => Array.from({ length: count }, make)
  const { labels, aliases } = topicTexts(snapshot)
  const notTopic = (make: () => string) => () => {
    let text = make()
    for (let tries = 0; tries < 20 && served.catalog.findTopic(text) >= 0; tries += 1) text = make()
    return text
  }
  return {
    'topic label': draw(() => random.pick(labels)),
    'topic alias': draw(() => random.pick(aliases.length === 0 ? labels : aliases)),
    'one word': draw(notTopic(words)),
    'two words': draw(notTopic(() => `${words()} ${words()}`)),
    'three words': draw(notTopic(() => `${words()} ${words()} ${words()}`)),
    'two or three words': draw(
      notTopic(() => `${words()} ${words()}${random.chance(0.5) ? '' : ` ${words()}`}`),
    ),
    'name, two words': draw(notTopic(() => `${names()} ${names()}`)),
    'word and beginning': draw(notTopic(() => `${words()} ${words().slice(0, 3)}`)),
    'misspelled topic': draw(() => misspell(random.pick(labels), random)),
    miss: draw(() => `qx${random.next().toString(36)}zq`),
    hostile: draw(() => hostile(random, words, labels)),
  }
}

/** Draws terms by how many authorities hold them: picks a posting, returns its term. */
function termSampler({ sections }: Snapshot, field: 'word' | 'name', random: Random) {
  const starts = sections[`${field}.starts`]
  const terms = { text: sections['term.text'], starts: sections['term.starts'] }
  return () => {
    const posting = random.below(starts.at(-1)!)
    let low = 0
    let high = starts.length - 1
    while (low + 1 < high) {
      const middle = (low + high) >>> 1
      if (starts[middle]! <= posting) low = middle
      else high = middle
    }
    return textAt(terms, low)
  }
}

function misspell(text: string, random: Random): string {
  const at = random.between(1, text.length - 1)
  return text.slice(0, at) + text.slice(at + 1)
}

/** Characters of the longest query that is read. */
const queryLength = 256

/** A text as long as it may be that asks for as much work as it can: words, topics, slips, or letters without a meaning. */
function hostile(random: Random, words: () => string, labels: readonly string[]): string {
  const slip = () => misspell(words(), random)
  const make = random.pick([
    words,
    slip,
    () => random.pick(labels),
    () => 'a',
    () => 'who is the best',
    () => String.fromCodePoint(0x4e00 + random.below(500)),
  ])
  let text = `${slip()} ${slip()}`
  while (text.length < queryLength) text += ` ${make()}`
  return text.slice(0, queryLength)
}
