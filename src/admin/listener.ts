/**
 * The listener of the admin API, on an address of its own or a Unix socket. It answers no name but its own, so that no
 * web page reaches it by a name that was pointed here (DNS rebinding).
 */
import { once } from 'node:events'
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
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

type AdminPlace = { readonly host: string; readonly port: number } | { readonly path: string }

/** @param text `HOST:PORT`, `[::1]:PORT` or `unix:PATH`. */
function placeOf(text: string): AdminPlace {
  if (text.startsWith('unix:')) return { path: text.slice('unix:'.length) }
  const colon = text.lastIndexOf(':')
  const host = text.slice(0, colon).replace(/^\[|\]$/g, '')
  return { host, port: Number(text.slice(colon + 1)) }
}

/** A connection that brings no whole request in time ends, so that idle ones do not add up. */
const times = {
  requestTimeout: limits.adminRequestSecondsMax * 1_000,
  connectionsCheckingInterval: 1_000,
}

/** @param setting the value of `admin`. @throws Refusal `cannot-listen`. */
export async function listenForAdmin(answer: AnswerAdmin, setting: string): Promise<AdminListener> {
  const place = placeOf(setting)
  const isOwnHost = hostCheck(place)
  const server = createServer(times, (request, response) => {
    void answer(requestOf(request, isOwnHost)).then(({ status, headers, body }) => {
      const length = Buffer.byteLength(body)
      response.writeHead(status, { ...headers, 'Content-Length': length }).end(body)
    })
  })
  if ('path' in place) await removeDeadSocket(place.path)
  server.listen({ ...place })
  await once(server, 'listening').catch(({ message }: Error) => {
    throw cannotListen(message)
  })
  // That no connection could be accepted, of too many open files, ends nothing but this connection.
  server.on('error', () => {})
  if ('path' in place) chmodSync(place.path, 0o600)
  const portOf = () => String((server.address() as AddressInfo).port)
  return {
    place: 'path' in place ? setting : setting.replace(/\d+$/, portOf),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Removes a socket that a killed service left. @throws Refusal `cannot-listen` for any other file. */
async function removeDeadSocket(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw cannotListen(`${path} is not a socket`)
  const probe = connect({ path })
  const isAlive = await once(probe, 'connect').then(
    () => true,
    () => false,
  )
  probe.destroy()
  if (isAlive) throw cannotListen(`another process listens on ${path}`)
  rmSync(path, { force: true })
}

function cannotListen(why: string): Refusal {
  return new Refusal('cannot-listen', `cannot listen for administration: ${why}`)
}

/**
 * On this computer only its own names count; elsewhere the listener may have been given any name. A browser reaches a
 * Unix socket through a port of its own computer, which SSH forwards; other clients may call a socket as they like.
 */
function hostCheck(place: AdminPlace): (headers: IncomingHttpHeaders) => boolean {
  const isOwn = ({ host = '' }: IncomingHttpHeaders) =>
    isLoopback(host.replace(/:\d+$/, '').replace(/^\[|\]$/g, ''))
  if ('path' in place) return (headers) => !isOfBrowser(headers) || isOwn(headers)
  return isLoopback(place.host) ? isOwn : () => true
}

/** A page cannot keep its browser from sending one of these. */
function isOfBrowser(headers: IncomingHttpHeaders): boolean {
  return ['origin', 'sec-fetch-site', 'accept-language'].some((name) => name in headers)
}

function requestOf(
  request: IncomingMessage,
  isOwnHost: (headers: IncomingHttpHeaders) => boolean,
): AdminRequest {
  const { method = '', url = '', headers, socket } = request
  const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url)!
  const from = socket.remoteAddress ?? 'unix socket'
  const body = () => bodyOf(request)
  return { method, path, query, headers, from, isOwnHost: isOwnHost(headers), body }
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
