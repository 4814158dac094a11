/**
 * A way to a server on this machine that takes its time: each byte arrives so many milliseconds later, in each
 * direction, in order. It can be led to another server, as an address is when a standby is promoted.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class SlowWay {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** Of each direction: half of a round trip. */
  delayMs: number
  /** Where new connections lead; undefined refuses them. */
  to: number | undefined

  private constructor(server: Server, to: number, delayMs: number) {
    this.#server = server
    this.to = to
    this.delayMs = delayMs
    server.on('connection', (client) => this.#take(client))
  }

  /** Listens on a free port of 127.0.0.1. */
  static async start(to: number, delayMs = 0): Promise<SlowWay> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new SlowWay(server, to, delayMs)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Breaks every connection there is, and leads the next ones elsewhere. */
  leadTo(port: number | undefined): void {
    this.to = port
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.#server.close()
    this.leadTo(undefined)
  }

  #take(client: Socket): void {
    if (this.to === undefined) return void client.destroy()
    const server = connect(this.to, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.setNoDelay(true)
      from.on('data', (chunk) => this.#later(() => to.writable && to.write(chunk)))
      // A connection that breaks is closed next.
      from.on('error', () => {})
      from.on('close', () => {
        this.#sockets.delete(from)
        this.#later(() => to.destroy())
      })
    }
  }

  #later(work: () => unknown): void {
    if (this.delayMs === 0) work()
    else setTimeout(work, this.delayMs)
  }
}
