/**
 * A serving thread: one HTTP server over the shared snapshot. It does as the main thread orders,
 * and keeps serving what it has while it prepares what comes next.
 */
import { randomFillSync } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { Balances } from '../ledger/balances.ts'
import { Keyring } from '../ledger/keyring.ts'
import { Api } from './api.ts'
import { type HttpServer, listen } from './http.ts'
import type { Order, Report, ThreadStart } from './protocol.ts'
import { requestIds } from './request-ids.ts'
import { prepareServed, type Served } from './served.ts'
import { Till } from './till.ts'

/** The longest a preparation holds the thread before requests get their turn. */
const sliceMsMax = 2

class ServingThread {
  readonly #report: (report: Report) => void
  readonly #keyring = new Keyring(Date.now)
  readonly #api: Api
  #served: Served | undefined
  #prepared: Served | undefined
  #server: HttpServer | undefined

  constructor({ balances, prices }: ThreadStart, report: (report: Report) => void) {
    this.#report = report
    this.#api = new Api({
      served: () => this.#served,
      till: new Till(this.#keyring, new Balances(balances), prices),
      clock: () => performance.now(),
      requestId: requestIds(randomFillSync),
      onError: logError,
    })
  }

  async obey(order: Order): Promise<void> {
    if (order.kind === 'listen') {
      this.#server = await listen(this.#api, order.host, order.port)
      const port = this.#server?.port
      this.#report(port === undefined ? { kind: 'cannot-listen' } : { kind: 'listening', port })
    } else if (order.kind === 'prepare') {
      this.#prepared = await inSlices(prepareServed(order.snapshot))
      this.#report({ kind: 'prepared', id: order.snapshot.header.id })
    } else if (order.kind === 'switch') {
      this.#served = this.#prepared
      this.#prepared = undefined
      this.#report({ kind: 'switched', id: order.id })
    } else if (order.kind === 'take-keys') {
      this.#keyring.replace(order.table)
    } else {
      this.#server?.close()
      this.#report({ kind: 'closed' })
    }
  }
}

/** Runs the steps of a preparation, giving way to requests after each slice. */
async function inSlices<T>(steps: Generator<void, T, void>): Promise<T> {
  for (;;) {
    const sliceEnd = performance.now() + sliceMsMax
    do {
      const step = steps.next()
      if (step.done) return step.value
    } while (performance.now() < sliceEnd)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** One JSON line on stderr, as the service's other logs. */
function logError(error: unknown, requestId: string): void {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${JSON.stringify({ level: 'error', requestId, message })}\n`)
}

const port = parentPort
if (port === null) throw new Error('a serving thread is started by the main thread')
const thread = new ServingThread(workerData, (report) => port.postMessage(report))
port.on('message', (order: Order) => void thread.obey(order))
