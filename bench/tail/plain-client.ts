/**
 * A plain client of Redis at a constant rate: one GET a request of a value as long as a block of names. Its latencies say
 * what Redis, its client and this machine take, whatever a service does. They count from when a request was due.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Cluster, Redis } from 'ioredis'
import { shareOf } from '../shared/rounds.ts'

/** Latencies of GETs, in microseconds. */
export interface PlainLatencies {
  readonly p50Us: number
  readonly p99Us: number
}

const keys = 1_000
const valueBytes = 900
const answerMsMax = 10_000

/** A connection, with values to ask for. */
export class PlainClient {
  readonly #client: Redis | Cluster

  private constructor(client: Redis | Cluster) {
    this.#client = client
  }

  /** Connects to a server by its port, or to a cluster by those of its nodes, and writes the values. */
  static async open(ports: readonly number[]): Promise<PlainClient> {
    const places = ports.map((port) => ({ host: '127.0.0.1', port }))
    const options = { enableAutoPipelining: true }
    const client = places.length > 1 ? new Cluster(places, options) : new Redis(places[0]!)
    const value = Buffer.alloc(valueBytes, 'x')
    for (let key = 0; key < keys; key += 1) await client.set(nameOf(key), value)
    return new PlainClient(client)
  }

  /** Asks at a rate. @throws Error if an answer takes too long. */
  async fire(ratePerSecond: number, seconds: number): Promise<PlainLatencies> {
    const total = Math.round(ratePerSecond * seconds)
    const latenciesUs = new Float64Array(total)
    const startedMs = performance.now()
    const dueMs = (request: number) => startedMs + (request * 1_000) / ratePerSecond
    let [sent, answered] = [0, 0]
    const ask = async (request: number) => {
      await this.#client.getBuffer(nameOf(request % keys))
      latenciesUs[answered] = (performance.now() - dueMs(request)) * 1_000
      answered += 1
    }
    const asked: Promise<void>[] = []
    while (sent < total) {
      while (sent < total && dueMs(sent) <= performance.now()) asked.push(ask(sent++))
      await sleep(1)
    }
    const late = sleep(answerMsMax, true, { ref: false })
    if (await Promise.race([Promise.all(asked).then(() => false), late])) {
      throw new Error('the plain client was not answered')
    }
    latenciesUs.sort()
    return { p50Us: shareOf(latenciesUs, 0.5), p99Us: shareOf(latenciesUs, 0.99) }
  }

  close(): void {
    this.#client.disconnect()
  }
}

function nameOf(key: number): string {
  return `plain:${key}`
}
