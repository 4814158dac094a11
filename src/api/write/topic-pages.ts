/**
 * Pages of the list of topics, the largest first and of equals by their labels. A place in it is a size
 * and a label, so that another snapshot neither repeats nor skips a topic whose place did not change.
 */
import type { Catalog } from '../../catalog/catalog.ts'
import { textAt } from '../../memory/text-table.ts'
import type { PageOrProblem } from '../history/page.ts'
import type { ListParts } from '../read/cursor.ts'
import type { Served } from '../served.ts'

/** What is asked for: all topics where nothing was typed. */
export interface AskedTopics {
  readonly typed: string
  readonly limit: number
}

/** Behind the topic of this size and label. */
interface Mark {
  readonly authorities: number
  readonly topic: string
}

/** A page of the topics. @param cursor '' for the first. */
export function topicsPage(served: Served, asked: AskedTopics, cursor: string): PageOrProblem {
  const list = ['topics', asked.typed]
  if (cursor === '') return { read: () => pageBehind(served, asked, list, undefined) }
  const { value, problem } = served.cursors.read(list, cursor)
  if (problem !== undefined) return { problem }
  return { read: () => pageBehind(served, asked, list, value as Mark) }
}

function pageBehind(
  { catalog, suggestions, cursors }: Served,
  { typed, limit }: AskedTopics,
  list: ListParts,
  mark: Mark | undefined,
) {
  const topics =
    typed === '' ? suggestions.topicsBySize : suggestions.topics(typed, catalog.counts.topics)
  const start = mark === undefined ? 0 : countUpTo(catalog, topics, mark)
  const page = Array.from(topics.slice(start, start + limit))
  const aliases = aliasesOf(catalog, page)
  const items = page.map((topic) => ({
    topic: catalog.labelOf(topic),
    aliases: aliases.get(topic) ?? [],
    authorities: catalog.sizeOf(topic),
  }))
  const last = items.at(-1)
  const isLast = last === undefined || start + limit >= topics.length
  if (isLast) return { items, next: undefined }
  const behind: Mark = { authorities: last.authorities, topic: last.topic }
  return { items, next: cursors.write(list, behind) }
}

/** How many topics stand at a mark or before it. O(log topics). */
function countUpTo(catalog: Catalog, topics: ArrayLike<number>, mark: Mark): number {
  let low = 0
  let high = topics.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const topic = topics[middle]!
    const size = catalog.sizeOf(topic)
    const isUpTo =
      size === mark.authorities ? catalog.labelOf(topic) <= mark.topic : size > mark.authorities
    if (isUpTo) low = middle + 1
    else high = middle
  }
  return low
}

/** The keys of the aliases of some topics: they stand behind those of all labels. O(aliases). */
function aliasesOf(catalog: Catalog, topics: readonly number[]): Map<number, string[]> {
  const keys = catalog.tableOf('topic-key')
  const aliases = new Map<number, string[]>(topics.map((topic) => [topic, []]))
  const { topics: labels, topicKeys } = catalog.counts
  for (let key = labels; key < topicKeys; key += 1) {
    aliases.get(catalog.sections['topic-key.topics'][key]!)?.push(textAt(keys, key))
  }
  return aliases
}
