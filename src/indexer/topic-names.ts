/**
 * The topics of a source (`topics.ndjson`): their aliases, and broader topics of those without people.
 *
 * Invariant: an alias stands for one topic. It is the label of another topic only if that topic is smaller, and too few
 * people have it, or the source has no record of it and only the records of one source have it.
 */
import { limits } from '../limits.ts'
import { type Lists, uint32Column } from '../memory/columns.ts'
import { Interner } from '../memory/interner.ts'
import type { TopicRecord } from '../source/schema.ts'
import { topicKey } from '../text/analyzer.ts'
import { lazily } from '../text/lazily.ts'

export class TopicNames {
  readonly aliasKeys = new Interner()
  readonly aliasTopics = uint32Column()
  /** Aliases that are also the label of a smaller topic. */
  readonly takenAliases: { readonly key: string; readonly topic: number }[] = []
  /** Records of the source about topics without people. */
  readonly absent: TopicRecord[] = []
  /** Topics that the source has a record of. */
  readonly declared = new Set<number>()
  readonly #labels: Interner
  readonly backers: () => Backers

  /** @param labels keys of topics. @param findBackers called once all authorities are there. */
  constructor(labels: Interner, findBackers: () => Backers) {
    this.#labels = labels
    this.backers = lazily(findBackers)
  }

  /** Takes aliases. A topic without people may only mean a broader one, and is taken without complaint. */
  add(record: TopicRecord): { readonly field: string; readonly reason: string }[] {
    const topic = this.#labels.find(topicKey(record.topic))
    if (topic < 0) {
      if (record.broader !== undefined) this.absent.push(record)
      return []
    }
    this.declared.add(topic)
    return record.aliases.flatMap((alias, index) => {
      const reason = this.#addAlias(topicKey(alias), topic)
      return reason === undefined ? [] : [{ field: `aliases.${index}`, reason }]
    })
  }

  #addAlias(key: string, topic: number): string | undefined {
    if (key === '') return 'has no letters or digits'
    const label = this.#labels.find(key)
    if (label === topic) return undefined
    if (label >= 0) {
      if (!this.#isSmaller(label, topic)) return 'is the name of another topic'
      this.takenAliases.push({ key, topic })
      return undefined
    }
    const alias = this.aliasKeys.intern(key)
    if (alias === this.aliasTopics.length) this.aliasTopics.push(topic)
    return this.aliasTopics.view()[alias] === topic ? undefined : 'stands for another topic'
  }

  /** A few records, or those of one source, may not take the alias of a larger topic by a label of their own. */
  #isSmaller(label: number, topic: number): boolean {
    const { sizes, areOfSeveral } = this.backers()
    const areFew = sizes[label]! < limits.phraseMembersMin
    const areOfOneSource = areOfSeveral[label] !== 1 && !this.declared.has(label)
    return (areFew || areOfOneSource) && sizes[label]! < sizes[topic]!
  }
}

/** The people of each topic; asked for after the last record. */
interface Backers {
  readonly sizes: Uint32Array
  /** 1 for each topic that records of several sources have. */
  readonly areOfSeveral: Uint8Array
}

/** If all records are of one source, that one is enough. */
export function backersOf(topics: number, lists: Lists, sources: Uint32Array): Backers {
  const sizes = new Uint32Array(topics)
  const isOneSource = sources.every((source) => source === sources[0])
  const areOfSeveral = new Uint8Array(topics).fill(Number(isOneSource))
  const first = new Uint32Array(topics)
  const { starts, values } = lists.view()
  sources.forEach((source, authority) => {
    for (const topic of values.subarray(starts[authority], starts[authority + 1])) {
      if (sizes[topic] === 0) first[topic] = source
      else if (first[topic] !== source) areOfSeveral[topic] = 1
      sizes[topic]! += 1
    }
  })
  return { sizes, areOfSeveral }
}
