/**
 * What runs in the thread of a `ConnectionThread`: reads the connections of a file and reports their
 * batches, never more than may wait.
 */
import { workerData } from 'node:worker_threads'
import { Refusal } from '../../problems.ts'
import { waitForCount } from '../../process/thread-module.ts'
import type { ConnectionBatch } from '../source.ts'
import {
  type ConnectionReport,
  type ConnectionThreadStart,
  waitingMax,
} from './connection-thread.ts'
import { readConnections } from './connections.ts'
import { readConnection } from './records.ts'

const { file, port, taken } = workerData as ConnectionThreadStart

function report(message: ConnectionReport, columns: readonly ArrayBufferView[] = []): void {
  port.postMessage(
    message,
    columns.map(({ buffer }) => buffer as ArrayBuffer),
  )
}

/** Hands a batch over, without copying its columns. */
function reportBatch(batch: ConnectionBatch): void {
  const { sdus, from, to, weights, kinds, numbers } = batch
  report({ kind: 'batch', batch }, [sdus.text, sdus.ends, from, to, weights, kinds, numbers])
}

async function readAll(): Promise<void> {
  const onEnd = (digest: string) => report({ kind: 'end', digest })
  let reported = 0
  for await (const batch of readConnections(file, readConnection, onEnd)) {
    waitForCount(taken, reported - waitingMax + 1)
    reportBatch(batch)
    reported += 1
  }
}

try {
  await readAll()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  report({ kind: 'refused', message: error.message })
}
port.close()
