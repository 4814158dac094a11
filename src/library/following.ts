/**
 * The snapshots of an open index: loads the announced one on a thread of its own, and follows the source. Memory of a
 * snapshot that was swapped away is never written over: views and other threads may still read it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Refusal } from '../problems.ts'
import { Follower } from '../service/follower.ts'
import { Loader } from '../service/loader.ts'
import { Mirroring } from '../service/mirror/mirroring.ts'
import type { ServedSnapshot } from '../service/protocol.ts'
import { isBucketAddress, isWebAddress } from '../storage-addresses.ts'
import { closeWhenUnused } from './text-files.ts'
import type { OpenOptions, OpenProgress } from './types.ts'

/** Interval between looks at the source, ms. */
const intervalMs = 2_000
/** The snapshot after a swap, and the one before. */
const snapshotsKept = 2

function isRemote(source: string): boolean {
  return isBucketAddress(source) || isWebAddress(source)
}

export class Following {
  readonly #options: OpenOptions
  readonly #temporary: string | undefined
  readonly #loader: Loader
  readonly #follower: Follower
  readonly #mirroring: Mirroring | undefined
  readonly #ended: Promise<void>
  #end: () => void = () => {}
  #lastProblem: string | undefined
  #onTrouble: (line: string) => void = () => {}

  constructor(source: string, options: OpenOptions, take: (snapshot: ServedSnapshot) => void) {
    this.#options = options
    const { onProblem = () => {} } = options
    const needsPlace = isRemote(source) && options.directory === undefined
    this.#temporary = needsPlace ? mkdtempSync(join(tmpdir(), 'authority-index-')) : undefined
    const directory = isRemote(source) ? (options.directory ?? this.#temporary!) : source
    this.#ended = new Promise((resolve) => {
      this.#end = resolve
    })
    this.#loader = new Loader(directory, 0, Date.now, options.texts === 'disk')
    this.#follower = new Follower({
      directory,
      load: (id) => this.#load(id),
      serve: async (snapshot) => take(snapshot),
      onRefused: () => this.#mirroring?.distrust(),
      report: (line, event) => {
        if (event === 'snapshot-served') return
        this.#lastProblem = line
        onProblem(line)
      },
      clock: Date.now,
    })
    if (isRemote(source)) {
      this.#mirroring = new Mirroring({
        ...{ from: source, directory, keep: snapshotsKept, activateAfter: 0, transferRate: 0 },
        ...{ intervalMs, clock: Date.now },
        report: (line, event) => {
          if (event !== 'mirror-failing') return
          onProblem(line)
          this.#onTrouble(line)
        },
        onChange: () => this.#tellFetched(),
      })
    }
  }

  /**
   * Loads the snapshot that the source announces; follows the source if `follow` is set.
   * @throws Refusal `snapshot-missing`, `snapshot-refused`, `storage-unreachable`.
   */
  async start(): Promise<void> {
    await this.#fetch()
    try {
      await this.#follower.start()
    } catch (error) {
      if (this.#lastProblem === undefined) throw error
      // The reason why a file cannot be served says more than that none is served.
      throw new Refusal('snapshot-refused', this.#lastProblem)
    }
    if (this.#options.follow === true) this.#follower.follow(intervalMs)
    else await this.stop()
  }

  async stop(): Promise<void> {
    this.#end()
    await this.#mirroring?.stop()
    const stopped = this.#follower.stop()
    await this.#loader.close()
    await stopped
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true })
  }

  async #fetch(): Promise<void> {
    if (this.#mirroring === undefined) return
    const failed = new Promise<never>((_, reject) => {
      this.#onTrouble = (line) => reject(new Refusal('storage-unreachable', line))
    })
    const fetched = this.#mirroring.succeeded(this.#ended)
    this.#mirroring.start()
    await Promise.race([fetched, failed])
  }

  async #load(id: string) {
    this.#tell({ step: 'load', share: 0 })
    const snapshot = await this.#loader.load(id)
    this.#tell({ step: 'load', share: 1 })
    closeWhenUnused(snapshot.texts)
    return snapshot
  }

  #tellFetched(): void {
    const share = this.#mirroring?.state.share
    if (share !== undefined) this.#tell({ step: 'fetch', share })
  }

  #tell(progress: OpenProgress): void {
    this.#options.onProgress?.(progress)
  }
}
