/**
 * Keeps the files of changes that the threads read in step with the directory while the served snapshot
 * stays the same: files expire, are rewritten without a removed person, or get damaged. The files of a new
 * snapshot come with that snapshot.
 */
import { type ChangeChain, changeEntries } from '../snapshot/changes/change-directory.ts'
import type { ChangeFile } from '../snapshot/changes/change-file.ts'
import { fileIdentityOf } from '../snapshot/store/file-identity.ts'

interface ChangesFollowerOptions {
  readonly directory: string
  readonly load: (id: string) => Promise<ChangeChain>
  readonly take: (changes: readonly ChangeFile[]) => void
  readonly report: (line: string) => void
}

export class ChangesFollower {
  readonly #options: ChangesFollowerOptions
  #seen = ''
  #complaint: string | undefined

  constructor(options: ChangesFollowerOptions) {
    this.#options = options
  }

  async look(servedId: string): Promise<void> {
    const { load, take } = this.#options
    const seen = this.#seenNow(servedId)
    if (seen === this.#seen) return
    const chain = await load(servedId)
    // What expired while it was read is not at fault: the next look finds the files that are left.
    if (chain.broken !== undefined && this.#seenNow(servedId) !== seen) return
    this.tell(chain.broken)
    take(chain.files)
    this.#seen = seen
  }

  #seenNow(servedId: string): string {
    const files = changeEntries(this.#options.directory)
    return [servedId, ...files.map(({ path }) => fileIdentityOf(path))].join()
  }

  tell(broken: string | undefined): void {
    if (broken !== undefined && broken !== this.#complaint) {
      this.#options.report(`changes are not served further back: ${broken}`)
    }
    this.#complaint = broken
  }
}
