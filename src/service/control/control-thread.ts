/**
 * The control thread, as the main thread sees it: one for everything that takes longer than an answer. It is started when
 * it is first needed, so that a service of plain requests spends nothing on it, and begun anew when it dies; serving
 * threads then connect to it anew.
 */
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { KeyNews } from '../../ledger/live/keyring.ts'
import { type Handlers, Transferred } from '../../process/channel.ts'
import { moduleOf, startThread, type Thread } from '../../process/thread.ts'
import type { ChangeFile } from '../../snapshot/changes/change-file.ts'
import type { ServedSnapshot } from '../protocol.ts'
import type { ThreadApiStart } from '../thread-api.ts'
import type { ControlCalls, ControlQuestions } from './control-worker.ts'

interface ControlOptions {
  readonly start: ThreadApiStart
  /** All keys, and what is served: a thread that begins gets them first. */
  readonly keys: () => KeyNews
  readonly snapshot: () => ServedSnapshot | undefined
  readonly handlers: Handlers<ControlQuestions>
  readonly onDeath: (error: Error) => void
}

/** Time after which a thread that died is begun anew. */
const restartMs = 1_000

export class ControlThread {
  readonly #options: ControlOptions
  readonly #module: URL
  #thread: Thread<ControlCalls, ControlQuestions> | undefined
  #begun: Promise<string | undefined> | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: ControlOptions, module = moduleOf('control-worker', import.meta.url)) {
    this.#options = options
    this.#module = module
  }

  /** Starts it unless it was started, and waits until it has begun, also anew: as the thread's `start`. */
  begun(): Promise<string | undefined> {
    this.#begun ??= this.#begin()
    return this.#begun
  }

  /** Connects a serving thread; returns its end of the link. */
  async connect(): Promise<Transferred<MessagePort>> {
    await this.begun()
    const { port1, port2 } = new MessageChannel()
    await this.#thread!.channel.call('connect', new Transferred(port2, [port2]))
    return new Transferred(port1, [port1])
  }

  takeKeys(news: KeyNews): void {
    this.#thread?.channel.notify('takeKeys', news)
  }

  takeChanges(changes: readonly ChangeFile[]): void {
    this.#thread?.channel.notify('takeChanges', changes)
  }

  /** Done when the thread answers from a snapshot, and reads the one before no more. */
  async serve(snapshot: ServedSnapshot): Promise<void> {
    // One that dies reads nothing, and is begun anew with what is served then.
    await this.#thread?.channel.call('serve', snapshot).catch(() => {})
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    if (this.#thread === undefined) return
    await this.#thread.channel.call('close', undefined).catch(() => {})
    await this.#thread.worker.terminate()
  }

  #begin(): Promise<string | undefined> {
    const { start, keys, snapshot, handlers } = this.#options
    this.#thread = startThread<ControlCalls, ControlQuestions>(this.#module, {
      ...{ name: 'the control thread', workerData: start, handlers },
      onEnd: (error) => this.#beginAnew(error),
    })
    const { channel } = this.#thread
    channel.notify('takeKeys', keys())
    const served = snapshot()
    if (served !== undefined) channel.notify('serve', served)
    return channel.call('start', undefined)
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
