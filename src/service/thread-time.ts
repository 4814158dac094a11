/**
 * Time that this thread was on a processor: what its own work took, however busy the machine is. A thread that
 * waits for a processor does not count as one that works.
 */
import { readFileSync } from 'node:fs'

/** Of the thread that reads it: nanoseconds on a processor, nanoseconds of waiting for one, and slices. */
const schedulerFile = '/proc/thread-self/schedstat'

/**
 * A clock of the thread that calls it, in milliseconds; a look takes some 10 µs. If the system does not
 * report the time of a thread, it is the wall clock.
 */
export function threadClock(file = schedulerFile): () => number {
  return isTold(file) ? () => readMs(file) : performance.now.bind(performance)
}

/** A kernel without statistics has no such file, or only zeros. */
function isTold(file: string): boolean {
  try {
    return readMs(file) > 0
  } catch {
    return false
  }
}

function readMs(file: string): number {
  return Number(readFileSync(file, 'latin1').split(' ', 1)[0]) / 1e6
}
