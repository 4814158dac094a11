/** Topics, the largest first. A place is a size and a label: another snapshot repeats or skips only what moved. */
import type { Catalog } from '../../engine/catalog.ts'
import { firstNot } from '../../memory/bounds.ts'
import { textAt } from '../../memory/text-table.ts'
import type { ActiveSnapshot } from '../active-snapshot.ts'
import type { Values } from '../schemas/inputs.ts'
import { type ListPage, listOperation } from './lists/list-page.ts'

interface TopicMark {
  readonly authorities: number
  readonly topic: string
}

function pageOfTopics(
  { catalog, suggestions }: ActiveSnapshot,
  { query: typed = '', limit }: Values<'topics'>,
  behind: TopicMark | undefined,
): ListPage<TopicMark> {
  const topics =
    typed === '' ? suggestions.topicsBySize : suggestions.topics(typed, catalog.counts.topics)
  const start = behind === undefined ? 0 : countUpTo(catalog, topics, behind)
  const page = Array.from(topics.slice(start, start + limit))
  const aliases = aliasesOf(catalog, page)
  const items = page.map((topic) => ({
    topic: catalog.labelOf(topic),
    aliases: aliases.get(topic) ?? [],
    authorities: catalog.sizeOf(topic),
  }))
  const last = items.at(-1)
  if (last === undefined || start + limit >= topics.length) return { items }
  return { items, next: { authorities: last.authorities, topic: last.topic } }
}

/** Number of topics at a mark or before it. O(log topics). */
function countUpTo(catalog: Catalog, topics: ArrayLike<number>, mark: TopicMark): number {
  return firstNot(topics.length, (place) => {
    const topic = topics[place]!
    const size = catalog.sizeOf(topic)
    return size === mark.authorities
      ? catalog.labelOf(topic) <= mark.topic
      : size > mark.authorities
  })
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

export const topics = listOperation('topics', {
  of: ({ query: typed = '' }) => [typed],
  page: pageOfTopics,
})
