/** The open loop of open-loop.ts: a program that answers each order with what was measured. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import {
  type Answer,
  AnswerReader,
  getRequest,
  headerOf,
} from '../../../test/support/processes/answer-reader.ts'
import type { Expectations, PacedMeasured, PacedOrder } from './open-loop.ts'

/** Requests that are due together and go to one connection are sent as one, up to so many. */
const batchMax = 4
/**
 * Requests that wait for their answers on one connection, at most: together they always fit into what a
 * socket holds. Those beyond are sent later, and count from when they were due like all others.
 */
const waitingMax = 100
const answerMsMax = 10_000
const problemsMax = 5
const resultsStart = Buffer.from('"results":[')

/** A connection, and who takes what it receives: bytes that are gone when that returns. */
interface Line {
  readonly socket: Socket
  take: (chunk: Buffer) => void
}

/** One order while it is carried out. Requests are numbers from 0. */
class Run {
  readonly #order: PacedOrder
  readonly #paths: readonly string[]
  readonly #requests: readonly string[]
  readonly #expected: ReadonlyMap<string, readonly Buffer[]> | undefined
  readonly #lines: readonly Line[]
  /** Of each connection the requests that wait for their answers, the first one first. */
  readonly #waiting: readonly number[][]
  readonly #latenciesUs: Float64Array
  readonly #lateUs: Float64Array
  readonly #answers = new Map<string, number>()
  readonly #problems: string[] = []
  #startedMs = 0
  #sent = 0
  #answered = 0
  #failed = 0
  #mixed = 0
  #turn = 0

  constructor(order: PacedOrder, lines: readonly Line[]) {
    this.#order = order
    this.#paths = readFileSync(order.file, 'utf8').trimEnd().split('\n')
    this.#requests = this.#paths.map((path) => getRequest(path, order.key))
    this.#expected = order.expectations === undefined ? undefined : expected(order.expectations)
    this.#lines = lines
    this.#waiting = lines.map((line) => this.#listen(line))
    const total = Math.round(order.ratePerSecond * order.seconds)
    this.#latenciesUs = new Float64Array(total)
    this.#lateUs = new Float64Array(total)
  }

  #listen(line: Line): number[] {
    const waiting: number[] = []
    const reader = new AnswerReader((answer) => this.#take(waiting.shift()!, answer))
    line.take = (chunk) => {
      reader.take(chunk)
      // What is due meanwhile need not wait for the timer.
      this.#sendDue()
    }
    return waiting
  }

  async fire(): Promise<PacedMeasured> {
    const total = this.#latenciesUs.length
    const cpuBefore = process.cpuUsage()
    this.#startedMs = performance.now()
    const deadlineMs = this.#dueMs(total) + answerMsMax
    while (this.#sent < total && performance.now() < deadlineMs) {
      this.#sendDue()
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    while (this.#answered < total && performance.now() < deadlineMs) {
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    const seconds = (performance.now() - this.#startedMs) / 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    for (const { socket } of this.#lines) socket.destroy()
    return { ...this.#measured(seconds), generatorCpuSeconds: (user + system) / 1e6 }
  }

  #pathOf(request: number): number {
    return (this.#order.offset + request) % this.#paths.length
  }

  #dueMs(request: number): number {
    return this.#startedMs + (request * 1000) / this.#order.ratePerSecond
  }

  #sendDue(): void {
    const nowMs = performance.now()
    const isDue = () => this.#sent < this.#lateUs.length && this.#dueMs(this.#sent) <= nowMs
    let full = 0
    while (isDue() && full < this.#lines.length) {
      const connection = this.#turn++ % this.#lines.length
      const isFull = this.#waiting[connection]!.length > waitingMax - batchMax
      full = isFull ? full + 1 : 0
      if (isFull) continue
      let text = ''
      for (let batch = 0; batch < batchMax && isDue(); batch += 1) {
        this.#lateUs[this.#sent] = (nowMs - this.#dueMs(this.#sent)) * 1000
        text += this.#requests[this.#pathOf(this.#sent)]
        this.#waiting[connection]!.push(this.#sent++)
      }
      this.#lines[connection]!.socket.write(text, 'latin1')
    }
  }

  #take(request: number, answer: Answer): void {
    this.#latenciesUs[this.#answered] = (performance.now() - this.#dueMs(request)) * 1000
    this.#answered += 1
    const id = headerOf(answer, 'X-Snapshot-Id') ?? ''
    this.#answers.set(id, (this.#answers.get(id) ?? 0) + 1)
    const path = this.#pathOf(request)
    if (answer.status !== 200) {
      this.#failed += 1
      this.#note(`${answer.status} for request ${request}`)
    } else if (!this.#isExpected(id, path, answer.body)) {
      this.#mixed += 1
      this.#note(`${id} does not answer like this: ${this.#paths[path]}`)
    }
  }

  #isExpected(id: string, path: number, body: Buffer): boolean {
    if (this.#expected === undefined) return true
    const results = this.#expected.get(id)?.[path]
    const start = Math.max(0, body.indexOf(resultsStart))
    return results !== undefined && body.compare(results, 0, results.length, start) === 0
  }

  #note(problem: string): void {
    if (this.#problems.length < problemsMax) this.#problems.push(problem)
  }

  #measured(seconds: number): Omit<PacedMeasured, 'generatorCpuSeconds'> {
    const total = this.#latenciesUs.length
    const unanswered = total - this.#answered
    if (unanswered > 0) this.#note(`${unanswered} requests were not answered`)
    // Those that were not answered took longer than any that was.
    this.#latenciesUs.fill(answerMsMax * 1000, this.#answered)
    const at = (values: Float64Array, share: number) => values[Math.floor((total - 1) * share)]!
    const latencies = this.#latenciesUs.sort()
    return {
      requests: total,
      seconds,
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

function expected(file: string): ReadonlyMap<string, readonly Buffer[]> {
  const expectations: Expectations = JSON.parse(readFileSync(file, 'utf8'))
  const buffers = (texts: readonly string[]) => texts.map((text) => Buffer.from(text))
  return new Map(Object.entries(expectations).map(([id, texts]) => [id, buffers(texts)]))
}

/** What any connection has just received: one buffer, since making one for each read costs as much as the read. */
const received = Buffer.alloc(1 << 18)

function open(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const callback = (bytes: number) => {
      line.take(received.subarray(0, bytes))
      return true
    }
    const onread = { buffer: received, callback }
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread })
    const line: Line = { socket, take: () => {} }
    // A request that is never answered is counted as failed, whatever the reason.
    socket.on('error', reject)
    socket.once('connect', () => resolve(line))
  })
}

process.on('message', async (order: PacedOrder) => {
  const opening = Array.from({ length: order.connections }, () => open(order.port))
  process.send!(await new Run(order, await Promise.all(opening)).fire())
})
process.on('disconnect', () => process.exit())
