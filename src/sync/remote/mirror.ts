/**
 * Fills a snapshot directory from object storage: fetches the last announcement, proves it, and
 * only then moves `CURRENT`. A fetch that has begun is finished, also when another snapshot is
 * announced meanwhile: a slow node makes progress. The directory has what the bucket has, no more.
 */
import { existsSync } from 'node:fs'
import { Refusal, type RefusalCode } from '../../problems.ts'
import { pathOf } from '../../snapshot/store/directory.ts'
import { readPointer } from '../../snapshot/store/states.ts'
import type { LockName } from '../directory-lock.ts'
import { switchTimeMs } from './activation.ts'
import { Download, type FillingOptions, mirroredNumber } from './download.ts'
import { lastAnnouncement } from './last-announcement.ts'
import { type Announcement, readAnnouncement, type SeenAnnouncement } from './layout.ts'

interface MirrorOptions extends FillingOptions {
  readonly activateAfterMs: number
  readonly holding: <T>(lockName: LockName, work: () => Promise<T>) => Promise<T>
  /** As a reader finds it unless given; the last behind a number that is known, 0 for none. */
  readonly findLast?: (known: number) => Promise<SeenAnnouncement | undefined>
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly onChange: (state: MirrorState) => void
}

export interface MirrorState {
  /** The announcement that the directory has, and the last one that is known of; 0 for none. */
  readonly number: number
  readonly announced: number
  /** Of the snapshot being fetched, 0 to 1. */
  readonly share: number | undefined
  readonly contactAtMs: number | undefined
  readonly bytes: number
}

/** A damaged or foreign object is fetched so often, and then not before it changes. */
const triesMax = 3
const inVain: readonly RefusalCode[] = ['object-damaged', 'snapshot-refused']

/** Whether what was announced is damaged, or foreign to this program. */
export function isUnreadable(error: unknown): error is Refusal {
  return error instanceof Refusal && inVain.includes(error.code)
}

interface Damage {
  readonly number: number
  /** The last that was read; undefined where all parts were here. */
  readonly object: { readonly key: string; readonly etag: string } | undefined
  readonly tries: number
  readonly refusal: Refusal
}

export class Mirror {
  readonly #options: MirrorOptions
  #state: MirrorState
  #damage: Damage | undefined
  #isDistrusted = false
  readonly #filling: Download

  constructor(options: MirrorOptions) {
    this.#options = options
    this.#filling = new Download(options)
    const number = mirroredNumber(options.directory, options.store.name)
    this.#state = { number, announced: number, share: undefined, contactAtMs: undefined, bytes: 0 }
  }

  get state(): MirrorState {
    return this.#state
  }

  /** The next look fetches again what the directory has, where that is not what was announced. */
  distrust(): void {
    this.#isDistrusted = true
  }

  /**
   * Looks what was announced last, and has the directory announce it: also what it has lost.
   * @returns whether anything was new.
   * @throws Refusal `storage-unreachable`, `storage-refused`, `object-damaged`; `snapshot-refused`
   * for one that this program cannot read; `already-running` where another process is at it;
   * `store-refused` by the caller's `holding`.
   */
  async look(): Promise<boolean> {
    const { store, clock, steadiness, holding, findLast } = this.#options
    const { number } = this.#state
    const isLost = number > 0 && this.#isLost()
    const last = await (findLast?.(number) ?? lastAnnouncement(store, number, steadiness))
    const seen = isLost ? (last ?? (await readAnnouncement(store, number, steadiness))) : last
    const readHereAtMs = clock()
    const announced = seen?.number ?? number
    this.#change({ contactAtMs: readHereAtMs, announced })
    if (seen === undefined) return false
    if (await this.#isInVain(seen)) throw this.#damage!.refusal
    return holding('mirror.lock', async () => {
      const announcement = await this.#fetchAnnounced(seen)
      const removals = await this.#filling.removalsOf(announcement)
      await this.#waitFor(seen, announcement, readHereAtMs)
      await holding('sync.lock', async () => this.#filling.activate(announcement, removals))
      this.#isDistrusted = false
      this.#change({ number: announcement.number })
      return true
    })
  }

  #isLost(): boolean {
    const { directory } = this.#options
    const id = readPointer(directory, 'CURRENT')
    return this.#isDistrusted || id === undefined || !existsSync(pathOf(directory, id))
  }

  async #isInVain({ number, announcement }: SeenAnnouncement): Promise<boolean> {
    const damage = this.#damage
    if (announcement instanceof Refusal || damage?.number !== number || damage.tries < triesMax)
      return false
    if (damage.object === undefined) return true
    const facts = await this.#options.store.head(damage.object.key)
    return (facts?.etag ?? '') === damage.object.etag
  }

  async #fetchAnnounced({ number, announcement }: SeenAnnouncement): Promise<Announcement> {
    if (announcement instanceof Refusal) throw announcement
    // Of what was read, not of what is there when that has failed: it may have been put right by then.
    let object: Damage['object']
    try {
      await this.#filling.fetchSnapshot(announcement, {
        onProgress: (done, came) => {
          this.#change({ share: done / announcement.bytes, bytes: this.#state.bytes + came })
        },
        onObject: (key, etag) => {
          object = { key, etag }
        },
      })
      await this.#filling.fetchChanges(announcement, (came) => {
        this.#change({ bytes: this.#state.bytes + came })
      })
      return announcement
    } catch (error) {
      if (isUnreadable(error)) {
        const before = this.#damage?.number === number ? this.#damage.tries : 0
        this.#damage = { number, object, tries: before + 1, refusal: error }
      }
      throw error
    } finally {
      this.#change({ share: undefined })
    }
  }

  async #waitFor(
    seen: SeenAnnouncement,
    announcement: Announcement,
    readHereAtMs: number,
  ): Promise<void> {
    const { activateAfterMs, clock, steadiness } = this.#options
    const { modifiedMs: writtenAtMs, seenAtMs: readAtMs } = seen.facts
    const announcedAtMs = Date.parse(announcement.at)
    const moment = { announcedAtMs, writtenAtMs, readAtMs, readHereAtMs }
    const waitMs = switchTimeMs(moment, activateAfterMs) - clock()
    // However wrong a clock is, no wait is longer than the one asked for.
    if (waitMs > 0) await steadiness.sleep(Math.min(waitMs, activateAfterMs))
  }

  #change(changes: Partial<MirrorState>): void {
    this.#state = { ...this.#state, ...changes }
    this.#options.onChange(this.#state)
  }
}
