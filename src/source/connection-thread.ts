/** The thread of a `ConnectionThread`: reads the connections of a source and reports their batches. */
import { workerData } from 'node:worker_threads'
import { Refusal } from '../problems.ts'
import {
  type ConnectionReport,
  type ConnectionThreadStart,
  waitingMax,
} from './connection-worker.ts'
import { type ConnectionBatch, readConnections } from './connections.ts'
import { readConnection } from './reader.ts'

const { file, port, taken } = workerData as ConnectionThreadStart

/** Hands a batch over, without copying its columns. */
function report(batch: ConnectionBatch): void {
  const { sdus, from, to, weights, kinds, lines } = batch
  const columns = [sdus.text, sdus.ends, from, to, weights, kinds, lines]
  const message: ConnectionReport = { kind: 'batch', batch }
  port.postMessage(
    message,
    columns.map(({ buffer }) => buffer as ArrayBuffer),
  )
}

/** Blocks until no more than so many batches wait to be taken. */
function waitForRoom(reported: number): void {
  for (;;) {
    const count = Atomics.load(taken, 0)
    if (reported - count < waitingMax) return
    Atomics.wait(taken, 0, count)
  }
}

async function readAll(): Promise<ConnectionReport> {
  let digest = ''
  let reported = 0
  try {
    const onEnd = (whole: string) => {
      digest = whole
    }
    for await (const batch of readConnections(file, readConnection, onEnd)) {
      waitForRoom(reported)
      report(batch)
      reported += 1
    }
    return { kind: 'end', digest }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { kind: 'refused', message: error.message }
  }
}

port.postMessage(await readAll())
port.close()
