/**
 * A receiver of webhooks for tests: it verifies nothing by itself, keeps what came, and answers as the
 * test sets it, also in every wrong way. It ends with the test.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What came. */
export interface Received {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a request is answered, or is not. */
type Behaviour = (response: ServerResponse, request: IncomingMessage) => void

/** Answers with a status. */
export function status(code: number, headers: Readonly<Record<string, string>> = {}): Behaviour {
  return (response) => response.writeHead(code, headers).end()
}

/** Every wrong way to answer. None of them is a success but the last. */
export const misbehaviours: Readonly<Record<string, Behaviour>> = {
  'resets the connection': (_, request) => request.socket.resetAndDestroy(),
  'closes without a word': (_, request) => request.socket.destroy(),
  'never answers': () => {},
  'says 500': status(500),
  'says 429': status(429, { 'retry-after': '7200' }),
  redirects: status(301, { location: 'http://127.0.0.1:9/' }),
  'sends no HTTP': (_, request) => request.socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
  'sends too many headers': (response) => {
    response.writeHead(200, { 'x-large': 'x'.repeat(60_000) }).end()
  },
}

/** A receiver that is running. */
interface Receiver {
  readonly url: string
  /** Every request, in the order of their arrival. */
  readonly received: readonly Received[]
  /** From now on. */
  behave(behaviour: Behaviour): void
  /** Resolves when so many requests have come. */
  until(count: number): Promise<void>
}

/** Starts a receiver; it answers 204 until a test changes that. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let behaviour = status(204)
  let arrived = () => {}
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk)
    } catch {
      return
    }
    const headers = request.headers as Record<string, string>
    received.push({ headers, body: Buffer.concat(chunks).toString() })
    behaviour(response, request)
    arrived()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    behave: (next) => {
      behaviour = next
    },
    until: async (count) => {
      while (received.length < count) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
    },
  }
}
