/** Programs and the directory they work in: `close` ends all that were started, and removes it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, chmodSync, constants, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compiled } from './compiled.ts'

interface Program {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** The cores it may run on, as taskset wants them; all when absent. */
  readonly cores?: string | undefined
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
}

const outputCharactersMax = 100_000
const errorCharactersMax = 2_000
const pollMs = 20
const readyMsMax = 120_000
const stopMsMax = 10_000

/** A program that was started; a program of Node's can also be sent messages. */
export class Child {
  readonly name: string
  readonly process: ChildProcess
  readonly #closed: Promise<void>
  #output = ''
  #errors = ''

  constructor({ name, command, args, cores, user }: Program, cwd: string | undefined) {
    this.name = name
    const words = [command, ...args]
    const [first, ...rest] = cores === undefined ? words : ['taskset', '-c', cores, ...words]
    const stdio = command === process.execPath ? (['ipc'] as const) : []
    this.process = spawn(first!, rest, {
      stdio: ['ignore', 'pipe', 'pipe', ...stdio],
      ...(cwd && { cwd }),
      ...user,
    })
    this.#closed = new Promise((resolve) => this.process.once('close', () => resolve()))
    const onError = (text: string) => {
      this.#errors = (this.#errors + text).slice(-errorCharactersMax)
    }
    // A program that cannot be started: waiting calls fail.
    this.process.on('error', (error) => onError(error.message))
    this.process.stderr!.setEncoding('utf8').on('data', onError)
    this.process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      if (this.#output.length < outputCharactersMax) this.#output += text
    })
  }

  get output(): string {
    return this.#output
  }

  get errors(): string {
    return this.#errors
  }

  get isRunning(): boolean {
    const { pid, exitCode, signalCode } = this.process
    return pid !== undefined && exitCode === null && signalCode === null
  }

  /** @throws Error when the program ends before. */
  async until(ready: () => boolean | Promise<boolean>): Promise<void> {
    const deadline = Date.now() + readyMsMax
    while (!(await ready())) {
      if (!this.isRunning) throw await this.#ended()
      if (Date.now() > deadline) throw new Error(`${this.name} does not get ready`)
      await new Promise((resolve) => setTimeout(resolve, pollMs))
    }
  }

  async firstLine(): Promise<string> {
    await this.until(() => this.#output.includes('\n'))
    return this.#output.slice(0, this.#output.indexOf('\n'))
  }

  /** Sends a message and waits for the answer; for programs that answer each with one. */
  ask<T>(message: object): Promise<T> {
    return new Promise((resolve, reject) => {
      const onEnd = async () => reject(await this.#ended())
      this.process.once('close', onEnd)
      this.process.once('message', (answer) => {
        this.process.off('close', onEnd)
        resolve(answer as T)
      })
      this.process.send(message, (error) => error && onEnd())
    })
  }

  end(): Promise<void> {
    return this.#closed
  }

  /** Asks it to end, and ends it when it does not. Every program here ends at SIGINT. */
  async stop(): Promise<void> {
    if (!this.isRunning) return
    const timer = setTimeout(() => this.process.kill('SIGKILL'), stopMsMax)
    this.process.kill('SIGINT')
    await this.end()
    clearTimeout(timer)
  }

  async #ended(): Promise<Error> {
    await this.#closed
    return new Error(`${this.name} has ended: ${this.errors || this.#output}`)
  }
}

export class Children {
  /** Removed at the end; programs that run as another user can enter it. */
  readonly directory = mkdtempSync(join(tmpdir(), 'wire-'))
  readonly #children = new Set<Child>()
  readonly #signal: AbortSignal
  readonly #interrupt = () => {
    for (const child of this.#children) child.process.kill('SIGINT')
  }

  /** @param signal when it is aborted, all programs end and waiting calls fail. */
  constructor(signal: AbortSignal) {
    chmodSync(this.directory, 0o755)
    this.#signal = signal
    signal.addEventListener('abort', this.#interrupt)
  }

  /** Starts a program; those of Node's in the current directory, others in the temporary one. */
  start(program: Program): Child {
    this.#signal.throwIfAborted()
    const cwd = program.command === process.execPath ? undefined : this.directory
    const child = new Child(program, cwd)
    this.#children.add(child)
    child.process.once('close', () => this.#children.delete(child))
    return child
  }

  startScript(name: string, file: URL, args: readonly string[], cores?: string): Child {
    const words = [compiled(fileURLToPath(file)), ...args]
    return this.start({ name, command: process.execPath, args: words, cores })
  }

  /** Ends all programs, the last one first, and removes the directory. */
  async close(): Promise<void> {
    this.#signal.removeEventListener('abort', this.#interrupt)
    for (const child of [...this.#children].reverse()) await child.stop()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

export function findProgram(name: string): string | undefined {
  const path = (process.env.PATH ?? '').split(delimiter)
  return [...path, '/usr/sbin'].map((each) => join(each, name)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there, or not for us: both mean that it is not this one.
    return false
  }
}
