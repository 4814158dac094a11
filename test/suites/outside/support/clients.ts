/** Clients of a service on the other side of an Ethernet, by `clients.py`. Each request gives one answer record. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Ethernet } from './network.ts'

export interface Job {
  /** What each sends: a request, head and body. */
  readonly text: string
  /** Where to; the service of the Ethernet on this port. */
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
  /** How many bytes of the request it sends; all where absent. */
  readonly sendOnly?: number
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
  readonly #child: ChildProcessByStdio<Writable, Readable, null>
  readonly #ended: Promise<unknown>
  readonly #running = new Map<number, (answers: readonly Answer[]) => void>()
  #next = 0

  constructor({ besideClients }: Pick<Ethernet, 'besideClients'>) {
    const file = join(import.meta.dirname, 'clients.py')
    const [command, ...words] = [...besideClients, 'python3', file]
    this.#child = spawn(command!, words, { stdio: ['pipe', 'pipe', 'inherit'] })
    this.#ended = once(this.#child, 'close')
    createInterface(this.#child.stdout).on('line', (line) => {
      const { id, answers } = JSON.parse(line)
      this.#running.get(id)!(answers)
      this.#running.delete(id)
    })
  }

  /** Jobs may run beside each other. Returns a record for each request. @throws Error when the program ends before. */
  run({ to, ...job }: Job): Promise<readonly Answer[]> {
    const id = this.#next++
    const answers = new Promise<readonly Answer[]>((resolve) => this.#running.set(id, resolve))
    this.#child.stdin.write(`${JSON.stringify({ seconds: 20, ...job, ...to, id })}\n`)
    const ended = this.#ended.then(() => Promise.reject(new Error('the clients have ended')))
    return Promise.race([answers, ended])
  }

  /** Asks once and returns the whole answer. @throws Error when there is none. */
  async ask(to: Job['to'], text: string): Promise<Answer & { head: string; body: string }> {
    const [answer] = await this.run({ to, text, keep: true })
    if (answer?.end !== 'whole') throw new Error(`no whole answer: ${JSON.stringify(answer)}`)
    return answer as Answer & { head: string; body: string }
  }

  async close(): Promise<void> {
    // It has nothing to finish.
    this.#child.kill('SIGKILL')
    await this.#ended
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
