/**
 * A proxy of connections for tests: each goes to the next node that takes it, and breaks with it. It
 * knows nothing of HTTP and retries nothing, so that whatever a node does wrong is seen.
 */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class Balancer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  /** By the port of a client, the port of the node that its connection went to last. */
  readonly #nodes = new Map<number, number>()
  /** Ports of the nodes that serve. */
  readonly ports = new Set<number>()
  #next = 0

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (client) => this.#take(client))
  }

  static async start(): Promise<Balancer> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Balancer(server)
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** The port of the node that a client at a port talks to, or talked to last. */
  nodeOf(clientPort: number): number | undefined {
    return this.#nodes.get(clientPort)
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #take(client: Socket): void {
    const ports = [...this.ports]
    const port = ports[this.#next++ % Math.max(1, ports.length)]
    if (port === undefined) return void client.destroy()
    this.#nodes.set(client.remotePort!, port)
    const node = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, node],
      [node, client],
    ] as const) {
      this.#sockets.add(one)
      one.on('data', (chunk) => other.write(chunk))
      // What breaks is closed next.
      one.on('error', () => {})
      one.on('close', () => {
        this.#sockets.delete(one)
        other.destroy()
      })
    }
  }
}
