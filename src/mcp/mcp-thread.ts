/**
 * The MCP thread: answers the requests that an `McpWorker` hands it, and asks back what the tools
 * want to know.
 */
import { parentPort } from 'node:worker_threads'
import type { Source, Topics } from './answer-source.ts'
import { newHandler } from './handler.ts'
import { parsedAnswer, type WrittenAnswer } from './local.ts'
import type { McpOrder, McpReport } from './mcp-worker.ts'

type RequestOrder = Extract<McpOrder, { kind: 'request' }>

class McpThread {
  readonly #report: (report: McpReport) => void
  readonly #handler = newHandler(
    (authorization) => this.#sourceOf(authorization),
    (error) => this.#report({ kind: 'bug', error }),
  )
  /** What is being answered, by request. */
  readonly #connections = new Map<number, AbortController>()
  /** Who waits for the answer to a question. */
  readonly #answers = new Map<number, (answer: WrittenAnswer) => void>()
  readonly #topics = new Map<number, (topics: Topics | undefined) => void>()
  #questions = 0

  constructor(report: (report: McpReport) => void) {
    this.#report = report
    this.#handler.prepare()
  }

  receive(order: McpOrder): void {
    if (order.kind === 'request') void this.#answer(order)
    else if (order.kind === 'cancel') this.#connections.get(order.request)?.abort()
    else if (order.kind === 'answer') take(this.#answers, order.question)(order.answer)
    else take(this.#topics, order.question)(order.topics)
  }

  async #answer({ request, asked }: RequestOrder): Promise<void> {
    const connection = new AbortController()
    this.#connections.set(request, connection)
    try {
      const { signal } = connection
      const { status, headers, body } = await this.#handler.answer({ ...asked, signal })
      if (body instanceof Uint8Array) {
        this.#report({ kind: 'response', request, response: { status, headers, body } })
        return
      }
      this.#report({ kind: 'response', request, response: { status, headers, body: undefined } })
      for await (const bytes of body) this.#report({ kind: 'event', request, bytes })
      this.#report({ kind: 'events-end', request })
    } catch (error) {
      this.#report({ kind: 'failure', request, error })
    } finally {
      this.#connections.delete(request)
    }
  }

  #sourceOf(authorization: string): Source {
    return {
      ask: async (path, query) => {
        const asked = { path, query, authorization }
        const answer = await this.#ask(this.#answers, (question) => ({
          kind: 'ask',
          question,
          asked,
        }))
        return parsedAnswer(answer)
      },
      topics: () => this.#ask(this.#topics, (question) => ({ kind: 'ask-topics', question })),
    }
  }

  #ask<T>(
    waiting: Map<number, (answer: T) => void>,
    reportOf: (question: number) => McpReport,
  ): Promise<T> {
    this.#questions += 1
    const question = this.#questions
    return new Promise((resolve) => {
      waiting.set(question, resolve)
      this.#report(reportOf(question))
    })
  }
}

/** Who waits for an answer, and waits no longer. */
function take<T>(waiting: Map<number, T>, question: number): T {
  const found = waiting.get(question)!
  waiting.delete(question)
  return found
}

const port = parentPort
if (port === null) throw new Error('the MCP thread is started by a serving thread')
const thread = new McpThread((report) => port.postMessage(report))
port.on('message', (order: McpOrder) => thread.receive(order))
