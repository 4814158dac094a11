/**
 * The loading thread: reads and verifies one snapshot into shared memory, says how it went, and
 * ends. It gives way to the serving threads wherever the system lets it.
 */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { Refusal } from '../problems.ts'
import { loadStored } from '../snapshot/directory.ts'
import type { SectionName } from '../snapshot/sections.ts'
import type { LoadOrder, LoadReport } from './protocol.ts'

/** Linux gives every thread a priority of its own, under the id that its /proc link ends in. */
function giveWay(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_LOW)
  } catch {
    // Elsewhere the thread competes as an equal, which is slower but not wrong.
  }
}

function load({ directory, id, spare }: LoadOrder): LoadReport {
  const allocate = (name: SectionName, bytes: number) => {
    const buffer = spare[name]
    // A little longer than needed, so that the next snapshot fits where this one was; memory that
    // is never touched takes no room.
    return buffer !== undefined && buffer.byteLength >= bytes
      ? buffer
      : new SharedArrayBuffer(bytes + (bytes >>> 3) + 4096)
  }
  try {
    return { snapshot: loadStored(directory, id, allocate) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { refusal: { code: error.code, message: error.message } }
  }
}

giveWay()
parentPort?.postMessage(load(workerData as LoadOrder))
