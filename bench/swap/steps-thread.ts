/**
 * Prepares a snapshot several times from what a loading thread makes of it, and reports how long that
 * takes in milliseconds, all at once: the least, since the code is cold in the first and the machine
 * may have other work in any.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { activate } from '../../src/api/active-snapshot.ts'
import { madeOf } from '../../src/engine/derived-indexes.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'

const rounds = 5

const snapshot = workerData as Snapshot
const made = madeOf(snapshot)

function preparationMs(): number {
  const startedMs = performance.now()
  activate(snapshot, made)
  return performance.now() - startedMs
}

parentPort!.postMessage(Math.min(...Array.from({ length: rounds }, preparationMs)))
