/**
 * Keywords on a thread of their own: reading texts apart takes as long as everything else that is
 * done with a record (measured: 5 of 12 s for 100,000 authorities), and needs none of it.
 */
import { once } from 'node:events'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { errorOf, type ThreadFailure } from '../process/channel.ts'
import { moduleOf, newCount, waitForCount } from '../process/thread-module.ts'
import type { KeywordIndexer, RankedAuthorities } from './keywords.ts'
import type { PostingSections } from './posting-sections.ts'

/** What the thread is started with; `progress` counts the orders that it has obeyed. */
export interface KeywordThreadStart {
  readonly port: MessagePort
  readonly progress: Int32Array
}

/** What its guard is started with: the module of the thread, and where its end is reported. */
export interface KeywordGuardStart extends KeywordThreadStart {
  readonly module: string
  readonly ends: MessagePort
}

/** To the thread: names and bios by turns, or that everybody was added. */
export type KeywordOrder =
  | { readonly kind: 'add'; readonly texts: readonly string[] }
  | { readonly kind: 'begin'; readonly ranked: RankedAuthorities }

/** From the thread or its guard: the sections, or why there will be none. */
export type KeywordReport =
  | { readonly sections: PostingSections }
  | { readonly failure: ThreadFailure }

/** Texts that are sent at once, and batches that may wait for the thread. */
const textsPerBatch = 2_000
const waitingMax = 64

/** A thread that runs; its sections can be had once. Every call throws what the thread died of. */
export class KeywordThread implements KeywordIndexer {
  readonly #port: MessagePort
  readonly #ends: MessagePort
  readonly #guard: Worker
  readonly #progress = newCount()
  #texts: string[] = []
  #ordered = 0

  /**
   * Starts a thread.
   * @param module what runs in it.
   * @throws Error when the system gives no thread.
   */
  static async start(module = moduleOf('keyword-worker', import.meta.url)): Promise<KeywordThread> {
    const thread = new KeywordThread(module)
    await once(thread.#guard, 'message')
    return thread
  }

  private constructor(module: URL) {
    const orders = new MessageChannel()
    const ends = new MessageChannel()
    const workerData: KeywordGuardStart = {
      ...{ module: module.href, port: orders.port2, ends: ends.port2, progress: this.#progress },
    }
    this.#port = orders.port1
    this.#ends = ends.port1
    const transferList = [orders.port2, ends.port2]
    const guard = moduleOf('keyword-guard', import.meta.url)
    this.#guard = new Worker(guard, { workerData, transferList })
    this.#port.unref()
    this.#ends.unref()
  }

  add(names: string, bio: string): void {
    this.#texts.push(names, bio)
    if (this.#texts.length >= textsPerBatch) this.#send()
  }

  begin(ranked: RankedAuthorities): void {
    this.#send()
    this.#order({ kind: 'begin', ranked })
  }

  /** Blocks until the thread is done. */
  sections(): PostingSections {
    waitForCount(this.#progress, this.#ordered)
    return this.#received()
  }

  /** Ends the thread, whatever it does; until then it keeps the process alive. */
  async close(): Promise<void> {
    await this.#guard.terminate()
  }

  #send(): void {
    this.#order({ kind: 'add', texts: this.#texts })
    this.#texts = []
    waitForCount(this.#progress, this.#ordered - waitingMax)
    const isEnded = this.#progress[0]! > this.#ordered
    if (isEnded) this.#received()
  }

  #order(order: KeywordOrder): void {
    this.#port.postMessage(order)
    this.#ordered += 1
  }

  /** What came of the thread. What it says itself is more than what its guard has seen. */
  #received(): PostingSections {
    const received = receiveMessageOnPort(this.#port) ?? receiveMessageOnPort(this.#ends)
    const report: KeywordReport = received!.message
    if ('sections' in report) return report.sections
    throw errorOf(report.failure)
  }
}
