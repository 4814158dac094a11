/**
 * A load generator for where wrk is not installed: keep-alive connections over plain sockets, each
 * sending its next request when the last one is answered. A program of its own; each message is one
 * order and is answered with what was measured. It needs more time for a request than a fast server
 * does, so its figures are lower bounds.
 */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import type { Measured, Order } from './load.ts'

const firstAnswerMsMax = 30_000
const headEnd = '\r\n\r\n'

/** The requests of an order, in their order, over and over. */
class Requests {
  readonly #batches: readonly Buffer[]
  #next: number

  constructor({ key, file, port, offset, depth }: Order) {
    const head = `HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}${headEnd}`
    const paths = readFileSync(file, 'utf8').trimEnd().split('\n')
    const requests = paths.map((path) => `GET ${path} ${head}`)
    this.#batches = Array.from({ length: Math.ceil(requests.length / depth) }, (_, batch) => {
      const steps = Array.from({ length: depth }, (_, step) => batch * depth + step)
      return Buffer.from(steps.map((step) => requests[step % requests.length]).join(''))
    })
    this.#next = Math.floor(offset / depth)
  }

  next(): Buffer {
    return this.#batches[this.#next++ % this.#batches.length]!
  }
}

/** Counts the answers in what a connection receives. */
class AnswerCounter {
  #rest: Buffer = Buffer.alloc(0)

  /** Takes a chunk; calls back with the status of each answer that is complete. */
  take(chunk: Buffer, onAnswer: (status: number) => void): void {
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      const end = bytes.indexOf(headEnd)
      if (end < 0) break
      const head = bytes.toString('latin1', 0, end)
      const bodyBytes = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
      const answerEnd = end + headEnd.length + bodyBytes
      if (bytes.length < answerEnd) break
      bytes = bytes.subarray(answerEnd)
      onAnswer(Number(head.slice(9, 12)))
    }
    this.#rest = bytes
  }
}

/** Runs an order for its time, or until the first answer where that takes longer. */
async function fire(order: Order): Promise<Measured> {
  const requests = new Requests(order)
  const latenciesUs: number[] = []
  let failed = 0
  const onDone = (status: number, latencyUs: number) => {
    latenciesUs.push(latencyUs)
    if (status !== 200) failed += 1
  }
  const sockets = await Promise.all(Array.from({ length: order.connections }, () => open(order)))
  const startedMs = performance.now()
  for (const socket of sockets) keepAsking(socket, order, requests, onDone)
  do await new Promise((resolve) => setTimeout(resolve, order.seconds * 1000))
  while (latenciesUs.length === 0 && performance.now() < startedMs + firstAnswerMsMax)
  const seconds = (performance.now() - startedMs) / 1000
  failed += sockets.filter(({ destroyed }) => destroyed).length
  for (const socket of sockets) socket.destroy()
  const sorted = Float64Array.from(latenciesUs).sort()
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  const percentiles = { p50Us: at(0.5), p99Us: at(0.99), p999Us: at(0.999) }
  return { requests: sorted.length, seconds, failed, ...percentiles }
}

function open({ port }: Order): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => resolve(socket.off('error', reject)))
  })
}

function keepAsking(
  socket: Socket,
  { depth, pauseMs }: Order,
  requests: Requests,
  onDone: (status: number, latencyUs: number) => void,
): void {
  const counter = new AnswerCounter()
  let sentMs = 0
  let open = 0
  const ask = () => {
    if (socket.destroyed) return
    sentMs = performance.now()
    open = depth
    socket.write(requests.next())
  }
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk) => {
    counter.take(chunk, (status) => {
      onDone(status, (performance.now() - sentMs) * 1000)
      open -= 1
    })
    if (open > 0) return
    if (pauseMs === 0) ask()
    else setTimeout(ask, Math.random() * 2 * pauseMs)
  })
  ask()
}

process.on('message', async (order: Order) => process.send!(await fire(order)))
process.on('disconnect', () => process.exit())
