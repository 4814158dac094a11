/**
 * Answers of a snapshot that is about to be served, made before anybody asks: else all that is asked for
 * again and again would be found anew in the moment after a switch, and whoever asks then waits for
 * it. They are made in short steps with long rests between, since others are answered meanwhile.
 */
import { readAsk } from './read/asks.ts'
import type { Served } from './served.ts'
import { Body } from './write/body.ts'

/** Milliseconds of work between two rests, unless one answer takes longer, and in all. */
const stepMs = 0.5
const workMsMax = 250

/** How much longer than a step the rest behind it is: so a thread has nine tenths of its time for others. */
const restsOfStep = 9

/** How long a warming may work, and how it rests. */
export interface WarmingTime {
  /** Milliseconds. */
  readonly clock: () => number
  readonly rest: (ms: number) => Promise<void>
}

/**
 * Keeps the answers to some searches in the cache of a snapshot, those that come first for certain.
 * @param queries query strings, as the cache knows them.
 */
export async function warm(
  served: Served,
  queries: readonly string[],
  { clock, rest }: WarmingTime,
): Promise<void> {
  const body = new Body()
  let workedMs = 0
  let startedMs = clock()
  for (const query of queries) {
    keep(served, query, body)
    const stepped = clock() - startedMs
    if (stepped < stepMs) continue
    workedMs += stepped
    if (workedMs >= workMsMax) return
    await rest(stepped * restsOfStep)
    startedMs = clock()
  }
}

function keep(served: Served, query: string, body: Body): void {
  body.begin()
  try {
    readAsk('search', query, served).value?.write(served, body)
  } catch {
    // Nobody has asked: whoever does gets the error, and it is logged then.
  }
}
