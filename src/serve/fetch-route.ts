/**
 * A path that is answered with the requests and responses of the fetch standard, for what is not
 * on the hot path. The body of a request is bounded and read only after its headers were let
 * through; a connection that ends cancels what was asked over it and is not written to again.
 */
import { STATUS_CODES } from 'node:http'
import type { Api, ApiReply } from './api.ts'
import { noSniff } from './response-headers.ts'

/** A path and what serves it. */
export interface FetchRoute {
  readonly path: string
  readonly bodyBytesMax: number
  /** Gets ready what takes long; whoever starts the server calls it when the server listens. */
  readonly prepare: () => void
  /** Looks at the headers before the body is read; a reply refuses the request. */
  readonly admit: (headers: Headers, address: string) => ApiReply | undefined
  /**
   * Answers a request, whose signal fires when the connection ends. Its body is given beside it:
   * to wrap it in a stream and read it back costs more than most answers.
   */
  readonly fetch: (request: Request, body: Uint8Array) => Promise<Response>
  /** Told when `fetch` rejects, which is a bug; the request is answered with 500. */
  readonly onError: (error: unknown) => void
}

/** The head of a request, taken before its handler returns. */
export interface WireHead {
  readonly method: string
  /** With the query string. */
  readonly target: string
  /** Where the request comes from. */
  readonly address: string
  readonly headers: readonly (readonly [name: string, value: string])[]
}

/** A response of the HTTP server. After `onAborted` it must not be used. */
export interface WireResponse {
  writeStatus(line: string): unknown
  writeHeader(name: string, value: string): unknown
  write(chunk: Uint8Array): unknown
  end(body?: Uint8Array): unknown
  endWithoutBody(): unknown
  /** Gathers what is written in the callback into one packet. */
  cork(write: () => void): unknown
  /** Each chunk is valid during the call only. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  onAborted(handler: () => void): unknown
}

/** Told once of every request when it is over, and the status it was answered with. */
export type OnEnd = (status: number) => void

/** What a request counts as whose connection ended before it was answered. */
const abandonedStatus = 499

/** Answers one request of a fetch route. */
export function serveFetch(
  api: Api,
  route: FetchRoute,
  wire: WireResponse,
  head: WireHead,
  onEnd: OnEnd = () => {},
): void {
  const connection = new AbortController()
  const response = watched(wire, onEnd)
  response.onAborted(() => connection.abort())
  const headers = headersOf(head)
  if (headers === undefined) {
    const detail = 'a header holds characters that no header may hold'
    writeReply(response, head, api.refuse({ code: 'malformed-request', detail }))
    return
  }
  const refusal = route.admit(headers, head.address)
  if (refusal !== undefined) {
    writeReply(response, head, refusal)
    return
  }
  const request = requestOf(head, headers, connection.signal)
  if (request === undefined) {
    const detail = 'no request can have this method or this address'
    writeReply(response, head, api.refuse({ code: 'malformed-request', detail }))
    return
  }
  collectBody(response, route.bodyBytesMax, (body) => {
    if (body === undefined) {
      const detail = `the body is larger than ${route.bodyBytesMax} bytes`
      writeReply(response, head, api.refuse({ code: 'payload-too-large', detail }))
    } else {
      void answer(api, route, response, head, request, body)
    }
  })
}

/** A response that tells when it is over. */
function watched(wire: WireResponse, onEnd: OnEnd): WireResponse {
  let status = abandonedStatus
  let isOver = false
  const end = () => {
    if (!isOver) onEnd(status)
    isOver = true
  }
  return {
    writeStatus: (line) => {
      status = Number.parseInt(line, 10)
      wire.writeStatus(line)
    },
    writeHeader: (name, value) => wire.writeHeader(name, value),
    write: (chunk) => wire.write(chunk),
    end: (body) => {
      if (body === undefined) wire.end()
      else wire.end(body)
      end()
    },
    endWithoutBody: () => {
      wire.endWithoutBody()
      end()
    },
    cork: (write) => wire.cork(write),
    onData: (handler) => wire.onData(handler),
    onAborted: (handler) =>
      wire.onAborted(() => {
        handler()
        end()
      }),
  }
}

async function answer(
  api: Api,
  route: FetchRoute,
  response: WireResponse,
  head: WireHead,
  request: Request,
  body: Uint8Array,
): Promise<void> {
  const { signal } = request
  try {
    await writeResponse(response, await route.fetch(request, body), request)
  } catch (error) {
    // What a cancelled request fails with is nobody's concern any more.
    if (signal.aborted) return
    route.onError(error)
    const detail = 'the error was logged'
    writeReply(response, head, api.refuse({ code: 'internal-error', detail }))
  }
}

function headersOf({ headers }: WireHead): Headers | undefined {
  try {
    return new Headers(headers.map(([name, value]) => [name, value]))
  } catch {
    // Its only failure: a name or a value with characters that HTTP does not allow.
    return undefined
  }
}

/** Calls back with the whole body, or with undefined as soon as it exceeds the bound. */
function collectBody(
  response: WireResponse,
  bytesMax: number,
  then: (body: Uint8Array | undefined) => void,
): void {
  let chunks: Uint8Array[] = []
  let bytes = 0
  response.onData((chunk, isLast) => {
    const fitted = bytes <= bytesMax
    bytes += chunk.byteLength
    if (bytes > bytesMax) {
      chunks = []
      if (fitted) then(undefined)
      return
    }
    chunks.push(new Uint8Array(chunk.slice(0)))
    if (isLast) then(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks))
  })
}

/**
 * The address is this host's whatever the client calls it: nothing may depend on that name.
 * Undefined for a method that the fetch standard forbids (TRACE, CONNECT) or that is none, and for
 * a target that is no address.
 */
function requestOf(
  { method, target }: WireHead,
  headers: Headers,
  signal: AbortSignal,
): Request | undefined {
  try {
    return new Request(`http://localhost${target}`, { method, headers, signal })
  } catch {
    return undefined
  }
}

/** Whether the body of a response comes event by event. */
export function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

/** Writes a response at once, or event by event when it is an event stream. */
async function writeResponse(
  response: WireResponse,
  answer: Response,
  { method, signal }: Request,
): Promise<void> {
  if (isEventStream(answer)) {
    await writeEvents(response, answer, signal)
    return
  }
  const body = new Uint8Array(await answer.arrayBuffer())
  if (signal.aborted) return
  response.cork(() => {
    writeHead(response, answer)
    if (method === 'HEAD') response.endWithoutBody()
    else response.end(body)
  })
}

/** Streams carry a few small events: a slow reader costs little and is not waited for. */
async function writeEvents(
  response: WireResponse,
  answer: Response,
  signal: AbortSignal,
): Promise<void> {
  if (!signal.aborted) response.cork(() => writeHead(response, answer))
  for await (const event of answer.body ?? []) {
    // Leaving the loop cancels the stream.
    if (signal.aborted) return
    response.cork(() => response.write(event))
  }
  if (!signal.aborted) response.cork(() => response.end())
}

/** The HTTP server itself writes the headers that are about the connection. */
function writeHead(response: WireResponse, { status, headers }: Response): void {
  response.writeStatus(`${status} ${STATUS_CODES[status] ?? ''}`)
  response.writeHeader(...noSniff)
  for (const [name, value] of headers) {
    if (name !== 'content-length' && name !== 'connection') response.writeHeader(name, value)
  }
}

function writeReply(response: WireResponse, { method }: WireHead, reply: ApiReply): void {
  response.cork(() => {
    response.writeStatus(`${reply.status} ${STATUS_CODES[reply.status]}`)
    for (const [name, value] of reply.headers) response.writeHeader(name, value)
    if (method === 'HEAD') response.endWithoutBody()
    else response.end(reply.body)
  })
}
