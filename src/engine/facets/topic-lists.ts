/** Counts which topics people have, from the lists of their topics. */
import { type CopySource, copySlackBytes, copySourceOf, copyText } from '../../memory/copy-text.ts'
import type { References, Sections } from '../../snapshot/sections.ts'

/** Topics of several people that are counted together. */
const flatLength = 4_096

/** A buffer as numbers of the kind of others. */
function viewOf(numbers: References, buffer: ArrayBuffer): References {
  if (numbers instanceof Uint8Array) return new Uint8Array(buffer)
  return numbers instanceof Uint16Array ? new Uint16Array(buffer) : new Uint32Array(buffer)
}

/**
 * Counts the topics of people. The lists of people are put one behind the other first: going through each by itself
 * takes half as long again, because nobody can guess where one of a few topics ends (measured).
 */
export class TopicLists {
  readonly #counts: Uint32Array
  readonly #starts: Uint32Array
  readonly #topics: CopySource
  readonly #flat: References
  readonly #flatData: DataView
  /** Bytes of a number. */
  readonly #width: number
  #filled = 0

  /** @param counts by topic; what is counted is added to them. */
  constructor(sections: Sections, counts: Uint32Array) {
    const topics = sections['authority.topics']
    const { buffer, byteOffset, byteLength } = topics
    const flat = new ArrayBuffer(flatLength * topics.BYTES_PER_ELEMENT + copySlackBytes + 1)
    this.#flat = viewOf(topics, flat)
    this.#flatData = new DataView(flat)
    this.#width = topics.BYTES_PER_ELEMENT
    this.#counts = counts
    this.#starts = sections['authority.topic-starts']
    this.#topics = copySourceOf(new Uint8Array(buffer, byteOffset, byteLength))
  }

  /** Counts those of the first `count` of some people. */
  count(ordinals: Uint32Array, count: number): void {
    const starts = this.#starts
    for (let index = 0; index < count; index += 1) {
      const ordinal = ordinals[index]!
      const end = starts[ordinal + 1]!
      for (let from = starts[ordinal]!; from < end; ) from = this.#append(from, end)
    }
    this.#countFlat()
  }

  /** Appends a list, or what there is room for; returns where it has stopped. */
  #append(from: number, end: number): number {
    if (this.#filled === flatLength) this.#countFlat()
    const to = Math.min(end, from + flatLength - this.#filled)
    const width = this.#width
    // Several numbers at once are copied as one double, and none is so large that this is NaN.
    copyText(this.#topics, from * width, to * width, this.#flatData, this.#filled * width)
    this.#filled += to - from
    return to
  }

  #countFlat(): void {
    const counts = this.#counts
    const flat = this.#flat
    for (let at = 0; at < this.#filled; at += 1) counts[flat[at]!]! += 1
    this.#filled = 0
  }
}
