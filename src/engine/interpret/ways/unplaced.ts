/**
 * A topic beside a place where none of its people is known to be: `rust async developers in germany`. Where the
 * records of most of its people name no country, those are found who may be there; the answer says that the place
 * is left out.
 *
 * Invariant: nobody is found whose record names another country.
 */

import { asideOf } from '../../../text/speech/aside-words.ts'
import { listOf } from '../../postings/list.ts'
import { foundNobody, positions } from '../found.ts'
import { TopicOrder } from '../ranking.ts'
import { type Tools, textsWithout, type WayOfSearch } from './way.ts'

/** Members of a topic that are looked at. */
const membersMax = 2_000

/** See the file's comment. */
export const unplaced: WayOfSearch = {
  name: 'unplaced',
  find: (tools, { words }, limit) => {
    const parts = tools.phrases.partsOf(words)
    const telling = parts.filter(({ words: [word] }) => !word!.isStop)
    const topics = telling.filter(({ topic }) => topic >= 0)
    const places = telling.filter(({ place, topic }) => place >= 0 && topic < 0)
    const [only, another] = topics
    if (only === undefined || another !== undefined || places.length !== 1) return undefined
    const isAside = telling.every(
      (part) => part === only || part === places[0] || asideOf(part.words[0]!.text) !== undefined,
    )
    if (!isAside || words.some(({ isExact }) => isExact)) return undefined
    if (tools.people.inAll([only, places[0]!], 1) !== undefined) return undefined
    const people = withoutCountry(tools, only.topic)
    if (people === undefined) return undefined
    const order = new TopicOrder(tools.catalog, tools.postings, [only.topic])
    const all = [listOf(people, 0, people.length)]
    const ordinals = order.first(all, limit)
    const leftOut = textsWithout(words, only.words)
    const matched = { names: [], words: all, order, isRanked: false }
    return {
      ...foundNobody,
      way: 'words',
      ordinals,
      ranks: positions,
      parts: [only],
      leftOut,
      matched,
    }
  },
}

/** Those of a topic whose records name no country, by authority; undefined where they are fewer than half. */
function withoutCountry({ catalog }: Tools, topic: number): Uint32Array | undefined {
  const { start, end } = catalog.membersOf(topic)
  const members = catalog.sections['topic.members'].subarray(
    start,
    Math.min(end, start + membersMax),
  )
  const countries = catalog.sections['authority.countries']
  const people = members.filter((each) => catalog.countryOf(countries[each]!) === '')
  return people.length * 2 > members.length ? people.sort() : undefined
}
