/**
 * Keywords on a thread of their own: reading texts apart takes as long as everything else that is
 * done with a record (measured: 5 of 12 s for 100,000 authorities), and needs none of it.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { moduleOf, newCount, waitForCount } from '../process/thread-module.ts'
import type { KeywordIndexer, RankedAuthorities } from './keywords.ts'
import type { PostingSections } from './posting-sections.ts'

/** What the thread is started with; `progress` counts the orders that it has obeyed. */
export interface KeywordThreadStart {
  readonly port: MessagePort
  readonly progress: Int32Array
}

/** To the thread: names and bios by turns, or that everybody was added. */
export type KeywordOrder =
  | { readonly kind: 'add'; readonly texts: readonly string[] }
  | { readonly kind: 'begin'; readonly ranked: RankedAuthorities }

/** From the thread, once: the sections, or what went wrong. */
export type KeywordReport = { readonly sections: PostingSections } | { readonly error: unknown }

/** Texts that are sent at once, and batches that may wait for the thread. */
const textsPerBatch = 2_000
const waitingMax = 64

/** Starts its thread at once; its sections can be had once. */
export class KeywordThread implements KeywordIndexer {
  readonly #port: MessagePort
  readonly #worker: Worker
  readonly #progress = newCount()
  #texts: string[] = []
  #ordered = 0

  constructor() {
    const { port1, port2 } = new MessageChannel()
    const workerData: KeywordThreadStart = { port: port2, progress: this.#progress }
    this.#port = port1
    const module = moduleOf('keyword-worker', import.meta.url)
    this.#worker = new Worker(module, { workerData, transferList: [port2] })
    // Whoever gives up a build need not wait for it.
    this.#worker.unref()
    this.#port.unref()
  }

  add(names: string, bio: string): void {
    this.#texts.push(names, bio)
    if (this.#texts.length >= textsPerBatch) this.#send()
  }

  begin(ranked: RankedAuthorities): void {
    this.#send()
    this.#order({ kind: 'begin', ranked })
  }

  /** Blocks until the thread is done. @throws Error what went wrong there. */
  sections(): PostingSections {
    waitForCount(this.#progress, this.#ordered)
    const report: KeywordReport = receiveMessageOnPort(this.#port)!.message
    void this.#worker.terminate()
    if ('error' in report) throw report.error
    return report.sections
  }

  #send(): void {
    this.#order({ kind: 'add', texts: this.#texts })
    this.#texts = []
    waitForCount(this.#progress, this.#ordered - waitingMax)
  }

  #order(order: KeywordOrder): void {
    this.#port.postMessage(order)
    this.#ordered += 1
  }
}
