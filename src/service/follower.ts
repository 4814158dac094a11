/**
 * Follows the announcements of the snapshot directory: loads a snapshot, switches the threads to it, and
 * keeps the served one if that fails. The reported facts of the served snapshot come from the value that
 * the threads serve. A refused file is remembered and not tried again until it is another file. While one
 * snapshot is served, its files of changes are followed: they expire, are rewritten without a removed
 * person, or get damaged. The files of a new snapshot come with that snapshot.
 */
import { existsSync, type FSWatcher, watch } from 'node:fs'
import { Refusal, thrownMessage } from '../problems.ts'
import type { Stability } from '../snapshot/changes/change.ts'
import { type ChangeChain, changeEntries } from '../snapshot/changes/change-directory.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import { payloadBytes } from '../snapshot/column-file.ts'
import { listSnapshots, pathOf } from '../snapshot/store/directory.ts'
import { fileIdentityOf } from '../snapshot/store/file-identity.ts'
import {
  announcedId,
  type HeldBack,
  readHeldBack,
  readPointer,
  syncedAtMs,
} from '../snapshot/store/states.ts'
import type { LogEvent } from '../telemetry/log.ts'
import type { LoadedSnapshot } from './protocol.ts'

interface FollowerOptions {
  readonly directory: string
  /** Directory of a snapshot that is served until `directory` announces one. */
  readonly example?: string | undefined
  readonly load: (id: string, directory: string) => Promise<LoadedSnapshot>
  /** Rejects only while the earlier snapshot is still served. */
  readonly serve: (snapshot: LoadedSnapshot) => Promise<void>
  /** The changes of the served snapshot; without it they are not followed. */
  readonly changes?: {
    readonly load: (id: string) => Promise<ChangeChain>
    readonly take: (files: readonly ChangeFile[]) => void
  }
  /** Called when a file is refused that is announced, or is not there. */
  readonly onRefused?: () => void
  /** Called behind the change that it tells of. */
  readonly report: (line: string, event: LogEvent) => void
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

interface FollowerState {
  readonly served: ServedFacts | undefined
  readonly servedSinceMs: number | undefined
  readonly pinned: boolean
  /** Snapshots served so far, less the first. */
  readonly swaps: number
  readonly refusals: number
  readonly lastRefusal: { readonly message: string; readonly atMs: number } | undefined
  /** The snapshot that the directory announces, also while another one is pinned. */
  readonly announced: string | undefined
  readonly heldBack: HeldBack | undefined
  /** Time of the last successful sync of the directory, ms since the epoch; undefined if unknown. */
  readonly syncedAtMs: number | undefined
}

interface ServedFacts {
  readonly id: string
  readonly bytes: number
  /** Time when its records were made, if they state it, else when its file was. Milliseconds. */
  readonly madeAtMs: number
  /** Stability of the orders against the previous snapshot; null if unknown. */
  readonly stability: Stability | null
}

/** Refused files that are remembered; when there are more, each is tried once more. */
const refusedMax = 1_000

export class Follower {
  readonly #options: FollowerOptions
  /** Refused files by name, size and time, so that a file made anew is tried. */
  readonly #refused = new Set<string>()
  #state: FollowerState = {
    served: undefined,
    servedSinceMs: undefined,
    pinned: false,
    swaps: 0,
    refusals: 0,
    lastRefusal: undefined,
    announced: undefined,
    heldBack: undefined,
    syncedAtMs: undefined,
  }
  #looking: Promise<void> | undefined
  #lookAgain = false
  /** By event, what was reported last and is still wrong. */
  readonly #complaints = new Map<LogEvent, string>()
  /** The files of changes as they were read. */
  #changesSeen = ''
  #watcher: FSWatcher | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: FollowerOptions) {
    this.#options = options
  }

  get state(): FollowerState {
    return this.#state
  }

  /**
   * Serves what is announced, or when that is not whole, the one announced last before; else the example.
   * @throws Refusal `snapshot-missing` when there is none to serve.
   */
  async start(): Promise<void> {
    const { directory, example, report } = this.#options
    await this.look()
    if (this.#state.served !== undefined) return
    for (const { id } of listSnapshots(directory)) {
      if (await this.#tryServe(id)) {
        const line = `ATTENTION: serving ${id}, the newest whole snapshot, not what is announced`
        report(line, 'snapshot-fallback')
        return
      }
    }
    const id = example && announcedId(example)
    if (id && (await this.#tryServe(id, example))) return
    const { lastRefusal } = this.#state
    const cause = lastRefusal === undefined ? '' : `: ${lastRefusal.message}`
    const hint = 'publish one with: authority-index sync --source DIR'
    throw new Refusal('snapshot-missing', `${directory}: no snapshot to serve${cause}; ${hint}`)
  }

  /** Looks whenever the directory changes, and at intervals, in case no event arrives. */
  follow(intervalMs: number): void {
    const look = () => void this.look()
    this.#timer = setInterval(look, intervalMs)
    const { directory, example } = this.#options
    // While the example stands in for it, nothing is wrong.
    if (example !== undefined && !existsSync(directory)) return
    try {
      this.#watcher = watch(directory, look)
      this.#watcher.on('error', (error) =>
        this.#options.report(`looking only now and then: ${error}`, 'snapshot-watch'),
      )
    } catch (error) {
      this.#options.report(`looking only every ${intervalMs} ms: ${error}`, 'snapshot-watch')
    }
  }

  /** Stops following; a load that is under way is waited for. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    this.#watcher?.close()
    this.#lookAgain = false
    await this.#looking
  }

  /** Looks for the announced snapshot and serves it. One look at a time; a call meanwhile looks once more. */
  look(): Promise<void> {
    if (this.#looking !== undefined) {
      this.#lookAgain = true
      return this.#looking
    }
    this.#looking = this.#lookOnce().finally(() => {
      this.#looking = undefined
      if (!this.#lookAgain) return
      this.#lookAgain = false
      void this.look()
    })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    const id = this.#readPointers()
    const served = this.#state.served?.id
    if (id !== undefined && id !== served) await this.#tryServe(id)
    else if (served !== undefined) await this.#followChanges(served)
  }

  /** A failure is reported; the snapshot is served all the same. */
  async #followChanges(served: string): Promise<void> {
    const { changes, report } = this.#options
    if (changes === undefined) return
    try {
      const seen = this.#changesNow(served)
      if (seen === this.#changesSeen) return
      const { files, broken } = await changes.load(served)
      // What expired while it was read is not at fault: the next look finds the files that are left.
      if (broken !== undefined && this.#changesNow(served) !== seen) return
      this.#complainOfChanges(broken)
      changes.take(files)
      this.#changesSeen = seen
    } catch (error) {
      report(`changes are not followed: ${error}`, 'history-broken')
    }
  }

  #changesNow(served: string): string {
    const files = changeEntries(this.#options.directory)
    return [served, ...files.map(({ path }) => fileIdentityOf(path))].join()
  }

  #complainOfChanges(broken: string | undefined): void {
    this.#complain('history-broken', broken && `changes are not served further back: ${broken}`)
  }

  /** The announced snapshot. A directory that has none or cannot be read is reported once and read again next time. */
  #readPointers(): string | undefined {
    const { directory } = this.#options
    try {
      this.#change({
        pinned: readPointer(directory, 'PINNED') !== undefined,
        announced: readPointer(directory, 'CURRENT'),
        heldBack: readHeldBack(directory),
        syncedAtMs: syncedAtMs.read(directory).value,
      })
      const id = announcedId(directory)
      const { heldBack } = this.#state
      this.#complain('sync-held-back', heldBack && `a sync was held back: ${heldBack.reason}`)
      this.#complain('snapshot-watch', id === undefined ? this.#lossOf(directory) : undefined)
      return id
    } catch (error) {
      this.#complain('snapshot-watch', `${directory} cannot be read: ${error}`)
      return undefined
    }
  }

  /** Complaint about a directory that no longer announces a snapshot; undefined while none of it is served. */
  #lossOf(directory: string): string | undefined {
    const { served } = this.#state
    const { example } = this.#options
    if (served === undefined || served.id === (example && announcedId(example))) return undefined
    const what = existsSync(directory) ? 'announces no snapshot' : 'is not there'
    return `${directory} ${what}: going on with ${served.id}`
  }

  /** Reports a complaint once, until there is none or another one. */
  #complain(event: LogEvent, complaint: string | undefined): void {
    const last = this.#complaints.get(event)
    if (complaint === undefined) this.#complaints.delete(event)
    else this.#complaints.set(event, complaint)
    if (complaint !== undefined && complaint !== last) this.#options.report(complaint, event)
  }

  async #tryServe(id: string, directory = this.#options.directory): Promise<boolean> {
    const { load, serve, report, clock } = this.#options
    const identity = fileIdentityOf(pathOf(directory, id))
    if (this.#refused.has(identity)) return false
    let snapshot: LoadedSnapshot
    try {
      snapshot = await load(id, directory)
      this.#complainOfChanges(snapshot.brokenChanges)
      await serve(snapshot)
    } catch (error) {
      const message = thrownMessage(error)
      const refusals = this.#state.refusals + 1
      this.#change({ refusals, lastRefusal: { message, atMs: clock() } })
      report(`snapshot ${id} is not served: ${message}`, 'snapshot-refused')
      // An error other than a refusal is no fault of the file: the file is tried again at the next look.
      if (error instanceof Refusal) {
        if (this.#refused.size === refusedMax) this.#refused.clear()
        this.#refused.add(identity)
        this.#options.onRefused?.()
      }
      return false
    }
    const { served, swaps } = this.#state
    const swapped = served === undefined ? swaps : swaps + 1
    this.#change({ served: factsOf(snapshot), servedSinceMs: clock(), swaps: swapped })
    if (served !== undefined) report(`serving snapshot ${id}`, 'snapshot-served')
    return true
  }

  #change(changes: Partial<FollowerState>): void {
    this.#state = { ...this.#state, ...changes }
  }
}

function factsOf({ header, writtenAtMs, changes }: LoadedSnapshot): ServedFacts {
  const { id, createdAt } = header
  const last = header.sections.at(-1)!
  const madeAtMs = createdAt === null ? writtenAtMs : Date.parse(createdAt)
  const stability = changes?.at(-1)?.header.stability ?? null
  return { id, bytes: last.offset + payloadBytes(last), madeAtMs, stability }
}
