/**
 * A serving thread: one HTTP server over the shared snapshot. It does as the main thread orders,
 * and keeps serving what it has while it prepares what comes next.
 */
import { randomFillSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { Balances } from '../ledger/balances.ts'
import { Keyring } from '../ledger/keyring.ts'
import type { Snapshot } from '../snapshot/file.ts'
import { Api } from './api.ts'
import { type HttpServer, listen } from './http.ts'
import type { Order, Report, Status, ThreadStart } from './protocol.ts'
import { requestIds } from './request-ids.ts'
import { prepareServed, type Served } from './served.ts'
import { Till } from './till.ts'

/** A preparation holds the thread for a slice, then leaves it to requests for a pause. */
const sliceMs = 0.5
const pauseMs = 2

class ServingThread {
  readonly #report: (report: Report) => void
  readonly #keyring = new Keyring(Date.now)
  readonly #api: Api
  #served: Served | undefined
  #prepared: Served | undefined
  #server: HttpServer | undefined
  #status: Status = { ready: false, facts: {} }
  #obeyed = Promise.resolve()
  #closing = false

  constructor({ balances, prices }: ThreadStart, report: (report: Report) => void) {
    this.#report = report
    this.#api = new Api({
      served: () => this.#served,
      status: () => this.#status,
      till: new Till(this.#keyring, new Balances(balances), prices),
      clock: () => performance.now(),
      requestId: requestIds(randomFillSync),
      onError: logError,
    })
  }

  /** Takes what needs no report at once, and everything else in its order. */
  receive(order: Order): void {
    if (order.kind === 'take-keys') this.#keyring.replace(order.table)
    else if (order.kind === 'take-status') this.#status = order.status
    else {
      if (order.kind === 'close') this.#closing = true
      // A failure is a bug: unhandled, it ends the thread, and the main thread replaces it.
      this.#obeyed = this.#obeyed.then(() => this.#obey(order))
    }
  }

  async #obey(order: Exclude<Order, { kind: `take-${string}` }>): Promise<void> {
    if (order.kind === 'listen') {
      this.#server = await listen(this.#api, order.host, order.port)
      const port = this.#server?.port
      this.#report(port === undefined ? { kind: 'cannot-listen' } : { kind: 'listening', port })
    } else if (order.kind === 'prepare') {
      this.#prepared = await this.#prepare(order.snapshot)
      this.#report({ kind: 'prepared' })
    } else if (order.kind === 'switch') {
      this.#served = this.#prepared
      this.#prepared = undefined
      this.#report({ kind: 'switched' })
    } else {
      await this.#server?.close()
      this.#report({ kind: 'closed' })
    }
  }

  /**
   * Prepares a snapshot between requests; a thread that serves nothing yet has no requests to wait
   * for. Undefined when the thread is to close before it is done.
   */
  async #prepare(snapshot: Snapshot): Promise<Served | undefined> {
    const steps = prepareServed(snapshot)
    for (;;) {
      const sliceEnd = performance.now() + sliceMs
      do {
        const step = steps.next()
        if (step.done) return step.value
      } while (this.#served === undefined || performance.now() < sliceEnd)
      await sleep(pauseMs)
      if (this.#closing) return undefined
    }
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
port.on('message', (order: Order) => thread.receive(order))
