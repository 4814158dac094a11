/** A thread with the channel to it: when the thread ends, everything that waits for it fails with the cause. */
import { Worker, type WorkerOptions } from 'node:worker_threads'
import { type Calls, Channel, type Handlers, type NoCalls } from './channel.ts'

/** A thread that runs, as the thread that started it sees it. */
export interface Thread<Theirs extends Calls, Ours extends Calls = NoCalls> {
  readonly worker: Worker
  readonly channel: Channel<Ours, Theirs>
}

/** How a thread is started. */
export interface ThreadOptions<Ours extends Calls> extends WorkerOptions {
  /** What it is called in errors, such as `the keyword thread`. */
  readonly name: string
  /** What it may ask. */
  readonly handlers: Handlers<Ours>
  /** Called once, with what the thread died of or the code that it ended with. */
  readonly onEnd?: (error: Error) => void
}

/** Starts a thread. @param module what runs in it (see `moduleOf`). */
export function startThread<Theirs extends Calls, Ours extends Calls = NoCalls>(
  module: URL,
  { name, handlers, onEnd = () => {}, ...options }: ThreadOptions<Ours>,
): Thread<Theirs, Ours> {
  const worker = new Worker(module, { execArgv: process.execArgv.filter(isForFiles), ...options })
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

/** Whether a flag of Node.js may stand where a file runs: a thread of a program given as text runs one. */
function isForFiles(flag: string): boolean {
  return !flag.startsWith('--input-type')
}

/** The address of a thread's module in the directory of the module at `from`. */
export function moduleOf(name: string, from: string): URL {
  const ending = from.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./${name}.${ending}`, from)
}
