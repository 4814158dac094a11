/**
 * A snapshot in memory, asked by topic, SDU and handle. Every answer is read from the sections as
 * they were loaded; nothing is kept per person. Read-only, so that any number of threads can hold
 * a catalog over the same shared memory.
 */
import type { Snapshot } from '../snapshot/file.ts'
import type { HandleQuery } from '../snapshot/handle.ts'
import type { Counts, Sections } from '../snapshot/sections.ts'
import { findText, Scratch, type Texts, type TextTable, textAt } from '../snapshot/table.ts'

/** A half-open range of a list section. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** A topic as its label is written, and how many authorities are ranked in it. */
export interface TopicSize {
  readonly topic: string
  readonly authorities: number
}

export class Catalog {
  readonly id: string
  readonly counts: Counts
  readonly sections: Sections
  readonly #sdus: TextTable
  readonly #topicKeys: TextTable
  readonly #handles: TextTable
  readonly #platforms: readonly string[]
  readonly #scratch = new Scratch()

  /** @param snapshot verified by `loadSnapshot`; an unverified one may answer nonsense. O(platforms). */
  constructor({ header, sections }: Snapshot) {
    this.id = header.id
    this.counts = header.counts
    this.sections = sections
    this.#sdus = tableOf(sections, 'sdu')
    this.#topicKeys = tableOf(sections, 'topic-key')
    this.#handles = tableOf(sections, 'handle')
    const platforms = { text: sections['platform.text'], ends: sections['platform.ends'] }
    this.#platforms = textsOf(platforms)
  }

  /** The ordinal of the authority with this SDU, or -1. */
  findSdu(sdu: string): number {
    return findText(this.#sdus, sdu, this.#scratch)
  }

  /** The topic whose label or alias has this key (see `topicKey`), or -1. */
  findTopic(key: string): number {
    const entry = findText(this.#topicKeys, key, this.#scratch)
    return entry < 0 ? -1 : this.sections['topic-key.topics'][entry]!
  }

  /** Every key of every topic with the topic it stands for: what the resolver indexes. */
  *topicKeys(): Iterable<{ readonly key: string; readonly topic: number }> {
    for (let entry = 0; entry < this.counts.topicKeys; entry += 1) {
      const topic = this.sections['topic-key.topics'][entry]!
      yield { key: textAt(this.#topicKeys, entry), topic }
    }
  }

  /** The members of a topic in rank order, as a range of `topic.members`. */
  membersOf(topic: number): Range {
    const starts = this.sections['topic.member-starts']
    return { start: starts[topic]!, end: starts[topic + 1]! }
  }

  /**
   * The largest topics with their labels, largest first and of equals the first in the snapshot's
   * order. O(topics), and O(count) texts.
   */
  largestTopics(count: number): TopicSize[] {
    const sizeOf = (topic: number) => this.sizeOf(topic)
    const bySize = (a: number, b: number) => sizeOf(b) - sizeOf(a) || a - b
    let largest: number[] = []
    let sizeMin = 0
    for (let topic = 0; topic < this.counts.topics; topic += 1) {
      if (sizeOf(topic) <= sizeMin) continue
      largest.push(topic)
      if (largest.length < count * 2) continue
      largest = largest.sort(bySize).slice(0, count)
      sizeMin = sizeOf(largest.at(-1)!)
    }
    const labels = { text: this.sections['topic.labels'], ends: this.sections['topic.label-ends'] }
    return largest
      .sort(bySize)
      .slice(0, count)
      .map((topic) => ({ topic: textAt(labels, topic), authorities: sizeOf(topic) }))
  }

  /** How many members a topic has. */
  sizeOf(topic: number): number {
    const starts = this.sections['topic.member-starts']
    return starts[topic + 1]! - starts[topic]!
  }

  /**
   * Who owns a handle, by descending authority score: ordinals, each once. Empty when nobody does,
   * or nobody on the platform that was named.
   */
  ownersOf(query: HandleQuery): number[] {
    const owners: number[] = []
    for (const node of this.#nodesOf(query)) {
      if (node < this.counts.authorities && owners.at(-1) !== node) owners.push(node)
    }
    return owners
  }

  /**
   * The peers of a handle by descending authority score, as a range of `peer.ordinals`. A handle
   * that stands for one node has that node's; one that several own has a list of its own.
   */
  peersOf(query: HandleQuery): Range {
    const nodes = this.#nodesOf(query)
    const node = nodes[0]
    if (node === undefined) return { start: 0, end: 0 }
    const handle = findText(this.#handles, query.key, this.#scratch)
    const list = nodes.at(-1) === node ? node : this.sections['handle.peer-lists'][handle]!
    const starts = this.sections['peer.starts']
    return { start: starts[list]!, end: starts[list + 1]! }
  }

  /** The nodes of a handle in ascending order, on one platform when the query names it. */
  #nodesOf({ platform, key }: HandleQuery): number[] {
    const handle = findText(this.#handles, key, this.#scratch)
    if (handle < 0) return []
    const starts = this.sections['handle.node-starts']
    const nodes: number[] = []
    for (let index = starts[handle]!; index < starts[handle + 1]!; index += 1) {
      const platformOf = this.#platforms[this.sections['handle.platforms'][index]!]
      if (platform !== undefined && platformOf !== platform) continue
      nodes.push(this.sections['handle.nodes'][index]!)
    }
    return nodes
  }
}

function tableOf(sections: Sections, name: 'sdu' | 'topic-key' | 'handle'): TextTable {
  return {
    text: sections[`${name}.text`],
    ends: sections[`${name}.ends`],
    slots: sections[`${name}.slots`],
  }
}

function textsOf(texts: Texts): string[] {
  return Array.from(texts.ends, (_, entry) => textAt(texts, entry))
}
