/**
 * The thread that fills the snapshot directory from object storage, as the service sees it: its progress
 * and its problem. The service serves what the directory announces, also while this thread fails. A thread
 * that dies is started again.
 */
import { join } from 'node:path'
import { Refusal, type RefusalCode } from '../../problems.ts'
import { acquireLock, type Lock } from '../../process/lock.ts'
import { moduleOf, startThread, type Thread } from '../../process/thread.ts'
import { announcedId } from '../../snapshot/store/states.ts'
import { orStoreRefused } from '../../snapshot/store/system-errors.ts'
import type { LockName } from '../../sync/directory-lock.ts'
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

interface MirrorFailure {
  readonly code: RefusalCode
  readonly message: string
}

export type MirrorCalls = {
  /** Follows until the thread ends. @throws Refusal for an address that is none. */
  follow(order: MirrorOrder): void
  /** The snapshot of the directory was refused: it is fetched again where it is not what was announced. */
  distrust(nothing: undefined): void
}

export type MirroringCalls = {
  /** @throws Refusal `already-running`, `store-refused`. */
  lock(name: LockName): void
  unlock(name: LockName): void
  take(state: MirrorState): void
  report(line: string): void
  succeed(nothing: undefined): void
  fail(failure: MirrorFailure): void
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
/** Share of the snapshot that has to arrive before the next report. */
const progressStep = 0.1

export class Mirroring {
  readonly #options: MirroringOptions
  readonly #locks = new Map<LockName, Lock>()
  #state: MirroringState = {
    ...{ number: 0, announced: 0, share: undefined, contactAtMs: undefined, bytes: 0 },
    ...{ failures: 0, problem: undefined },
  }
  #thread: Thread<MirrorCalls, MirroringCalls> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #told = 0
  /** Bytes that threads fetched which are gone. */
  #bytesBefore = 0
  #onSuccess: () => void = () => {}

  constructor(options: MirroringOptions) {
    this.#options = options
  }

  get state(): MirroringState {
    return this.#state
  }

  start(): void {
    const { from, directory, keep, activateAfter, transferRate, intervalMs } = this.#options
    const thread = startThread<MirrorCalls, MirroringCalls>(
      moduleOf('mirror-worker', import.meta.url),
      {
        name: 'the mirror thread',
        handlers: {
          lock: (name) => this.#lock(name),
          unlock: (name) => this.#unlock(name),
          take: (state) => this.#take(state),
          report: (line) => this.#options.report(line, 'mirror'),
          succeed: () => this.#succeed(),
          fail: (failure) => this.#fail(failure.message, failure.code),
        },
      },
    )
    this.#thread = thread
    const order = { from, directory, keep, activateAfter, transferRate, intervalMs }
    thread.channel.call('follow', order).catch((error: Error) => this.#beginAnew(thread, error))
  }

  /**
   * Resolves once the directory announces something, which it may do already.
   * @param ended resolves when the caller stops waiting. @throws Refusal `snapshot-missing` then.
   */
  async filled(ended: Promise<void>): Promise<void> {
    const { directory, from } = this.#options
    if (announcedId(directory) !== undefined) return
    this.#options.report(`waiting for the first snapshot of ${from}`, 'mirror')
    while (announcedId(directory) === undefined) await this.succeeded(ended)
  }

  /** Resolves when the next look has ended well; otherwise as `filled`. */
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
    this.#releaseAll()
  }

  #lock(name: LockName): void {
    const { directory } = this.#options
    const acquire = () => acquireLock(join(directory, name))
    this.#locks.set(name, orStoreRefused(directory, acquire))
  }

  #unlock(name: LockName): void {
    this.#locks.get(name)?.release()
    this.#locks.delete(name)
  }

  #releaseAll(): void {
    for (const name of [...this.#locks.keys()]) this.#unlock(name)
  }

  #take(state: MirrorState): void {
    const { number } = this.#state
    const bytes = this.#bytesBefore + state.bytes
    this.#change({ ...state, bytes })
    this.#tellProgress(state)
    if (number !== state.number && number > 0) {
      this.#options.report(`announcement ${state.number} is here`, 'mirror')
    }
  }

  #tellProgress({ share, announced }: MirrorState): void {
    if (share === undefined) {
      this.#told = 0
      return
    }
    if (share < this.#told + progressStep) return
    this.#told = share
    const percent = Math.floor(share * 100)
    this.#options.report(`fetching announcement ${announced}: ${percent} %`, 'mirror')
  }

  #succeed(): void {
    if (this.#state.problem !== undefined) {
      this.#options.report('object storage is followed again', 'mirror')
      this.#change({ problem: undefined })
    }
    this.#onSuccess()
  }

  /** Reports each reason once; another process at the same work is no failure. */
  #fail(message: string, code?: RefusalCode): void {
    if (code === 'already-running') return
    const { failures, problem } = this.#state
    if (problem?.message !== message) this.#options.report(message, 'mirror-failing')
    this.#change({ failures: failures + 1, problem: { message, atMs: this.#options.clock() } })
  }

  #beginAnew({ worker }: Thread<MirrorCalls, MirroringCalls>, error: Error): void {
    if (this.#isStopped) return
    void worker.terminate()
    this.#bytesBefore = this.#state.bytes
    this.#releaseAll()
    this.#fail(error.message)
    this.#timer = setTimeout(() => this.start(), restartMs)
  }

  #change(changes: Partial<MirroringState>): void {
    this.#state = { ...this.#state, ...changes }
    this.#options.onChange()
  }
}
