/** An MCP thread: it answers the requests that it gets, and asks the serving thread the questions of the tools. */
import { parentPort } from 'node:worker_threads'
import { Channel } from '../process/channel.ts'
import type { IndexFacts } from './answer-source.ts'
import { type Caller, newHandler } from './handler.ts'
import { parsedAnswer } from './local.ts'
import type { McpCalls, McpQuestions, NumberedRequest, ResponseHead } from './mcp-thread.ts'

const port = parentPort
if (port === null) throw new Error('an MCP thread is started by a serving thread')

/** The requests that are being answered, by number. */
const connections = new Map<number, AbortController>()
/** Bodies that come as events and that the serving thread has not fetched yet, by number. */
const streams = new Map<number, AsyncIterable<Uint8Array>>()

const channel = new Channel<McpCalls, McpQuestions>(port, {
  answer,
  events,
  cancel: (number) => {
    connections.get(number)?.abort()
    streams.delete(number)
  },
})

const handler = newHandler((error) => channel.notify('bug', error))

async function answer({ number, facts, ...request }: NumberedRequest): Promise<ResponseHead> {
  const connection = new AbortController()
  connections.set(number, connection)
  try {
    const { signal } = connection
    const caller = callerOf(number, facts)
    const { status, headers, body } = await handler.answer({ ...request, signal }, caller)
    if (body instanceof Uint8Array || signal.aborted) {
      connections.delete(number)
      return { status, headers, body: body instanceof Uint8Array ? body : new Uint8Array(0) }
    }
    streams.set(number, body)
    return { status, headers, body: undefined }
  } catch (error) {
    connections.delete(number)
    throw error
  }
}

async function* events(number: number): AsyncGenerator<Uint8Array, void, undefined> {
  const stream = streams.get(number)
  streams.delete(number)
  try {
    if (stream !== undefined) yield* stream
  } finally {
    connections.delete(number)
  }
}

function callerOf(number: number, facts: IndexFacts): Caller {
  return {
    source: {
      ...facts,
      ask: async (question) => parsedAnswer(await channel.call('ask', { number, question })),
      topics: () => channel.call('topics', undefined),
    },
    count: (messages) => channel.call('count', { number, messages }),
  }
}
