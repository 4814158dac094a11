/**
 * What one request costs the service in processor time of all its threads, as Linux counts it. The
 * cheapest of a few rounds counts, because whatever else a machine does only adds to a round.
 */
import { connect, type Socket } from 'node:net'
import type { Victim } from '../../test/support/abuse/victim.ts'
import { workSeconds } from '../../test/support/processes/proc.ts'
import type { SingleRequest } from './requests.ts'

export interface SingleToll extends Pick<SingleRequest, 'name' | 'kind' | 'queries'> {
  readonly ms: number
  readonly otherStatuses: readonly number[]
}

interface Rounds {
  readonly requests: number
  readonly rounds: number
}

/** The first round is for the compiler, and does not count. */
export async function singleTollOf(
  victim: Victim,
  { name, kind, queries, status, bytes }: SingleRequest,
  { requests, rounds }: Rounds,
): Promise<SingleToll> {
  const client = new WireClient(victim)
  const others = new Set<number>()
  let leastMs = Number.POSITIVE_INFINITY
  for (let round = 0; round <= rounds; round += 1) {
    const before = 1000 * workSeconds(victim.pid)
    for (let sent = 0; sent < requests; sent += 1) {
      const answered = await client.ask(bytes(round * requests + sent))
      if (answered !== status) others.add(answered)
    }
    const ms = (1000 * workSeconds(victim.pid) - before) / requests
    if (round > 0) leastMs = Math.min(leastMs, ms)
  }
  client.end()
  return { name, kind, queries, ms: leastMs, otherStatuses: [...others] }
}

/** One connection, which is opened again where the service has ended it. */
class WireClient {
  readonly #victim: Victim
  #socket: Socket | undefined

  constructor(victim: Victim) {
    this.#victim = victim
  }

  /** Sends a request; returns the status of its answer, 0 where none came. */
  async ask(request: Buffer): Promise<number> {
    const socket = this.#socket ?? connect(this.#victim.port, '127.0.0.1')
    this.#socket = socket
    const parts: Buffer[] = []
    await new Promise<void>((resolve) => {
      const onOver = () => {
        socket.removeAllListeners()
        resolve()
      }
      const onEnd = () => {
        this.end()
        onOver()
      }
      // What it says once it has ended is heard by no one.
      socket
        .on('error', () => {})
        .once('close', onEnd)
        .once('end', onEnd)
      socket.on('data', (part) => {
        parts.push(part)
        if (isWhole(parts)) onOver()
      })
      socket.write(request)
    })
    const text = Buffer.concat(parts).toString('latin1', 0, 16)
    return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)
  }

  end(): void {
    this.#socket?.on('error', () => {}).destroy()
    this.#socket = undefined
  }
}

/** Whether parts are an answer with all of its body; one without a length lasts until the end. */
function isWhole(parts: readonly Buffer[]): boolean {
  const first = parts[0]!.toString('latin1', 0, 8_192)
  const end = first.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)/i.exec(first)?.[1]
  if (end < 0 || length === undefined || /\r\nconnection: close/i.test(first)) return false
  const bytes = parts.reduce((sum, part) => sum + part.length, 0)
  return bytes >= end + 4 + Number(length)
}
