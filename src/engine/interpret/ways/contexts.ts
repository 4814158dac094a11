/**
 * People of whom no name is said: those who are all that the cheapest reading of the text says which somebody matches
 * (`readings.ts`).
 */
import type { MatchedText } from '../../match/text.ts'
import type { QueryPart } from '../../terms/query-word.ts'
import type { Found } from '../found.ts'
import { asksForPlace, type Reading } from './readings.ts'
import {
  foundMeant,
  foundTopic,
  isOneName,
  type Text,
  type Tools,
  type WayOfSearch,
} from './way.ts'

/**
 * The same of a text that consists of attributes, topics and places. Only those are found who have every attribute, not
 * those whose biographies hold the words: Virginia is not West Virginia.
 */
export const attributes: WayOfSearch = {
  name: 'attributes',
  find: (tools, text, limit) => {
    const parts = tools.phrases.partsOf(text.words)
    if (parts.every(isOfNoAttribute) || isOneName(tools, text.words)) return undefined
    return findIn(tools, text, limit, (read, reading) => {
      const { contexts } = reading
      if (contexts.some(({ kind }) => kind !== 'phrase' && kind !== 'code')) return false
      const isOfAttribute = contexts.some(({ part }) => part.attribute >= 0)
      return asksForPlace(read, reading) || (contexts.length > 1 && isOfAttribute)
    })
  },
}

/** See the file's comment. */
export const contexts: WayOfSearch = {
  name: 'contexts',
  find: (tools, text, limit) => findIn(tools, text, limit, () => true),
}

function isOfNoAttribute({ attribute }: QueryPart): boolean {
  return attribute < 0
}

/** The people of the first reading that somebody matches. */
function findIn(
  tools: Tools,
  text: Text,
  limit: number,
  mayAnswer: (read: MatchedText, reading: Reading) => boolean,
): Found | undefined {
  const read = text.forMatcher(tools)
  if (read === undefined) return undefined
  for (const reading of text.readings(tools)) {
    const found = mayAnswer(read, reading) && foundBy(tools, reading, limit)
    if (!found) continue
    const leftOut = reading.leftOut.map((at) => read.tokens[at]!.text)
    const isRelated = reading.contexts.some(({ kind }) => kind === 'related')
    return { ...found, way: isRelated ? 'related' : found.way, leftOut }
  }
  return undefined
}

function foundBy(tools: Tools, { contexts }: Reading, limit: number): Found | undefined {
  const [only, another] = contexts
  const { words, topic } = only!.part
  if (another === undefined && topic >= 0) {
    return only!.kind === 'related'
      ? foundTopic(tools, 'related', topic, words, limit)
      : foundMeant(tools, words, limit)
  }
  const parts = contexts.map(({ part }) => ({ ...part, isOfMeaning: part.attribute >= 0 }))
  return tools.people.inAll(parts, limit)
}
