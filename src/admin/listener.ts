/**
 * The listener of the admin API, on an address of its own. It answers no name but its own, so that no web page reaches
 * it by a name that was pointed here (DNS rebinding).
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limits } from '../limits.ts'
import { Refusal } from '../problems.ts'
import { isLoopback } from '../text/network.ts'
import { AdminProblem, type AdminRequest, type AnswerAdmin } from './answering.ts'

export interface AdminListener {
  /** The place as the setting names it, with the actual port. */
  readonly place: string
  /** Ends after the answers to the requests in progress. */
  readonly close: () => Promise<void>
}

/** A connection that brings no whole request in time ends, so that idle ones do not add up. */
const times = {
  requestTimeout: limits.adminRequestSecondsMax * 1_000,
  connectionsCheckingInterval: 1_000,
}
/** Further ones end at once: customers need the files of the process. */
const connectionsMax = 256

/** @param setting the value of `admin`: `HOST:PORT` or `[::1]:PORT`. @throws Refusal `cannot-listen`. */
export async function listenForAdmin(answer: AnswerAdmin, setting: string): Promise<AdminListener> {
  const [, name = '', port] = /^(.*):(\d+)$/.exec(setting)!
  const host = withoutBrackets(name)
  const server = createServer(times, (request, response) => {
    void answer(requestOf(request, host)).then(({ status, headers, body }) => {
      const length = Buffer.byteLength(body)
      response.writeHead(status, { ...headers, 'Content-Length': length }).end(body)
    })
  })
  server.maxConnections = connectionsMax
  server.listen({ host, port: Number(port) })
  await once(server, 'listening').catch(({ message }: Error) => {
    throw new Refusal('cannot-listen', `cannot listen for administration: ${message}`)
  })
  // That no connection could be accepted, of too many open files, ends nothing but this connection.
  server.on('error', () => {})
  return {
    place: `${name}:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '')
}

/** On this computer only its own names count; elsewhere the listener may have been given any name. */
function requestOf(request: IncomingMessage, listening: string): AdminRequest {
  const { method = '', url = '', headers, socket } = request
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url)!
  const named = withoutBrackets((headers.host ?? '').replace(/:\d+$/, ''))
  const isOwnHost = !isLoopback(listening) || isLoopback(named)
  const from = socket.remoteAddress ?? ''
  return { method, path, query, headers, from, isOwnHost, body: () => bodyOf(request) }
}

/** @throws AdminProblem for a body that is no JSON by its header, too large, not whole, or not UTF-8. */
async function bodyOf(request: IncomingMessage): Promise<string> {
  const { adminBodyBytesMax: bytesMax } = limits
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new AdminProblem('unsupported-media-type', 'the body has to be application/json')
  }
  const pieces: Buffer[] = []
  let bytes = 0
  try {
    // One that is too large is read all the same, so that its client reads the reply.
    for await (const piece of request) {
      bytes += piece.length
      if (bytes <= bytesMax) pieces.push(piece)
    }
    if (bytes <= bytesMax) {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces))
    }
  } catch {
    throw new AdminProblem('malformed-request', 'the body ended early, or is not UTF-8')
  }
  throw new AdminProblem('payload-too-large', `the body is above ${bytesMax} bytes`)
}
