/** Clients of a service on the other side of an Ethernet, by `clients.py`. Each request gives one answer record. */
import { join } from 'node:path'
import { LineProgram } from './lines.ts'
import type { Ethernet } from './network.ts'

export interface Job {
  /** What each sends: a request, head and body. */
  readonly text: string
  /** Where to; the service of the Ethernet on this port, or a proxy. */
  readonly to: { readonly host: string; readonly port: number }
  /** Connections in all, and at a time; 1 where absent. */
  readonly count?: number
  readonly together?: number
  /** Requests on each connection, one after the other's answer; 1 where absent. */
  readonly repeat?: number
  /** SO_RCVBUF, in bytes. */
  readonly receiveBuffer?: number
  /** How fast it reads; as fast as it can where absent. */
  readonly bytesPerSecond?: number
  /** How long it waits before it reads. */
  readonly stallMs?: number
  /** Closes its half after the request, and reads on. */
  readonly halfClose?: boolean
  /** Leaves when it has so many bytes of the answer; 0: at once after the request. */
  readonly leaveAfter?: number
  readonly leaveBy?: 'close' | 'reset'
  /** How long it waits for an answer before it counts as hung; 20 where absent. */
  readonly seconds?: number
  /** Whether heads and bodies are returned. */
  readonly keep?: boolean
}

export interface Answer {
  /**
   * `whole`: all of it came; `closed`: the service closed before; `reset`: it reset the connection;
   * `hung`: time was up; `left`: the client left, as told; `refused`: no connection.
   */
  readonly end: 'whole' | 'closed' | 'reset' | 'hung' | 'left' | 'refused'
  /** 0 where none came. */
  readonly status: number
  readonly head?: string
  readonly body?: string
}

export class Clients {
  readonly #program: LineProgram
  readonly #running = new Map<number, (answers: readonly Answer[]) => void>()
  #next = 0

  constructor({ besideClients }: Pick<Ethernet, 'besideClients'>) {
    const file = join(import.meta.dirname, 'clients.py')
    this.#program = new LineProgram([...besideClients, 'python3', file])
  }

  /** Jobs may run beside each other. Returns a record for each request. */
  async run({ to, ...job }: Job): Promise<readonly Answer[]> {
    const id = this.#next++
    const mine = new Promise<readonly Answer[]>((resolve) => this.#running.set(id, resolve))
    const line = this.#program.next<{ id: number; answers: readonly Answer[] }>()
    this.#program.tell({ seconds: 20, ...job, ...to, id })
    // The lines come in the order in which jobs are done.
    const done = await line
    this.#running.get(done.id)!(done.answers)
    this.#running.delete(done.id)
    return mine
  }

  /** Asks once and returns the whole answer. @throws Error when there is none. */
  async ask(to: Job['to'], text: string): Promise<Answer & { head: string; body: string }> {
    const [answer] = await this.run({ to, text, keep: true })
    if (answer?.end !== 'whole') throw new Error(`no whole answer: ${JSON.stringify(answer)}`)
    return answer as Answer & { head: string; body: string }
  }

  close(): Promise<void> {
    return this.#program.close()
  }
}

/** How often each end, and each status of those that are whole: `{ whole: 3, 'whole 200': 3 }`. */
export function tally(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { end, status } of answers) {
    const name = end === 'whole' ? `whole ${status}` : end
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
