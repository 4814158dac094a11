/** A control thread's work in the thread of a test: a test may cut the link, and answer the requests itself. */
import { EventEmitter, once } from 'node:events'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { onTestFinished } from 'vitest'
import type { Api } from '../../../src/api/api.ts'
import type { AsyncRoute } from '../../../src/http/async-route.ts'
import type { WrittenReply } from '../../../src/http/reply-writer.ts'
import { chargedAnswer, type RequestCharges } from '../../../src/mcp/charges.ts'
import { ControlLink, serveLink } from '../../../src/service/control/link.ts'

interface Linked {
  readonly answer: AsyncRoute['answer']
  /** Ends the link as the death of the control thread does. */
  readonly cut: () => void
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
  return { answer: link.answer, cut }
}

const search = { path: '/api/v1/index', query: 'query=rust' }

interface HeldRequest {
  /** Asks a search for it, and returns the status of the answer. */
  readonly ask: () => Promise<number>
  readonly answer: (status?: number) => void
}

export class HeldRequests extends EventEmitter {
  readonly #held: HeldRequest[] = []

  over(api: Api): AsyncRoute['answer'] {
    return chargedAnswer(api, (_, charges) => this.#hold(charges))
  }

  #hold(charges: RequestCharges): Promise<WrittenReply> {
    return new Promise((resolve) => {
      this.#held.push({
        ask: async () => (await charges.ask(search)).status,
        answer: (status = 200) => resolve({ status, headers: [], body: Buffer.from('answered') }),
      })
      this.emit('held')
    })
  }

  async next(): Promise<HeldRequest> {
    if (this.#held.length === 0) await once(this, 'held')
    return this.#held.shift()!
  }
}
