/**
 * The thread that fills the snapshot directory from object storage, as the service sees it: its progress
 * and its problem. The service serves what the directory announces, also while this thread fails. A thread
 * that dies is started again.
 */
import { Refusal, type RefusalCode } from '../../problems.ts'
import { moduleOf, startThread, type Thread } from '../../process/thread.ts'
import type { MirrorState } from '../../sync/remote/mirror.ts'
import type { LogEvent } from '../../telemetry/log.ts'

export interface MirrorOrder {
  readonly from: string
  readonly directory: string
  readonly keep: number
  /** Milliseconds. */
  readonly activateAfter: number
  /** Bytes a second; 0 is no limit. */
  readonly transferRate: number
  /** Between looks. */
  readonly intervalMs: number
}

export type MirrorCalls = {
  /** The snapshot of the directory was refused: it is fetched again where it is not what was announced. */
  distrust(nothing: undefined): void
}

export type MirroringCalls = {
  take(state: MirrorState): void
  report(line: string): void
  succeed(nothing: undefined): void
  fail(failure: { readonly code: RefusalCode; readonly message: string }): void
}

interface MirroringOptions extends MirrorOrder {
  readonly report: (line: string, event: LogEvent) => void
  readonly onChange: () => void
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

export interface MirroringState extends MirrorState {
  readonly failures: number
  readonly problem: { readonly message: string; readonly atMs: number } | undefined
}

const restartMs = 10_000

export class Mirroring {
  readonly #options: MirroringOptions
  #state: MirroringState = {
    ...{ number: 0, announced: 0, share: undefined, contactAtMs: undefined, bytes: 0 },
    ...{ failures: 0, problem: undefined },
  }
  #thread: Thread<MirrorCalls, MirroringCalls> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #onSuccess: () => void = () => {}

  constructor(options: MirroringOptions) {
    this.#options = options
  }

  get state(): MirroringState {
    return this.#state
  }

  start(): void {
    const { from, directory, keep, activateAfter, transferRate, intervalMs } = this.#options
    const workerData = { from, directory, keep, activateAfter, transferRate, intervalMs }
    this.#thread = startThread<MirrorCalls, MirroringCalls>(
      moduleOf('mirror-worker', import.meta.url),
      {
        name: 'the mirror thread',
        workerData,
        handlers: {
          take: (state) => this.#take(state),
          report: (line) => this.#options.report(line, 'mirror'),
          succeed: () => this.#succeed(),
          fail: (failure) => this.#fail(failure),
        },
        onEnd: (error) => this.#beginAnew(error),
      },
    )
  }

  /**
   * Resolves when the next look has ended well.
   * @param ended resolves when the caller stops waiting. @throws Refusal `snapshot-missing` then.
   */
  async succeeded(ended: Promise<void>): Promise<void> {
    const { directory, from } = this.#options
    const isDone = new Promise<true>((resolve) => {
      this.#onSuccess = () => resolve(true)
    })
    if ((await Promise.race([isDone, ended])) === true) return
    throw new Refusal('snapshot-missing', `${directory}: ended before ${from} gave a snapshot`)
  }

  distrust(): void {
    if (!this.#isStopped) this.#thread?.channel.notify('distrust', undefined)
  }

  /** Ends the thread, wherever it is: a fetch is gone on with by the next. */
  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#thread?.worker.terminate()
  }

  #take(state: MirrorState): void {
    const { number } = this.#state
    this.#change(state)
    if (number !== state.number && number > 0) {
      this.#options.report(`announcement ${state.number} is here`, 'mirror')
    }
  }

  #succeed(): void {
    if (this.#state.problem !== undefined) {
      this.#options.report('object storage is followed again', 'mirror')
      this.#change({ problem: undefined })
    }
    this.#onSuccess()
  }

  /** Reports each reason once; another process at the same work is no failure. */
  #fail({ code, message }: { readonly code?: string; readonly message: string }): void {
    if (code === 'already-running') return
    const { failures, problem } = this.#state
    if (problem?.message !== message) this.#options.report(message, 'mirror-failing')
    this.#change({ failures: failures + 1, problem: { message, atMs: this.#options.clock() } })
  }

  #beginAnew(error: Error): void {
    if (this.#isStopped) return
    this.#fail({ message: error.message })
    this.#timer = setTimeout(() => this.start(), restartMs)
  }

  #change(changes: Partial<MirroringState>): void {
    this.#state = { ...this.#state, ...changes }
    this.#options.onChange()
  }
}
