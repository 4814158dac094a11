/** Threads that yield to others: by a lower priority, and by resting. */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** Linux gives every thread a priority of its own, under the id that its /proc link ends in. */
export function giveWay(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_LOW)
  } catch {
    // Elsewhere the thread competes as an equal, which is slower but not wrong.
  }
}

/**
 * Returns a function that rests when it is called at least `workMs` after the last rest. A thread that
 * has the processor keeps it for milliseconds when another one wants it, at any priority (on Linux
 * until the next tick, mostly 4 ms); one that rests does not.
 * @param clock in milliseconds, as `workMs` is.
 */
export function restingEvery(workMs: number, rest: () => void, clock: () => number): () => void {
  let sinceMs = clock()
  return () => {
    if (clock() - sinceMs < workMs) return
    rest()
    sinceMs = clock()
  }
}

/** Blocks a thread for a duration; not for the main thread, which others wait for. */
export function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)), 0, 0, ms)
}
