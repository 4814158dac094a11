/** The topic that a text likely means: half written, or with a word too many. */

import type { QueryWord } from '../../terms/query-word.ts'
import { isUnderstood } from '../phrases.ts'
import { foundTopic, type Tools, type WayOfSearch } from './way.ts'

export const likely: WayOfSearch = {
  name: 'likely',
  find: (tools, text, limit) => {
    const { words } = text
    const topic =
      likelyIn(tools, words) ??
      (text.isCut && !text.isTitled ? likelyIn(tools, text.core) : undefined)
    return topic === undefined ? undefined : foundTopic(tools, 'likely-topic', topic, words, limit)
  },
}

function likelyIn(
  { catalog, phrases, resolver, words: all }: Tools,
  words: readonly QueryWord[],
): number | undefined {
  const understood = phrases.partsOf(words).filter(isUnderstood)
  // Of two things that were understood none may be left out.
  if (understood.length > 1) return undefined
  if (words.some(({ isExact }) => isExact)) return undefined
  const content = words.filter(({ isStop }) => !isStop)
  if (content.length === 0) return undefined
  return resolver.resolve(content, {
    sizeOf: (each) => catalog.sizeOf(each),
    isTelling: (word) => all.isName(word) || understood[0]?.words.includes(word) === true,
  })
}
