/**
 * When a source that changes is read: after a quiet moment, or after a while of continuous changes,
 * but never while a file of it grows. Looks again and again instead of waiting for events, which
 * end for good when a folder is moved, removed or linked elsewhere.
 */
import { Refusal } from '../problems.ts'
import type { Source, Stamp } from '../source/source.ts'

/** A source is read when nothing of it has changed for so long, */
const settledMs = 1_000
/** or so long after its first change, when at least no file has grown for as long as above. */
const patienceMs = 10_000
/** If a failure was no fault of the source. */
const retryMs = 10_000

interface WatchOptions {
  readonly source: Pick<Source, 'stamp'>
  readonly clock: () => number
  readonly report: (line: string) => void
}

interface Sight {
  readonly stamp: Stamp
  readonly versionSinceMs: number
  readonly extentSinceMs: number
}

export class SourceWatch {
  readonly #options: WatchOptions
  #taken: string | undefined
  #sight: Sight | undefined
  #changedAtMs: number | undefined
  #retryAtMs: number | undefined
  #complaint: string | undefined

  constructor(options: WatchOptions) {
    this.#options = options
  }

  async begin(): Promise<void> {
    this.#retryAtMs = undefined
    this.#changedAtMs = undefined
    this.#taken = (await this.#look())?.stamp.version
  }

  /** After a failure for a reason other than the content of the source. */
  retryLater(): void {
    this.#retryAtMs = this.#options.clock() + retryMs
  }

  async isDue(): Promise<boolean> {
    const sight = await this.#look()
    if (sight === undefined) return false
    const now = this.#options.clock()
    if (sight.stamp.version === this.#taken) {
      this.#changedAtMs = undefined
      return this.#retryAtMs !== undefined && now >= this.#retryAtMs
    }
    this.#changedAtMs ??= now
    if (now - sight.versionSinceMs >= settledMs) return true
    if (now - this.#changedAtMs < patienceMs) return false
    const isWhole = now - sight.extentSinceMs >= settledMs
    if (!isWhole) this.#complain('the source is still being written; it is read when it is whole')
    return isWhole
  }

  async #look(): Promise<Sight | undefined> {
    const { source, clock } = this.#options
    let stamp: Stamp
    try {
      stamp = await source.stamp()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      this.#sight = undefined
      this.#complain(`${error.message}; looking again until it is there`)
      return undefined
    }
    const now = clock()
    const before = this.#sight
    if (before === undefined || before.stamp.version !== stamp.version) {
      const grew = before?.stamp.extent !== stamp.extent
      const extentSinceMs = before === undefined || grew ? now : before.extentSinceMs
      this.#sight = { stamp, versionSinceMs: now, extentSinceMs }
    } else {
      this.#complaint = undefined
    }
    return this.#sight
  }

  #complain(line: string): void {
    if (line !== this.#complaint) this.#options.report(line)
    this.#complaint = line
  }
}
