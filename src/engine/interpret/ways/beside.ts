/**
 * A topic, or words that people hold, inside a text: what stands at both ends only asks, is courtesy, or says what is
 * asked. Names inside a text are the matcher's.
 */
import { asideOf } from '../../../text/speech/aside-words.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import { isUnderstood } from '../phrases.ts'
import { askedIn } from './text.ts'
import { foundMeant, type Tools, textsWithout, type WayOfSearch } from './way.ts'

/** See the file's comment. */
export const beside: WayOfSearch = {
  name: 'beside',
  find: (tools, text, limit) => {
    const { words: asTyped, lastReading, core } = text
    for (const words of new Set([lastReading, askedIn(lastReading), core])) {
      const found = words === asTyped ? undefined : foundIn(tools, words, lastReading, limit)
      if (found === undefined) continue
      return { ...found, leftOut: [...found.leftOut, ...textsWithout(lastReading, words)] }
    }
    return undefined
  },
}

/** The people of a topic or of words; beside a title of a name; beside a craft, or what is asked of a person, no word will do. */
function foundIn(
  tools: Tools,
  words: readonly QueryWord[],
  all: readonly QueryWord[],
  limit: number,
): Found | undefined {
  const around = all.filter((word) => !words.includes(word)).map(({ text }) => asideOf(text))
  const [only, another] = words.filter(({ isStop }) => !isStop)
  if (around.includes('title')) {
    const found = another && tools.people.find(words, limit, true)
    return found?.way === 'name' ? found : undefined
  }
  const found = foundMeant(tools, words, limit) ?? tools.people.find(words, limit, true)
  if (found === undefined || found.topic >= 0 || found.parts.some(({ topic }) => topic >= 0))
    return found
  if (around.includes('practises')) return undefined
  if (around.includes('about')) return found.way === 'name' ? found : undefined
  const isWord = only !== undefined && another === undefined && isCommonWord(only.text)
  return isWord && !found.parts.some(isUnderstood) ? undefined : found
}
