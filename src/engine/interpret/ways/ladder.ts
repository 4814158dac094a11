/**
 * The ways of search in order: the first with a match answers. Certain ways come before guesses,
 * the literal text before corrections. A new way is a module with one `WayOfSearch` and a row here.
 */

import { isNumber } from '../../../text/numerals.ts'
import { isCommonWord } from '../../../text/speech/plain-english.ts'
import type { QueryWord } from '../../terms/query-word.ts'
import { findPeople } from '../people.ts'
import { isUnderstood } from '../phrases.ts'
import type { Tools } from '../tools.ts'
import { attributes, contexts } from './contexts.ts'
import { corrected } from './corrected.ts'
import { bareHandle, platformHandle } from './handles.ts'
import { guessed, lettered, named } from './named.ts'
import { roles } from './roles.ts'
import { operators, severalThings } from './several.ts'
import { foundMeant, foundTopic, type WayOfSearch } from './way.ts'

const topic: WayOfSearch = {
  name: 'topic',
  find: (tools, { words }, limit) => foundMeant(tools, words, limit),
}

const people: WayOfSearch = {
  name: 'people',
  find: (tools, { words }, limit) => {
    const [only, another] = words.filter(({ isStop }) => !isStop)
    // Farmers are not Kamal Farmer.
    if (another === undefined && only?.isExact === false && isCommonWord(only.text)) {
      if (tools.words.isOtherNumberOfName(only)) return undefined
    }
    return findPeople(tools, words, limit)
  },
}

/** The topic that a text likely means: half written, or with a word too many. */
const likely: WayOfSearch = {
  name: 'likely',
  find: (tools, { words }, limit) => {
    const topic = likelyIn(tools, words)
    return topic === undefined ? undefined : foundTopic(tools, 'likely-topic', topic, words, limit)
  },
}

function likelyIn({ phrases, resolver }: Tools, words: readonly QueryWord[]): number | undefined {
  const understood = phrases.partsOf(words).filter(isUnderstood)
  // Of two things that were understood none may be left out.
  if (understood.length > 1 || words.some(({ isExact }) => isExact)) return undefined
  const saying = words.filter(({ isStop }) => !isStop)
  if (saying.every(({ text }) => isNumber(text))) return undefined
  return resolver.resolve(
    saying,
    (word) => isName(word) || understood[0]?.words.includes(word) === true,
  )
}

/** Whether a word is nobody's, or one of names: half of those who hold it are called so. */
function isName({ named, held }: QueryWord): boolean {
  return named.size * 2 >= held.size
}

export const ladder: readonly WayOfSearch[] = [
  operators,
  topic,
  bareHandle,
  attributes,
  roles,
  lettered,
  people,
  platformHandle,
  severalThings,
  named,
  contexts,
  corrected,
  guessed,
  likely,
]
