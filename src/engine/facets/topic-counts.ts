/**
 * For each large topic, how many of its members have each other topic: the facets of a search for it,
 * which would take milliseconds each time. The loading thread counts them once, in memory that all threads
 * share. Smaller topics and all other searches are counted on request.
 */
import { shared } from '../../memory/columns.ts'
import type { Sections } from '../../snapshot/sections.ts'
import { TopicLists } from './topic-lists.ts'

/** The counts of large topics, as plain columns that can be handed to another thread. */
export interface TopicCounts {
  /** The large topics, ascending. */
  readonly topics: Uint32Array
  /** Of each of them a row: by topic, how many of its members have it. */
  readonly rows: readonly Uint32Array[]
}

/** Members of the smallest large topic: to count so many takes half a millisecond. */
const membersMin = 32_768

/** Members that are counted in one step. */
const stepLength = 16_384

/**
 * Counts the members of all large topics: 12 ms of processor time at a million people.
 * @param rest called between steps of tenths of a millisecond.
 */
export function topicCountsOf(
  sections: Sections,
  rest: () => void = () => {},
  least = membersMin,
): TopicCounts {
  const starts = sections['topic.member-starts']
  const members = sections['meaning.ordinals']
  const topics: number[] = []
  const rows: Uint32Array[] = []
  for (let topic = 0; topic + 1 < starts.length; topic += 1) {
    const [start, end] = [starts[topic]!, starts[topic + 1]!]
    if (end - start < least) continue
    const row = shared(starts.length - 1)
    const lists = new TopicLists(sections, row)
    for (let from = start; from < end; from += stepLength) {
      const step = members.subarray(from, Math.min(end, from + stepLength))
      lists.count(step, step.length)
      rest()
    }
    topics.push(topic)
    rows.push(row)
  }
  return { topics: Uint32Array.from(topics), rows }
}

/** Finds the counts of a list of people that is all of a large topic. */
export class LargeTopics {
  readonly #members: Uint32Array
  readonly #starts: Uint32Array
  readonly #counts: TopicCounts

  constructor(sections: Sections, counts: TopicCounts) {
    this.#members = sections['meaning.ordinals']
    this.#starts = sections['topic.member-starts']
    this.#counts = counts
  }

  /** By topic, how many of some people have it; undefined unless they are all members of a large topic. */
  countsOf(people: Uint32Array): Uint32Array | undefined {
    const members = this.#members
    if (people.buffer !== members.buffer) return undefined
    const start = (people.byteOffset - members.byteOffset) / members.BYTES_PER_ELEMENT
    const { topics, rows } = this.#counts
    for (let index = 0; index < topics.length; index += 1) {
      const topic = topics[index]!
      const isAll =
        this.#starts[topic] === start && this.#starts[topic + 1] === start + people.length
      if (isAll) return rows[index]
    }
    return undefined
  }
}
