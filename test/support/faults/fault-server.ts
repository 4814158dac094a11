/**
 * A server between a client and a service. A fault breaks an exchange at any byte of the request or of the answer.
 * A connection carries one request after the other. Without a fault every byte passes unchanged.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export type Fault =
  | { readonly kind: 'none' }
  /** The connection ends before that byte: by a reset, or in order, as if all had been said. */
  | {
      readonly kind: 'kill'
      readonly side: Side
      readonly at: number
      readonly how: 'reset' | 'end'
    }
  /** That byte is 0 in the place of what it was. */
  | { readonly kind: 'garble'; readonly side: Side; readonly at: number }
  /** That byte and all behind it come so much later. */
  | { readonly kind: 'delay'; readonly side: Side; readonly at: number; readonly ms: number }
  /** The request is not passed on. */
  | {
      readonly kind: 'refuse'
      readonly status: 429 | 503
      readonly retryAfter?: number | undefined
    }
  /** The connection ends so long after the answer. */
  | { readonly kind: 'idle'; readonly ms: number }

export type Side = 'request' | 'answer'

interface FaultCounts {
  readonly connections: number
  readonly exchanges: number
  readonly faults: number
  /** By `Idempotency-Key`: how many requests had it. */
  readonly keys: Readonly<Record<string, number>>
}

const none: Fault = { kind: 'none' }

export class FaultServer {
  readonly queue: Fault[] = []
  otherwise: Fault = none
  /** The length of the last request and answer that passed whole. */
  readonly lengths = { request: 0, answer: 0 }
  readonly #target: { readonly host: string; readonly port: number }
  readonly #server: Server
  /** Of the server; it stays when the server has stopped. */
  address = ''
  readonly #sockets = new Set<Socket>()
  readonly #keys = new Map<string, number>()
  #connections = 0
  #exchanges = 0
  #faults = 0

  private constructor(target: string) {
    const { hostname, port } = new URL(target)
    this.#target = { host: hostname, port: Number(port) }
    this.#server = createServer({ noDelay: true }, (socket) => this.#connect(socket))
  }

  static async start(target: string): Promise<FaultServer> {
    const server = new FaultServer(target)
    server.#server.listen(0, '127.0.0.1')
    await once(server.#server, 'listening')
    server.address = `http://127.0.0.1:${(server.#server.address() as AddressInfo).port}`
    return server
  }

  get counts(): FaultCounts {
    const keys = Object.fromEntries(this.#keys)
    return {
      connections: this.#connections,
      exchanges: this.#exchanges,
      faults: this.#faults,
      keys,
    }
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #connect(client: Socket): void {
    this.#connections += 1
    const service = connect({ ...this.#target, noDelay: true })
    for (const socket of [client, service]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#sockets.delete(socket)
        client.destroy()
        service.destroy()
      })
    }
    let exchange: Exchange | undefined
    client.on('data', (bytes) => {
      if (exchange === undefined || exchange.hasAnswer) {
        exchange?.end()
        exchange = new Exchange(client, service, this.#nextFault())
      }
      exchange.take('request', bytes)
      this.#note(exchange)
    })
    service.on('data', (bytes) => {
      exchange?.take('answer', bytes)
      if (exchange !== undefined) this.#note(exchange)
    })
  }

  #nextFault(): Fault {
    const fault = this.queue.shift() ?? this.otherwise
    this.#exchanges += 1
    if (fault.kind !== 'none') this.#faults += 1
    return fault
  }

  #note(exchange: Exchange): void {
    const key = exchange.newKey()
    if (key !== undefined) this.#keys.set(key, (this.#keys.get(key) ?? 0) + 1)
    this.lengths.request = exchange.taken.request
    this.lengths.answer = exchange.taken.answer
  }
}

class Exchange {
  readonly taken: Record<Side, number> = { request: 0, answer: 0 }
  readonly #fault: Fault
  readonly #sockets: Readonly<Record<Side, { from: Socket; to: Socket }>>
  readonly #client: Socket
  readonly #messages: Record<Side, string> = { request: '', answer: '' }
  #isKeyRead = false
  #isRefused = false
  #timer: NodeJS.Timeout | undefined

  constructor(client: Socket, service: Socket, fault: Fault) {
    this.#client = client
    this.#fault = fault
    this.#sockets = {
      request: { from: client, to: service },
      answer: { from: service, to: client },
    }
  }

  get hasAnswer(): boolean {
    return this.taken.answer > 0 || this.#isRefused
  }

  /** The `Idempotency-Key`, once. */
  newKey(): string | undefined {
    if (this.#isKeyRead || !this.#messages.request.includes('\r\n\r\n')) return undefined
    this.#isKeyRead = true
    return /^idempotency-key: *(.*)\r$/im.exec(this.#messages.request)?.[1]
  }

  take(side: Side, bytes: Buffer): void {
    const at = this.taken[side]
    this.taken[side] += bytes.length
    this.#messages[side] += bytes.toString('latin1')
    const fault = this.#fault
    if (fault.kind === 'refuse') this.#refuse(fault)
    else if (
      'side' in fault &&
      fault.side === side &&
      fault.at >= at &&
      fault.at < at + bytes.length
    ) {
      this.#break(fault, bytes, fault.at - at)
    } else this.#sockets[side].to.write(bytes)
    if (fault.kind === 'idle' && side === 'answer' && isWhole(this.#messages.answer)) {
      this.#timer = setTimeout(() => this.#client.end(), fault.ms)
    }
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  #break(fault: Extract<Fault, { side: Side }>, bytes: Buffer, at: number): void {
    const { from, to } = this.#sockets[fault.side]
    if (fault.kind === 'garble') {
      const copy = Buffer.from(bytes)
      copy[at] = 0
      to.write(copy)
      return
    }
    if (at > 0) to.write(bytes.subarray(0, at))
    if (fault.kind === 'delay') {
      from.pause()
      setTimeout(() => {
        if (!to.destroyed) to.write(bytes.subarray(at))
        from.resume()
      }, fault.ms)
    } else if (fault.how === 'end') this.#client.end()
    else this.#client.resetAndDestroy()
  }

  #refuse({ status, retryAfter }: Extract<Fault, { kind: 'refuse' }>): void {
    if (!isWhole(this.#messages.request) || this.#isRefused) return
    this.#isRefused = true
    const code = status === 429 ? 'rate-limited' : 'overloaded'
    const problem = {
      type: `urn:authority-index:problem:${code}`,
      title: code,
      status,
      detail: 'a fault',
    }
    const body = JSON.stringify({ ...problem, duration: 0, request_id: 'fault', results: [] })
    const lines = [
      `HTTP/1.1 ${status} Fault`,
      'Content-Type: application/problem+json',
      `Content-Length: ${body.length}`,
      ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
    ]
    this.#client.write(`${lines.join('\r\n')}\r\n\r\n${body}`)
  }
}

/** Whether all of a message has come, by its `Content-Length`; text is one character a byte. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(text.slice(0, end)) ?? []
  return text.length >= end + 4 + Number(length)
}
