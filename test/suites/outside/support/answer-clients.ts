/** Clients in Python that reset their connections or read slowly, and what they have seen. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const program = join(import.meta.dirname, 'answer_clients.py')

/** Packets of an Ethernet: 1,500 bytes less the heads of IP and TCP. */
export const ethernetSegmentBytes = 1_460

/** What the clients are to do. */
type ClientOrder = {
  readonly port: number
  /** As they go over the wire; they take turns. */
  readonly requests: readonly string[]
  /** Connections, one after the other or several at once. */
  readonly count: number
  readonly segmentBytes?: number
  readonly windowBytes?: number
} & (
  | { readonly does: 'reset' }
  | {
      readonly does: 'read'
      /** At once. */
      readonly connections: number
      /** Read at a time, with a pause behind. */
      readonly chunkBytes: number
      readonly pauseMs: number
      /** An answer that takes longer counts as hung. */
      readonly secondsMax: number
    }
)

/** Counts by how a connection ended: `whole 200`, `cut`, `reset`, `hung`, `garbled`; and `bytes`. */
type Seen = Readonly<Record<string, number>>

/** Runs an order to its end. @throws Error where the program fails. */
export async function runClients(order: ClientOrder): Promise<Seen> {
  const child = spawn('python3', [program], { stdio: ['pipe', 'pipe', 'pipe'] })
  const requests = order.requests.map((request) => Buffer.from(request).toString('base64'))
  child.stdin.end(JSON.stringify({ ...order, requests }))
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  if (errors !== '') throw new Error(errors)
  return JSON.parse(printed)
}
