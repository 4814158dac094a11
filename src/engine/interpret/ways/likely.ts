/** The topic that a text likely means: half written, or with a word too many. */

import type { QueryWord } from '../../terms/query-word.ts'
import { isUnderstood } from '../phrases.ts'
import { foundTopic, type Tools, type WayOfSearch } from './way.ts'

/** See the file's comment. */
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
  { catalog, phrases, corrector, resolver, words: all }: Tools,
  words: readonly QueryWord[],
): number | undefined {
  const understood = phrases.partsOf(words).filter(isUnderstood)
  // Of two things that were understood none may be left out.
  if (understood.length > 1) return undefined
  let unlike = 0
  let told = 0
  for (const word of words) {
    if (word.isExact) return undefined
    if (word.isStop) continue
    told += 1
    if (corrector.isLikeNone(word)) unlike += 1
  }
  // A key is made of terms: what is like none of them matches none, and half of a text must.
  if (told === 0 || unlike * 2 > told) return undefined
  const content = told === words.length ? words : words.filter(({ isStop }) => !isStop)
  return resolver.resolve(content, {
    sizeOf: (each) => catalog.sizeOf(each),
    isTelling: (word) => all.isName(word) || understood[0]?.words.includes(word) === true,
  })
}
