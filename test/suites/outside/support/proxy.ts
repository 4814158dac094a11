/** The proxy of `proxy.py`, on the side of the clients, in front of a service. */
import { join } from 'node:path'
import { LineProgram } from './lines.ts'
import type { Ethernet } from './network.ts'

/** What the proxy does to a connection. All are off where absent. */
export interface Treatment {
  /** Each way, for every piece. */
  readonly delayMs?: number
  /** Each way; with small buffers, so that the service notices. */
  readonly bytesPerSecond?: number
  /** Ends a connection when so many bytes of the answer, or of the request, were passed on. */
  readonly end?: {
    /**
     * `cut` closes both sides, `reset` resets both, `half-close` closes only the direction that the
     * bytes went in and passes on what comes the other way.
     */
    readonly by: 'cut' | 'reset' | 'half-close'
    readonly after: number
    readonly of?: 'request' | 'answer'
  }
}

export class TcpProxy {
  readonly host: string
  readonly port: number
  readonly #program: LineProgram

  private constructor(program: LineProgram, host: string, port: number) {
    this.#program = program
    this.host = host
    this.port = port
  }

  /** It passes everything on until a test changes that. */
  static async start(ethernet: Ethernet, port: number): Promise<TcpProxy> {
    const { clientHost, serviceHost, besideClients } = ethernet
    const words = { listen: clientHost, host: serviceHost, port }
    const file = join(import.meta.dirname, 'proxy.py')
    const program = new LineProgram([...besideClients, 'python3', file, JSON.stringify(words)])
    const { port: own } = await program.next<{ port: number }>()
    return new TcpProxy(program, clientHost, own)
  }

  async set(how: Treatment): Promise<void> {
    const taken = this.#program.next()
    this.#program.tell(how)
    await taken
  }

  close(): Promise<void> {
    return this.#program.close()
  }
}
