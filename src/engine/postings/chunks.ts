/**
 * Intersects sets in chunks: a check in one costs a fraction of a single check, so this is for
 * walks over thousands.
 */
import { retainAll, type WalkPlan } from './doc-set.ts'
import { SmallestK } from './smallest-k.ts'

/** People of a chunk: at first as few as may be enough, at most so many that it stays in the nearest cache. */
const firstLength = 32
const lengthMax = 4_096

/** Takes the first `count` of some ordinals; returns the ordinal from which on none is wanted. */
type ShowChunk = (ordinals: Uint32Array, count: number) => number

export const endless = Number.POSITIVE_INFINITY

/** `show` may overwrite a chunk, and may get ordinals that it does not want any more. */
export function walkChunks({ walked, others }: WalkPlan, show: ShowChunk): void {
  let chunk = new Uint32Array(Math.min(firstLength, walked?.size ?? 0))
  let filled = 0
  let end = endless
  const flush = () => {
    const kept = retainAll(others, chunk, filled)
    if (kept > 0) end = show(chunk, kept)
    filled = 0
  }
  walked?.forEach([], (ordinal) => {
    if (ordinal >= end) return false
    chunk[filled] = ordinal
    filled += 1
    if (filled < chunk.length) return true
    flush()
    if (chunk.length < lengthMax) chunk = new Uint32Array(chunk.length * 2)
    return ordinal < end
  })
  flush()
}

/** Like `firstOf`, for sets where thousands are visited before enough are found. */
export function firstOfMany(plan: WalkPlan, limit: number): readonly number[] {
  const least = new SmallestK(limit)
  walkChunks(plan, (ordinals, count) => {
    for (let index = 0; index < count; index += 1) least.take(ordinals[index]!)
    return least.end
  })
  return least.numbers
}
