/**
 * Fills the cache of a snapshot with the answers to frequent requests before the switch, so that they need not wait right
 * after it. Short steps with long rests between: the thread answers requests meanwhile.
 */
import type { ActiveSnapshot } from '../active-snapshot.ts'
import { Body } from '../items/body.ts'
import { findSearch, renderSearch, search } from './search.ts'

/** Milliseconds of work between two rests, unless one answer takes longer, and in all. */
const stepMs = 0.5
const workMsMax = 250

/** The rest behind a step, by the length of the step: so a thread has nine tenths of its time for others. */
const restsOfStep = 9

interface WarmingTime {
  /** Milliseconds. */
  readonly clock: () => number
  readonly rest: (ms: number) => Promise<void>
}

/** Caches the answers to some query strings; the first ones for certain. */
export async function warm(
  served: ActiveSnapshot,
  queries: readonly string[],
  { clock, rest }: WarmingTime,
): Promise<void> {
  const body = new Body()
  let workedMs = 0
  let startedMs = clock()
  for (const query of queries) {
    fill(served, query, body)
    const stepped = clock() - startedMs
    if (stepped < stepMs) continue
    workedMs += stepped
    if (workedMs >= workMsMax) return
    await rest(stepped * restsOfStep)
    startedMs = clock()
  }
}

function fill(served: ActiveSnapshot, query: string, body: Body): void {
  body.begin()
  try {
    const { value } = search.parse(query, served)
    if (value === undefined) return
    const answer = renderSearch(served, value, findSearch(served, value), body)
    if ('source' in answer) served.cache.put(query, answer)
  } catch {
    // No client asked: the next request gets the error, which is then logged.
  }
}
