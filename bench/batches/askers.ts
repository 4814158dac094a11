/** What asks for handles: for a while, on so many connections, each as soon as it was answered. */
import { Agent, request as send } from 'node:http'
import type { Redis } from 'ioredis'
import { limits } from '../../src/limits.ts'
import type { KeyedService } from '../../test/support/processes/service.ts'

/** Asks for a while. */
export interface Ask {
  /** Returns how many handles were answered. @throws Error when one is not. */
  readonly forSeconds: (seconds: number) => Promise<number>
  readonly close: () => Promise<void>
}

/** Asks in as many loops; `one` asks for the next of the turn and returns how many handles it were. */
async function loops(
  count: number,
  seconds: number,
  one: (turn: number) => Promise<number>,
): Promise<number> {
  const endMs = performance.now() + seconds * 1000
  let turn = 0
  let items = 0
  const loop = async () => {
    while (performance.now() < endMs) {
      turn += 1
      // Not `items += await`, which adds to what there was before it waited, and so loses what others add.
      const answered = await one(turn)
      items += answered
    }
  }
  await Promise.all(Array.from({ length: count }, loop))
  return items
}

function inBatches(handles: readonly string[]): string[][] {
  const count = Math.ceil(handles.length / limits.batchValuesMax)
  return Array.from({ length: count }, (_, index) =>
    handles.slice(index * limits.batchValuesMax, (index + 1) * limits.batchValuesMax),
  )
}

/** POSTs of as many handles as one may hold. */
export async function batchAsker(
  service: KeyedService,
  handles: readonly string[],
  connections: number,
): Promise<Ask> {
  const batches = inBatches(handles).map((batch) => ({
    size: batch.length,
    body: Buffer.from(JSON.stringify({ handles: batch })),
  }))
  const caller = new Caller(service, connections)
  const one = async (turn: number) => {
    const { size, body } = batches[turn % batches.length]!
    await caller.ask('/api/v1/match', body)
    return size
  }
  return { forSeconds: (seconds) => loops(connections, seconds, one), close: caller.close }
}

/** GETs of one handle each. */
export async function singleAsker(
  service: KeyedService,
  handles: readonly string[],
  connections: number,
): Promise<Ask> {
  const paths = handles.map((handle) => `/api/v1/match?handle=${encodeURIComponent(handle)}`)
  const caller = new Caller(service, connections)
  const one = async (turn: number) => {
    await caller.ask(paths[turn % paths.length]!)
    return 1
  }
  return { forSeconds: (seconds) => loops(connections, seconds, one), close: caller.close }
}

/** MGETs of as many, several on their way at once on one connection. */
export function redisAsker(redis: Redis, handles: readonly string[], inFlight: number): Ask {
  const batches = inBatches(handles)
  const one = async (turn: number) => {
    const batch = batches[turn % batches.length]!
    const values = await redis.mgetBuffer(...batch)
    if (values.includes(null)) throw new Error('Redis does not know all handles')
    return batch.length
  }
  const close = async () => {
    await redis.quit()
  }
  return { forSeconds: (seconds) => loops(inFlight, seconds, one), close }
}

/** Connections to the service that are kept. */
class Caller {
  readonly #agent: Agent
  readonly #service: KeyedService

  constructor(service: KeyedService, connections: number) {
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections })
    this.#service = service
  }

  /** Asks by a body, or without one, and waits for the end of the answer. */
  ask(path: string, body?: Buffer): Promise<void> {
    const { port, key } = this.#service
    const json = { 'Content-Type': 'application/json', 'Content-Length': body?.length ?? 0 }
    const headers = { Authorization: `Bearer ${key}`, ...(body && json) }
    const method = body === undefined ? 'GET' : 'POST'
    const options = { port, host: '127.0.0.1', method, path, headers, agent: this.#agent }
    return new Promise((resolve, reject) => {
      const request = send(options, (response) => {
        response.on('end', () => {
          if (response.statusCode === 200) resolve()
          else reject(new Error(`${path} was answered with ${response.statusCode}`))
        })
        response.resume()
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  readonly close = async (): Promise<void> => this.#agent.destroy()
}
