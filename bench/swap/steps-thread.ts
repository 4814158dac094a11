/**
 * Prepares a snapshot several times and reports the longest step of one of them in milliseconds: of
 * the one whose longest is least, since the code is cold in the first and the machine may have other
 * work in any.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { prepareServed } from '../../src/api/served.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'

const rounds = 5

function longestStepMs(snapshot: Snapshot): number {
  const steps = prepareServed(snapshot)
  let longestMs = 0
  for (let done: boolean | undefined = false; !done; ) {
    const startedMs = performance.now()
    done = steps.next().done
    longestMs = Math.max(longestMs, performance.now() - startedMs)
  }
  return longestMs
}

const longestMs = Array.from({ length: rounds }, () => longestStepMs(workerData as Snapshot))
parentPort!.postMessage(Math.min(...longestMs))
