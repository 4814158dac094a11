/**
 * An open-loop load generator: requests are due at a constant rate whatever becomes of those before,
 * and the latency of each counts from when it was due, so that a stall is seen by all that it held
 * up (Tene, "How NOT to Measure Latency", 2015). Every answer is compared with what the snapshot it
 * names would answer. A program of its own; each message is one order and is answered.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** What to ask for, and what each snapshot answers. */
export interface Script {
  /** Paths with their queries, asked for by turns. */
  readonly targets: readonly string[]
  /** Snapshot id → for each target what the body ends with, from `"results":[` on. */
  readonly results: Readonly<Record<string, readonly string[]>>
}

/** How much to ask. */
export interface Order {
  readonly port: number
  readonly key: string
  /** A `Script` as JSON. */
  readonly file: string
  readonly ratePerSecond: number
  readonly seconds: number
  readonly connections: number
}

/** What came of an order; latencies in microseconds from when a request was due. */
export interface Measured {
  readonly requests: number
  /** Not answered with 200, or not at all. */
  readonly failed: number
  /** Not wholly what the snapshot answers that the answer names. */
  readonly mixed: number
  /** What was wrong with the first few. */
  readonly problems: readonly string[]
  /** How many answers named each snapshot. */
  readonly answers: Readonly<Record<string, number>>
  readonly p50Us: number
  readonly p99Us: number
  readonly p999Us: number
  readonly maxUs: number
  /** How late requests were sent: what of the latency is the generator's. */
  readonly lateP999Us: number
}

/** Requests that are due together and go to one connection are sent as one, up to so many. */
const batchMax = 4
const headEnd = '\r\n\r\n'
const resultsStart = '"results":['
const answerMsMax = 10_000
const problemsMax = 5

/** Requests that were sent, as numbers from 0; answers come in their order. */
class Connection {
  readonly #socket: Socket
  readonly #onAnswer: (request: number, head: string, body: Buffer) => void
  readonly #waiting: number[] = []
  #answered = 0
  #held: Buffer = Buffer.alloc(0)

  constructor(socket: Socket, onAnswer: (request: number, head: string, body: Buffer) => void) {
    this.#socket = socket
    this.#onAnswer = onAnswer
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    // A request that is never answered is counted as failed, whatever the reason.
    socket.on('error', () => {})
  }

  send(requests: readonly number[], text: string): void {
    this.#waiting.push(...requests)
    this.#socket.write(text)
  }

  close(): void {
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    let bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk])
    for (;;) {
      const end = bytes.indexOf(headEnd)
      if (end < 0) break
      const head = bytes.toString('latin1', 0, end)
      const bodyStart = end + headEnd.length
      const bodyEnd = bodyStart + Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      if (bytes.length < bodyEnd) break
      this.#onAnswer(this.#waiting[this.#answered++]!, head, bytes.subarray(bodyStart, bodyEnd))
      bytes = bytes.subarray(bodyEnd)
    }
    this.#held = bytes
  }
}

/** One order while it is carried out. */
class Run {
  readonly #order: Order
  readonly #requests: readonly string[]
  readonly #results: ReadonlyMap<string, readonly Buffer[]>
  readonly #connections: Connection[]
  readonly #latenciesUs: Float64Array
  readonly #lateUs: Float64Array
  readonly #answers = new Map<string, number>()
  readonly #problems: string[] = []
  #startedMs = 0
  #sent = 0
  #answered = 0
  #failed = 0
  #mixed = 0
  #nextConnection = 0

  constructor(order: Order, script: Script, sockets: readonly Socket[]) {
    this.#order = order
    const head = `HTTP/1.1\r\nHost: 127.0.0.1:${order.port}\r\nAuthorization: Bearer ${order.key}`
    this.#requests = script.targets.map((target) => `GET ${target} ${head}${headEnd}`)
    this.#results = new Map(
      Object.entries(script.results).map(([id, texts]) => [
        id,
        texts.map((text) => Buffer.from(text)),
      ]),
    )
    this.#connections = sockets.map(
      (socket) => new Connection(socket, (...answer) => this.#takeAnswer(...answer)),
    )
    const total = Math.round(order.ratePerSecond * order.seconds)
    this.#latenciesUs = new Float64Array(total)
    this.#lateUs = new Float64Array(total)
  }

  async fire(): Promise<Measured> {
    const total = this.#latenciesUs.length
    this.#startedMs = performance.now()
    while (this.#sent < total) {
      this.#sendDue()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const deadlineMs = performance.now() + answerMsMax
    while (this.#answered < total && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    for (const connection of this.#connections) connection.close()
    return this.#measured()
  }

  #dueMs(request: number): number {
    return this.#startedMs + (request * 1000) / this.#order.ratePerSecond
  }

  #sendDue(): void {
    const nowMs = performance.now()
    while (this.#sent < this.#latenciesUs.length && this.#dueMs(this.#sent) <= nowMs) {
      const batch: number[] = []
      let text = ''
      while (batch.length < batchMax && this.#sent < this.#latenciesUs.length) {
        if (this.#dueMs(this.#sent) > nowMs) break
        this.#lateUs[this.#sent] = (nowMs - this.#dueMs(this.#sent)) * 1000
        text += this.#requests[this.#sent % this.#requests.length]
        batch.push(this.#sent++)
      }
      this.#connections[this.#nextConnection++ % this.#connections.length]!.send(batch, text)
    }
  }

  #takeAnswer(request: number, head: string, body: Buffer): void {
    this.#latenciesUs[this.#answered] = (performance.now() - this.#dueMs(request)) * 1000
    this.#answered += 1
    const id = /\r\nx-snapshot-id: *(\w+)/i.exec(head)?.[1] ?? ''
    this.#answers.set(id, (this.#answers.get(id) ?? 0) + 1)
    const status = head.slice(9, 12)
    const target = request % this.#requests.length
    const expected = this.#results.get(id)?.[target]
    if (status !== '200') {
      this.#failed += 1
      this.#note(`${status} for request ${request}`)
    } else if (!expected?.equals(body.subarray(Math.max(0, body.indexOf(resultsStart))))) {
      this.#mixed += 1
      this.#note(`${id} does not answer like this: ${this.#requests[target]?.split(' ')[1]}`)
    }
    // What is due meanwhile need not wait for the timer.
    this.#sendDue()
  }

  #note(problem: string): void {
    if (this.#problems.length < problemsMax) this.#problems.push(problem)
  }

  #measured(): Measured {
    const total = this.#latenciesUs.length
    const unanswered = total - this.#answered
    if (unanswered > 0) this.#note(`${unanswered} requests were not answered`)
    // Those that were not answered took longer than any that was.
    this.#latenciesUs.fill(answerMsMax * 1000, this.#answered)
    const at = (values: Float64Array, share: number) => values[Math.floor((total - 1) * share)]!
    const latencies = this.#latenciesUs.sort()
    return {
      requests: total,
      failed: this.#failed + unanswered,
      mixed: this.#mixed,
      problems: this.#problems,
      answers: Object.fromEntries(this.#answers),
      p50Us: at(latencies, 0.5),
      p99Us: at(latencies, 0.99),
      p999Us: at(latencies, 0.999),
      maxUs: at(latencies, 1),
      lateP999Us: at(this.#lateUs.sort(), 0.999),
    }
  }
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })
}

process.on('message', async (order: Order) => {
  const script: Script = JSON.parse(readFileSync(order.file, 'utf8'))
  const sockets = await Promise.all(
    Array.from({ length: order.connections }, () => open(order.port)),
  )
  process.send!(await new Run(order, script, sockets).fire())
})
process.on('disconnect', () => process.exit())
