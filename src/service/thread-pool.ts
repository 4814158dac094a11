/**
 * The serving threads of a process: they listen on one port and switch together. A thread that dies
 * is replaced by one that serves the same; when they keep dying, the service gives up.
 */
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import type { Status } from '../api/public-endpoints.ts'
import type { KeyNews } from '../ledger/live/keyring.ts'
import { Refusal } from '../problems.ts'
import type { Handlers } from '../process/channel.ts'
import { collectOwnGarbage, moduleOf, startThread, type Thread } from '../process/thread.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import type { ListenAddress, MainCalls, ServedSnapshot, ThreadStart } from './protocol.ts'
import type { ServingCalls } from './serving-worker.ts'

/** More deaths than this within the window, and replacing is no help. */
const deathsMax = 5
const deathWindowMs = 60_000

/**
 * Each collection copies the young objects that live on: with the usual 48 MiB that may keep requests
 * waiting for 12 to 20 ms, with this limit for 1 to 4. Requests, whose garbage dies young, cost the same
 * (measured, 100,000 and 1,000,000 authorities).
 */
export const heapLimits = { maxYoungGenerationSizeMb: 3 }

/**
 * Growth of a heap, in per cent, that starts a collection of its old objects. A swap leaves behind the answers
 * that each thread kept: by V8's own rule those of several swaps gather.
 */
const heapGrowth = '--heap-growing-percent=20'

/**
 * V8 puts the objects of a place in the code straight among the old ones if most of those that it saw lived on. What a
 * thread keeps when it starts can decide that for objects that each request makes and drops: such a process collected
 * old objects every second or two, 40 to 140 ms of each, until it ended.
 */
const youngFirst = '--no-allocation-site-pretenuring'

type ServingThread = Thread<ServingCalls, MainCalls>

type StartOfAll = Omit<ThreadStart, 'place'>

interface ThreadEvents {
  readonly report: (line: string) => void
  /** The threads keep dying; the service cannot go on. */
  readonly onFatal: (refusal: Refusal) => void
  /** Milliseconds. */
  readonly clock: () => number
  readonly keys: () => KeyNews
  readonly handlers: Handlers<MainCalls>
}

export class Threads {
  readonly #start: StartOfAll
  readonly #events: ThreadEvents
  readonly #threads: ServingThread[] = []
  readonly #deathsAt: number[] = []
  #status: Status | undefined
  #snapshot: ServedSnapshot | undefined
  readonly #addresses: ListenAddress[] = []
  #started = false
  #closing = false

  constructor(count: number, start: StartOfAll, events: ThreadEvents) {
    this.#start = start
    this.#events = events
    setFlagsFromString(heapGrowth)
    setFlagsFromString(youngFirst)
    collectOwnGarbage()
    for (let index = 0; index < count; index += 1) this.#threads.push(this.#newThread(index))
  }

  get deaths(): number {
    return this.#deathsAt.length
  }

  /**
   * Waits until every thread runs. One that cannot start is not replaced: the next could not either.
   * @throws Refusal `threads-not-started` that says why.
   */
  async start(): Promise<void> {
    const starts = this.#threads.map((thread) => thread.channel.call('start', undefined))
    for (const report of await Promise.allSettled(starts)) {
      if (report.status === 'fulfilled') continue
      const [reason] = String(report.reason.message).split('\n', 1)
      throw new Refusal('threads-not-started', `a serving thread cannot start: ${reason}`)
    }
    this.#started = true
  }

  get snapshot(): ServedSnapshot | undefined {
    return this.#snapshot
  }

  takeKeys(news: KeyNews): void {
    for (const { channel } of this.#threads) channel.notify('takeKeys', news)
  }

  /** Waits until every thread has taken what was handed to it. One that dies is handed all of it anew. */
  async reached(): Promise<void> {
    await Promise.allSettled(this.#threads.map(({ channel }) => channel.call('start', undefined)))
  }

  /** Hands what `/readyz` answers to every thread, if it is another answer than the last: a message wakes them. */
  takeStatus(status: Status): void {
    if (isDeepStrictEqual(status, this.#status)) return
    this.#status = status
    for (const { channel } of this.#threads) channel.notify('takeStatus', status)
  }

  takeChanges(changes: readonly ChangeFile[]): void {
    if (this.#snapshot === undefined) return
    this.#snapshot = { ...this.#snapshot, changes }
    for (const { channel } of this.#threads) channel.notify('takeChanges', changes)
  }

  /**
   * Makes every thread listen.
   * @param port not 0: a port that the system chose is not shared.
   * @param forOperators whether only what operators ask is answered there.
   * @throws Refusal `cannot-listen`.
   */
  async listen(host: string, port: number, forOperators = false): Promise<void> {
    const address = { host, port, forOperators }
    for (const thread of this.#threads) await listenOn(thread, address)
    this.#addresses.push(address)
  }

  /**
   * Serves a snapshot: when every thread has prepared it, all switch. When one cannot, all go on
   * with what they have, and none reads the snapshot any more.
   * @returns the snapshot that was served before, which no thread reads any more.
   * @throws Error when a thread died meanwhile.
   */
  async serve(snapshot: ServedSnapshot): Promise<ServedSnapshot | undefined> {
    const threads = [...this.#threads]
    const reports = await Promise.allSettled(
      threads.map(({ channel }) => channel.call('prepare', snapshot)),
    )
    for (const report of reports) if (report.status === 'rejected') throw report.reason
    // A thread that died after it had prepared was replaced by one that has not.
    if (this.#closing || threads.some((thread, index) => thread !== this.#threads[index])) {
      throw new Error('the serving threads changed while they prepared it')
    }
    const before = this.#snapshot
    this.#snapshot = snapshot
    // A thread that dies from here on is replaced by one that serves the new snapshot.
    await Promise.allSettled(threads.map(({ channel }) => channel.call('switch', undefined)))
    return before
  }

  /** Stops listening, answers what has arrived, and ends the threads. */
  async close(): Promise<void> {
    this.#closing = true
    const closing = this.#threads.map(async ({ worker, channel }) => {
      // A thread that died meanwhile needs no closing.
      await channel.call('close', undefined).catch(() => {})
      await worker.terminate()
    })
    await Promise.all(closing)
  }

  #newThread(index: number): ServingThread {
    const workerData: ThreadStart = { ...this.#start, place: index }
    const thread: ServingThread = startThread(moduleOf('serving-worker', import.meta.url), {
      ...{
        name: 'a serving thread',
        handlers: this.#events.handlers,
        workerData,
        resourceLimits: heapLimits,
      },
      onEnd: (error) => void this.#replace(index, error),
    })
    thread.channel.notify('takeKeys', this.#events.keys())
    return thread
  }

  async #replace(index: number, cause: Error): Promise<void> {
    if (this.#closing || !this.#started) return
    const now = this.#events.clock()
    this.#deathsAt.push(now)
    this.#events.report(`a serving thread died and is replaced: ${cause.message}`)
    if (this.#deathsAt.filter((at) => now - at < deathWindowMs).length > deathsMax) {
      const message = `more than ${deathsMax} serving threads died within ${deathWindowMs / 1000} s`
      this.#events.onFatal(new Refusal('threads-dying', message))
      return
    }
    this.#threads[index] = this.#newThread(index)
    // If it dies while it is brought up, its own death replaces it.
    await this.#bringUp(this.#threads[index]).catch(() => {})
  }

  async #bringUp(thread: ServingThread): Promise<void> {
    if (this.#status !== undefined) thread.channel.notify('takeStatus', this.#status)
    // Again when the others have switched meanwhile.
    for (let served: ServedSnapshot | undefined; served !== this.#snapshot; ) {
      served = this.#snapshot
      if (served !== undefined) await thread.channel.call('serve', served)
    }
    for (const address of this.#addresses) await listenOn(thread, address)
  }
}

async function listenOn(thread: ServingThread, address: ListenAddress): Promise<void> {
  if (await thread.channel.call('listen', address)) return
  throw new Refusal('cannot-listen', `cannot listen on ${address.host}:${address.port}`)
}
