/**
 * The ways in which a snapshot takes the place of the one before it. With two copies the next is read beside the one that is served.
 * With one copy the texts make room: those of the served snapshot are read from its file while the columns of the next are
 * read into their memory, and the texts of the next are read into the memory of the columns that were served.
 */
import { thrownMessage } from '../../problems.ts'
import type { Snapshot } from '../../snapshot/file.ts'
import { pathOf } from '../../snapshot/store/directory.ts'
import { partsOf } from '../../snapshot/store/removals.ts'
import type { Loader } from '../loader.ts'
import type { LoadedSnapshot, ServedSnapshot } from '../protocol.ts'

/** Brings a snapshot into memory, and hands it to the threads. */
export interface Swaps {
  /** @throws Refusal `snapshot-refused`, `snapshot-missing`; then the earlier one is served as before. */
  load(id: string, directory: string): Promise<LoadedSnapshot>
  /** Rejects only while the earlier one is still served. */
  serve(snapshot: LoadedSnapshot): Promise<void>
}

/** The threads that serve a snapshot. */
interface ServingThreads {
  readonly snapshot: ServedSnapshot | undefined
  serve(snapshot: ServedSnapshot): Promise<ServedSnapshot | undefined>
}

/**
 * The way to swap: with one copy where texts are in memory once, else with two.
 * @param report is called with why texts are read from a file longer than a swap takes.
 */
export function swapsOf(
  loader: Loader,
  threads: ServingThreads,
  report: (line: string) => void,
): Swaps {
  return loader.isPooled ? new OneCopy(loader, threads, report) : new TwoCopies(loader, threads)
}

/** Swaps with two copies in memory. */
class TwoCopies implements Swaps {
  readonly #loader: Loader
  readonly #threads: ServingThreads

  constructor(loader: Loader, threads: ServingThreads) {
    this.#loader = loader
    this.#threads = threads
  }

  load(id: string, directory: string): Promise<LoadedSnapshot> {
    return this.#loader.load(id, directory)
  }

  async serve(snapshot: LoadedSnapshot): Promise<void> {
    const before = await this.#threads.serve(snapshot)
    if (before !== undefined) void this.#loader.recycle(before, isErased(before, snapshot))
  }
}

/** Swaps with one copy in memory, and two of the columns. The loader reads columns only, into a pool. */
class OneCopy implements Swaps {
  readonly #loader: Loader
  readonly #threads: ServingThreads
  readonly #report: (line: string) => void
  /** The file of the snapshot that is served. */
  #path = ''
  #nextPath = ''

  constructor(loader: Loader, threads: ServingThreads, report: (line: string) => void) {
    this.#loader = loader
    this.#threads = threads
    this.#report = report
  }

  async load(id: string, directory: string): Promise<LoadedSnapshot> {
    this.#nextPath = pathOf(directory, id)
    await this.#makeRoom()
    try {
      return await this.#loader.load(id, directory)
    } catch (error) {
      await this.#fill(this.#path)
      throw error
    }
  }

  async serve(snapshot: LoadedSnapshot): Promise<void> {
    const before = this.#threads.snapshot
    if (before === undefined) return this.#serveFirst(snapshot)
    try {
      await this.#threads.serve(snapshot)
    } catch (error) {
      this.#loader.closeFile(snapshot)
      await this.#loader.release(snapshot, 'columns')
      await this.#fill(this.#path)
      throw error
    }
    this.#loader.closeFile(before)
    this.#path = this.#nextPath
    await this.#releaseAll(before)
    await this.#fill(this.#path)
    if (isErased(before, snapshot)) await this.#loader.wipe()
  }

  async #releaseAll(snapshot: Snapshot): Promise<void> {
    await this.#loader.release(snapshot, 'columns')
    await this.#loader.release(snapshot, 'texts')
  }

  async #serveFirst(snapshot: LoadedSnapshot): Promise<void> {
    try {
      const { sections } = await this.#loader.readTexts(snapshot, this.#nextPath)
      await this.#threads.serve({ ...snapshot, sections, texts: undefined })
    } catch (error) {
      await this.#releaseAll(snapshot)
      throw error
    } finally {
      this.#loader.closeFile(snapshot)
    }
    this.#path = this.#nextPath
  }

  /** The served snapshot reads its texts from its file, and gives their memory back; where it cannot, it keeps them. */
  async #makeRoom(): Promise<void> {
    const served = this.#threads.snapshot
    if (served === undefined || served.texts !== undefined) return
    try {
      await this.#threads.serve({
        ...served,
        ...(await this.#loader.leaveTexts(served, this.#path)),
      })
    } catch (error) {
      this.#report(`two copies of texts are in memory for this swap: ${thrownMessage(error)}`)
      return
    }
    await this.#loader.release(served, 'texts')
  }

  /** Reads the texts of what is served into memory; where they cannot be read, they stay in the file. */
  async #fill(path: string): Promise<void> {
    const stored = this.#threads.snapshot
    if (stored?.texts === undefined) return
    try {
      const { sections } = await this.#loader.readTexts(stored, path)
      await this.#threads.serve({ ...this.#threads.snapshot!, sections, texts: undefined })
    } catch (error) {
      await this.#loader.release(stored, 'texts')
      this.#report(`texts are read from the file until the next swap: ${thrownMessage(error)}`)
      return
    }
    this.#loader.closeFile(stored)
  }
}

/** Whether the snapshot before may hold somebody who was removed since. */
function isErased(before: Snapshot, after: Snapshot): boolean {
  const removedFrom = ({ header }: Snapshot) => partsOf(header.sourceFingerprint).digest
  return removedFrom(before) !== removedFrom(after)
}
