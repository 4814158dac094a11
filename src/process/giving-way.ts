/** Threads that yield to others by a lower priority. */
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
