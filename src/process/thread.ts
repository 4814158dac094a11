/** A thread with the channel to it: when the thread ends, everything that waits for it fails with the cause. */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
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

/**
 * Has this thread yield to others by a lower priority: Linux gives every thread one of its own, under the id that its
 * /proc link ends in.
 */
export function giveWay(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_LOW)
  } catch {
    // Elsewhere the thread competes as an equal, which is slower but not wrong.
  }
}
