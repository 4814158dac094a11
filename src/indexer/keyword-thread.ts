/**
 * Keywords on a thread of their own: reading texts apart takes as long as everything else that is
 * done with a record (measured: 5 of 12 s for 100,000 authorities), and needs none of it.
 */
import { sharedCopy } from '../memory/columns.ts'
import { moduleOf, startThread, type Thread } from '../process/thread.ts'
import type { KeywordIndexer, RankedAuthorities } from './keywords.ts'
import type { PostingSections } from './posting-sections.ts'

/** The calls that the thread answers, in this order. */
export type KeywordCalls = {
  /** Returns once the thread runs. */
  start(nothing: undefined): void
  /** Names and bios by turns. */
  add(texts: readonly string[]): void
  sections(ranked: RankedAuthorities): PostingSections
}

/** Texts that are sent at once, and batches that may wait for the thread. */
const textsPerBatch = 2_000
const waitingMax = 64

/** A thread that runs; its sections can be had once. */
export class KeywordThread implements KeywordIndexer {
  readonly #thread: Thread<KeywordCalls>
  #texts: string[] = []
  /** Batches that the thread has not taken yet; fails with what the thread fails at. */
  readonly #waiting: Promise<void>[] = []
  #sections: Promise<PostingSections> | undefined

  /** @throws Error when the system gives no thread. */
  static async start(module = moduleOf('keyword-worker', import.meta.url)): Promise<KeywordThread> {
    const thread = new KeywordThread(module)
    await thread.#thread.channel.call('start', undefined)
    return thread
  }

  private constructor(module: URL) {
    this.#thread = startThread(module, { name: 'the keyword thread', handlers: {} })
  }

  add(names: string, bio: string): void {
    this.#texts.push(names, bio)
    if (this.#texts.length === textsPerBatch) this.#send()
  }

  async ready(): Promise<void> {
    while (this.#waiting.length > waitingMax) await this.#waiting.shift()
  }

  begin(ranked: RankedAuthorities): void {
    this.#send()
    const { arrivals, topics } = ranked
    const lists = { starts: sharedCopy(topics.starts), values: sharedCopy(topics.values) }
    // A message has all memory of a column, also what is not filled yet.
    const shared = { ...ranked, arrivals: sharedCopy(arrivals), topics: lists }
    this.#sections = heard(this.#thread.channel.call('sections', shared))
  }

  async sections(): Promise<PostingSections> {
    await Promise.all(this.#waiting)
    return this.#sections!
  }

  /** Ends the thread at once; until then it keeps the process alive. */
  async close(): Promise<void> {
    await this.#thread.worker.terminate()
  }

  #send(): void {
    this.#waiting.push(heard(this.#thread.channel.call('add', this.#texts)))
    this.#texts = []
  }
}

/** A promise that is awaited later. A failure before that does not end the process. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}
