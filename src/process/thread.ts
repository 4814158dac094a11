/** A thread with the channel to it: when the thread ends, everything that waits for it fails with the cause. */
import { setFlagsFromString } from 'node:v8'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { type Calls, Channel, type Handlers, type NoCalls } from './channel.ts'

export interface Thread<Theirs extends Calls, Ours extends Calls = NoCalls> {
  readonly worker: Worker
  readonly channel: Channel<Ours, Theirs>
}

interface ThreadOptions<Ours extends Calls> extends WorkerOptions {
  /** Its name in errors, such as `the keyword thread`. */
  readonly name: string
  readonly handlers: Handlers<Ours>
  /** Called once, with the error that the thread died of or the code that it ended with. */
  readonly onEnd?: (error: Error) => void
}

export function startThread<Theirs extends Calls, Ours extends Calls = NoCalls>(
  module: URL,
  { name, handlers, onEnd = () => {}, ...options }: ThreadOptions<Ours>,
): Thread<Theirs, Ours> {
  const worker = new Worker(module, { ...flags(), ...options })
  const channel = new Channel<Ours, Theirs>(worker, handlers)
  let cause: Error | undefined
  worker.once('error', (error) => {
    cause = error
  })
  worker.once('exit', (code) => {
    const error = cause ?? new Error(`${name} ended with code ${code}`)
    channel.end(error)
    onEnd(error)
  })
  return { worker, channel }
}

interface LastingOptions<T, Theirs extends Calls, Ours extends Calls>
  extends Omit<ThreadOptions<Ours>, 'onEnd'> {
  readonly begin: (channel: Channel<Ours, Theirs>) => Promise<T>
  readonly end: (channel: Channel<Ours, Theirs>) => Promise<void>
  readonly onDeath: (error: Error) => void
}

const restartMs = 1_000

/** A thread that is begun anew when it dies, until it is closed. */
export class LastingThread<T, Theirs extends Calls, Ours extends Calls = NoCalls> {
  readonly #module: URL
  readonly #options: LastingOptions<T, Theirs, Ours>
  #thread: Thread<Theirs, Ours> | undefined
  #begun: Promise<T> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(module: URL, options: LastingOptions<T, Theirs, Ours>) {
    this.#module = module
    this.#options = options
  }

  /** Starts it unless it was started, and waits until it has begun, also anew. @throws what `begin` throws. */
  begun(): Promise<T> {
    this.#begun ??= this.#begin()
    return this.#begun
  }

  /** To the thread that was started last. */
  protected get channel(): Channel<Ours, Theirs> | undefined {
    return this.#thread?.channel
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (this.#thread === undefined) return
    await this.#options.end(this.#thread.channel).catch(() => {})
    await this.#thread.worker.terminate()
  }

  #begin(): Promise<T> {
    const onEnd = (error: Error) => this.#beginAnew(error)
    this.#thread = startThread<Theirs, Ours>(this.#module, { ...this.#options, onEnd })
    return this.#options.begin(this.#thread.channel)
  }

  #beginAnew(error: Error): void {
    if (this.#isClosed) return
    this.#options.onDeath(error)
    this.#begun = new Promise((resolve) => {
      this.#timer = setTimeout(() => resolve(this.#begin()), restartMs)
    })
    // One that cannot begin is ended, and its end begins it anew.
    this.#begun.catch(() => this.#thread?.worker.terminate())
  }
}

/**
 * Flags of Node.js for a thread: it inherits those of the process, some of which may not be named to it, such as a limit of
 * memory. None for a program that was given as text, whose flags forbid a file.
 */
function flags(): { execArgv?: [] } {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}
}

/** The address of a thread's module in the directory of the module at `from`. */
export function moduleOf(name: string, from: string): URL {
  const ending = from.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${ending}`, from)
}

/**
 * Has each thread of the process collect its own garbage, from now on. A thread with helpers waits for them, and if every
 * processor is busy the helpers wait for their turn: 50 ms have been seen for a collection of young objects that takes
 * one. The four helpers that mark old objects do not yield to the threads of a service (p99.9 with a swap at 30,000
 * requests a second on two cores: 9 to 33 ms with them, 6 to 12 without). A sync has few and small objects, and the
 * helpers take processor time while they wait for work.
 */
export function collectOwnGarbage(): void {
  setFlagsFromString('--no-parallel-scavenge')
  setFlagsFromString('--no-concurrent-marking')
}
