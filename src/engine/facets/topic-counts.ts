/** For each large topic the counts of its facets, which would take milliseconds each time. */
import type { Sections } from '../../snapshot/sections.ts'

export class LargeTopics {
  readonly #members: Uint32Array
  readonly #starts: Uint32Array
  readonly #large: Uint32Array
  readonly #counts: Uint32Array

  constructor(sections: Sections) {
    this.#members = sections['meaning.ordinals']
    this.#starts = sections['topic.member-starts']
    this.#large = sections['topic-count.topics']
    this.#counts = sections['topic-count.counts']
  }

  /** By topic, how many of some people have it; undefined unless they are all members of a large topic. */
  countsOf(people: Uint32Array): Uint32Array | undefined {
    const members = this.#members
    if (people.buffer !== members.buffer) return undefined
    const start = (people.byteOffset - members.byteOffset) / members.BYTES_PER_ELEMENT
    const topics = this.#starts.length - 1
    for (let index = 0; index < this.#large.length; index += 1) {
      const topic = this.#large[index]!
      const isAll =
        this.#starts[topic] === start && this.#starts[topic + 1] === start + people.length
      if (isAll) return this.#counts.subarray(index * topics, (index + 1) * topics)
    }
    return undefined
  }
}
