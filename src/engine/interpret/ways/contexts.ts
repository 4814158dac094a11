/** People without a name in the text: all that its cheapest reading says that somebody matches. */
import type { MatchedText } from '../../match/text.ts'
import { type Found, foundAmong, tierOf } from '../found.ts'
import { findInAll } from '../people.ts'
import { TopicOrder } from '../ranking.ts'
import type { Tools } from '../tools.ts'
import { asksForPlace, type Reading } from './meanings.ts'
import { foundMeant, foundTopic, isOneName, type Text, type WayOfSearch } from './way.ts'

const membersMax = 2_000

/** Only those who have every attribute, not holders of the words: Virginia is not West Virginia. */
export const attributes: WayOfSearch = {
  name: 'attributes',
  find: (tools, text, limit) => {
    const parts = tools.phrases.partsOf(text.words)
    const isOfNone = parts.every(({ attribute }) => attribute < 0)
    if (isOfNone || isOneName(text.words)) return undefined
    return findIn(tools, text, limit, (read, reading) => {
      const { contexts } = reading
      if (contexts.some(({ kind }) => kind !== 'phrase' && kind !== 'code')) return false
      const isOfAttribute = contexts.some(({ part }) => part.attribute >= 0)
      return asksForPlace(read, reading) || (contexts.length > 1 && isOfAttribute)
    })
  },
}

export const contexts: WayOfSearch = {
  name: 'contexts',
  find: (tools, text, limit) =>
    findIn(tools, text, limit, () => true) ?? findUnplaced(tools, text, limit),
}

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

/** Those whose records name no country, if they are most; nobody whose record names another. */
function findUnplaced(tools: Tools, text: Text, limit: number): Found | undefined {
  const reading = text.readings(tools).find(isOfTopicAndPlace)
  const only = reading?.contexts.map(({ part }) => part).find(({ topic }) => topic >= 0)
  const people = only && withoutCountry(tools, only.topic)
  if (people === undefined) return undefined
  const order = new TopicOrder(tools.catalog, tools.postings, [only!.topic])
  const matched = { names: [], words: tierOf(people), order, isRanked: false }
  const found = foundAmong('words', matched, limit)
  const said = only!.words.map((word) => word.text)
  const leftOut = text.words.map((word) => word.text).filter((each) => !said.includes(each))
  return found && { ...found, parts: [only!], leftOut }
}

function isOfTopicAndPlace({ contexts }: Reading): boolean {
  return (
    contexts.length === 2 &&
    contexts.some(({ part }) => part.topic >= 0) &&
    contexts.some(({ part }) => part.place >= 0 && part.topic < 0)
  )
}

/** Those of a topic whose records name no country, ascending; undefined where they are fewer than half. */
function withoutCountry({ catalog }: Tools, topic: number): Uint32Array | undefined {
  const { start, end } = catalog.membersOf(topic)
  const last = Math.min(end, start + membersMax)
  const members = catalog.sections['topic.members'].subarray(start, last)
  const countries = catalog.sections['authority.countries']
  const people = members.filter((each) => catalog.countryOf(countries[each]!) === '')
  return people.length * 2 > members.length ? people.sort() : undefined
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
  return findInAll(tools, parts, limit)
}
