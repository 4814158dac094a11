/**
 * Number of people who have each topic, and whether records of several sources have it; if all
 * records are of one source, that one is enough. Asked after the last record.
 */
import type { Lists } from '../memory/columns.ts'

export interface Backers {
  readonly sizes: Uint32Array
  /** 1 for each topic that records of several sources have. */
  readonly areOfSeveral: Uint8Array
}

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
