/**
 * A service under attack: what an attack takes of it. Memory is that of the service's process, from
 * what it has at rest to its peak; a bystander asks for `/healthz` all the while; afterwards the
 * books must balance.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { temporaryDirectory } from '../built.ts'
import { type RunningService, run, startService } from '../program.ts'

/** What no attack may take above rest. */
export const tollBytesMax = 256 << 20

/** What an attack has taken. */
export interface Toll {
  readonly aboveRestBytes: number
  /** How long the bystander has waited for each of its answers, the longest last. */
  readonly waitsMs: readonly number[]
  /** Its requests that were not answered with 200. */
  readonly failures: number
  /** What the attack returned. */
  readonly seen: unknown
}

/** How often the bystander is answered before an attack may be over. */
const answersMin = 50

/** A service on one thread, so that whoever is attacked is the one who answers; ends with the test. */
export async function attackedService(words: readonly string[] = []): Promise<RunningService> {
  const service = await startService(temporaryDirectory(), ['--threads', '1', ...words])
  onTestFinished(() => void service.stop('SIGKILL'))
  return service
}

/**
 * Lets an attack run against a service, until it returns and the bystander was answered often enough.
 * @throws Error when the service is gone, or its books do not balance.
 */
export async function tollOf(
  service: RunningService,
  attack: (service: RunningService) => Promise<unknown>,
): Promise<Toll> {
  await warmUp(service)
  const restBytes = memoryOf(service.pid, 'VmRSS')
  forgetPeak(service.pid)
  const bystander = new Bystander(service.port)
  const asking = bystander.askOn()
  const seen = await attack(service)
  await bystander.answered(answersMin)
  bystander.leave()
  await asking
  const aboveRestBytes = memoryOf(service.pid, 'VmHWM') - restBytes
  await checkBooks(service)
  const { failures } = bystander
  return { aboveRestBytes, waitsMs: bystander.waitsMs.toSorted((a, b) => a - b), failures, seen }
}

/** A connection that sends and does not read; it ends with the test. */
export async function deafConnection(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.pause()
  onTestFinished(() => void socket.destroy())
  return socket
}

/** Sends all of it, or as much as the other end takes before it closes. */
export async function sendAll(socket: Socket, text: string): Promise<void> {
  await new Promise<void>((resolve) => {
    socket.once('close', resolve)
    socket.write(text, () => resolve())
  })
}

/** The lines of a request on the wire. */
export function wireRequest(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${target} HTTP/1.1\r\nHost: x\r\n${lines.join('')}\r\n`
}

/** What is loaded and compiled at the first requests belongs to rest. */
async function warmUp({ address, headers }: RunningService): Promise<void> {
  for (let count = 0; count < 20; count += 1) {
    for (const path of ['/healthz', '/openapi.json', '/metrics', '/api/v1/index?query=rust']) {
      await (await fetch(`${address}${path}`, { headers })).arrayBuffer()
    }
  }
}

/** A value of the process's status, in bytes. */
function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
}

/** From now on the peak of a process is counted anew. */
function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

async function checkBooks({ data }: RunningService): Promise<void> {
  const { exitCode, stdout, stderr } = await run(['ledger', 'verify', '--data', data])
  if (exitCode !== 0) throw new Error(`the books do not balance: ${stdout}${stderr}`)
}

/** A client with manners, on one kept connection. */
class Bystander {
  readonly waitsMs: number[] = []
  failures = 0
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #isLeaving = false
  #wake: () => void = () => {}

  constructor(port: number) {
    this.#port = port
  }

  /** Asks one question after the other until it leaves. */
  async askOn(): Promise<void> {
    while (!this.#isLeaving) {
      const startedMs = performance.now()
      if (!(await this.#ask())) this.failures += 1
      this.waitsMs.push(performance.now() - startedMs)
      this.#wake()
    }
    this.#agent.destroy()
  }

  /** Waits until it was answered so often more. */
  async answered(count: number): Promise<void> {
    const enough = this.waitsMs.length + count
    while (this.waitsMs.length < enough) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  leave(): void {
    this.#isLeaving = true
  }

  async #ask(): Promise<boolean> {
    const options = { agent: this.#agent, host: '127.0.0.1', port: this.#port, path: '/healthz' }
    try {
      const [response] = await once(request(options).end(), 'response')
      await response.resume().toArray()
      return response.statusCode === 200
    } catch {
      return false
    }
  }
}
