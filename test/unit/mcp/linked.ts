/**
 * A control thread's work in the thread of a test, over the link that serving threads have: a test says when the link is
 * cut, and may answer the requests itself.
 */
import { EventEmitter, once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import type { Api } from '../../../src/api/api.ts'
import type { AsyncRoute, RouteResponse } from '../../../src/http/async-route.ts'
import { chargedAnswer, type RequestCharges } from '../../../src/mcp/charges.ts'
import { serveLink } from '../../../src/service/control/connection.ts'
import { ControlLink } from '../../../src/service/control/link.ts'

/** A link to an answer. */
interface Linked {
  readonly answer: AsyncRoute['answer']
  /** Ends the link as the death of the control thread does. */
  readonly cut: () => void
  /** Number of the connections that were made. */
  readonly connections: () => number
}

/** Links to what answers; a link that is cut connects anew. */
export function linkedTo(answer: AsyncRoute['answer']): Linked {
  const ports: MessagePort[] = []
  const link = new ControlLink(async () => {
    const { port1, port2 } = new MessageChannel()
    ports.push(port2)
    serveLink(port2, answer, () => {})
    return port1
  })
  const cut = () => ports.at(-1)?.close()
  onTestFinished(cut)
  return { answer: link.answer, cut, connections: () => ports.length }
}

/** The only request of a test. */
const search = { path: '/api/v1/index', query: 'query=rust' }

/** A request that a test answers. */
interface HeldRequest {
  /** Asks a search for it, and returns the status of the answer. */
  readonly ask: () => Promise<number>
  readonly answer: (status?: number) => void
}

/** Requests that a test answers. */
export class HeldRequests extends EventEmitter {
  readonly #held: HeldRequest[] = []

  /** What answers the requests. */
  over(api: Api): AsyncRoute['answer'] {
    return chargedAnswer(api, (_, charges) => this.#hold(charges))
  }

  #hold(charges: RequestCharges): Promise<RouteResponse> {
    return new Promise((resolve) => {
      this.#held.push({
        ask: async () => (await charges.ask(search)).status,
        answer: (status = 200) => resolve({ status, headers: [], body: Buffer.from('answered') }),
      })
      this.emit('held')
    })
  }

  /** Waits for the next. */
  async next(): Promise<HeldRequest> {
    if (this.#held.length === 0) await once(this, 'held')
    return this.#held.shift()!
  }
}
