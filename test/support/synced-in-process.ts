/** Syncs of small sources inside the test's own process: what each said, and what it left. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../src/problems.ts'
import { settings, settingValuesOf } from '../../src/settings.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { loadForAnswers } from '../../src/snapshot/store/directory.ts'
import { readPointer } from '../../src/snapshot/store/states.ts'
import { type SyncOptions, type SyncResult, syncOnce } from '../../src/sync/sync.ts'
import { syncSettings } from '../../src/sync/sync-settings.ts'
import { temporaryDirectory } from './built.ts'

/** The lines of a source by the name of their file, without `.ndjson`; a text is taken as it is. */
export type SourceLines = Readonly<Partial<Record<string, readonly unknown[]>>>

type SyncOutcome = { readonly notes: readonly string[] } & (
  | (SyncResult & { readonly refusal?: never })
  | { readonly refusal: string }
)

export function peopleOf(count: number, more: (number: number) => object = () => ({})) {
  return Array.from({ length: count }, (_, index) => ({
    ...{ sdu: String(index + 1), name: `Person Number${index + 1}`, topics: ['Rust'] },
    ...more(index + 1),
  }))
}

export class SyncedInProcess {
  readonly source: string
  readonly snapshots: string
  #times = 0

  constructor(snapshots = join(temporaryDirectory(), 'snapshots')) {
    this.source = temporaryDirectory()
    this.snapshots = snapshots
  }

  /** Writes files of the source; the others stay. */
  write(files: SourceLines): void {
    for (const [name, lines = []] of Object.entries(files)) {
      const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      writeFileSync(join(this.source, `${name}.ndjson`), texts.join('\n'))
    }
  }

  async sync(files: SourceLines = {}, more: Partial<SyncOptions> = {}): Promise<SyncOutcome> {
    this.write(files)
    const notes: string[] = []
    const note = (line: string) => {
      notes.push(line)
    }
    const progress = { phase: () => {}, update: () => {}, note, stop: () => {} }
    const { source, snapshots } = this
    const defaults = {
      ...settingValuesOf(syncSettings, {}, {}),
      ...settings.gate.defaultValue,
      source,
      snapshots,
    }
    this.#times += 1
    const clock = () => this.#times * 1_000
    try {
      return { notes, ...(await syncOnce({ ...defaults, clock, progress, ...more })) }
    } catch (error) {
      if (error instanceof Refusal) return { notes, refusal: error.message }
      throw error
    }
  }
  /** As `sync`, and the source may not be refused. */
  async taken(files: SourceLines = {}, more: Partial<SyncOptions> = {}) {
    const outcome = await this.sync(files, more)
    if (outcome.refusal !== undefined) throw new Error(outcome.refusal)
    return outcome
  }

  /** The snapshot that is announced, as answers are made from it. */
  current(): Snapshot {
    return loadForAnswers(this.snapshots, readPointer(this.snapshots, 'CURRENT')!)
  }
}
