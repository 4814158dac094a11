/**
 * A way to servers, of which each connection takes the next one, and on which each byte arrives so many milliseconds
 * later, in each direction. It can be led to another server, as when a standby is promoted, and it can stop in the
 * middle of what a server sends. It knows nothing of HTTP and retries nothing, so that whatever a server does wrong is seen.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class SlowWay {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Of each direction: half of a round trip. */
  readonly #delayMs: number
  /** Where new connections lead, by turns; without any they are refused. */
  readonly ports: Set<number>
  /** By the port of a client, the port that its connection went to last. */
  readonly #taken = new Map<number, number>()
  #next = 0
  #bytesMax = Number.POSITIVE_INFINITY
  /** How much of what the server sends may still arrive, of each connection to it. */
  readonly #rests = new Map<Socket, number>()

  private constructor(server: Server, ports: readonly number[], delayMs: number) {
    this.#server = server
    this.ports = new Set(ports)
    this.#delayMs = delayMs
    server.on('connection', (client) => this.#take(client))
  }

  static async start(to?: number, delayMs = 0): Promise<SlowWay> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new SlowWay(server, to === undefined ? [] : [to], delayMs)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The port that a client at a port talks to, or talked to last. */
  serverOf(clientPort: number): number | undefined {
    return this.#taken.get(clientPort)
  }

  /** Breaks every connection there is, and leads the next ones elsewhere. */
  leadTo(port: number | undefined): void {
    this.ports.clear()
    if (port !== undefined) this.ports.add(port)
    for (const socket of this.#sockets) socket.destroy()
  }

  /** From now on no connection brings more than so many bytes of what the server sends, and waits with the rest. */
  stopAfter(bytes: number): void {
    this.#bytesMax = bytes
    for (const server of this.#rests.keys()) this.#rests.set(server, bytes)
  }

  close(): void {
    this.#server.close()
    this.leadTo(undefined)
  }

  #take(client: Socket): void {
    const ports = [...this.ports]
    const port = ports[this.#next++ % Math.max(1, ports.length)]
    if (port === undefined) return void client.destroy()
    this.#taken.set(client.remotePort!, port)
    const server = connect(port, '127.0.0.1')
    this.#rests.set(server, this.#bytesMax)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      from.on('data', (chunk) => {
        const passed = this.#allowed(from, chunk)
        this.#later(() => to.writable && to.write(passed))
      })
      // A connection that breaks is closed next.
      from.on('error', () => {})
      from.on('close', () => {
        this.#sockets.delete(from)
        this.#rests.delete(from)
        this.#later(() => to.destroy())
      })
    }
  }

  /** What may arrive of a chunk; a socket of which more came is not read any more. */
  #allowed(from: Socket, chunk: Buffer): Buffer {
    const rest = this.#rests.get(from)
    if (rest === undefined) return chunk
    if (chunk.length > rest) from.pause()
    this.#rests.set(from, rest - chunk.length)
    return chunk.subarray(0, Math.max(rest, 0))
  }

  #later(work: () => unknown): void {
    if (this.#delayMs === 0) work()
    else setTimeout(work, this.#delayMs)
  }
}
