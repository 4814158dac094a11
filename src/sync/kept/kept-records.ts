/**
 * An incremental sync: people whose lines are those of the sync before are taken again from what that one kept, and
 * this one keeps in turn what it has. Kept is only what a record alone decides, under the key of all else that decides.
 */
import type { Collector } from '../../indexer/collector.ts'
import {
  digestColumn,
  looksColumn,
  peopleColumns,
  wordColumns,
  wordsIn,
} from '../../indexer/kept/columns.ts'
import { KeptPeople } from '../../indexer/kept/kept-people.ts'
import { recipeVersion } from '../../indexer/recipe.ts'
import { uint32Column } from '../../memory/columns.ts'
import { digestNumbers, pushDigest } from '../../memory/known/digests.ts'
import type { Values } from '../../settings.ts'
import type { Corrections } from '../../source/corrections.ts'
import type { AuthorityRecord } from '../../source/schema.ts'
import type { ConnectionBatch, KnownConnections, UnreadEntry } from '../../source/source.ts'
import { programVersion } from '../../version.ts'
import { type BestNames, looksOf } from '../changes/single/best-names.ts'
import type { Progress } from '../progress.ts'
import { connectionColumns, connectionsIn, noConnections } from './kept-connections.ts'
import { keptPath, readKept, writeKept } from './kept-file.ts'

/** The settings that decide on what is made of a record, and the directory. */
interface KeepingOptions
  extends Values<'snapshots' | 'trust' | 'vetted' | 'sourceShareMax' | 'lookalikes'> {
  readonly progress: Progress
}

/** The removed people, as far as what is kept depends on them. */
interface Removed {
  readonly removals: { readonly digest: string }
  /** Whether a record has a handle or an identifier that is on their list. */
  touches(record: AuthorityRecord): boolean
}

/** To be raised by one when the columns are others. */
const columnsVersion = 2

export class KeptRecords {
  readonly #options: KeepingOptions
  readonly #collector: Collector
  readonly #removed: Removed
  readonly #key: string
  readonly #people: KeptPeople | undefined
  /** Of each authority of the collector so far. */
  readonly #digests = uint32Column()
  readonly #looks = uint32Column()
  #taken = 0
  /** Those of the sync before. */
  readonly connections: KnownConnections
  readonly #batches: ConnectionBatch[] = []

  /** Opens what an earlier sync kept; a line says so where nothing of it can be used. */
  constructor(options: KeepingOptions, collector: Collector, removed: Removed) {
    this.#options = options
    this.#collector = collector
    this.#removed = removed
    this.#key = keyOf(options, removed.removals.digest)
    const columns = readKept(options.snapshots, this.#key)
    if (typeof columns === 'string') {
      options.progress.note(`${keptPath(options.snapshots)} ${columns}: all records are read`)
      this.connections = noConnections
      return
    }
    this.#people = new KeptPeople(columns, collector)
    collector.keywords.knows(wordsIn(columns))
    this.connections = connectionsIn(columns)
  }

  /**
   * Takes an entry again if its line is known; else the record has to be read: so has one that is corrected, or whose
   * name imitates another by now.
   */
  takes(
    { digest, position }: UnreadEntry<unknown>,
    corrections: Corrections,
    names: BestNames,
  ): boolean {
    const people = this.#people
    const person = people?.find(digest) ?? -1
    if (people === undefined || person < 0) return false
    const looks = people.looksOf(person)
    if (corrections.length > 0 || names.mayImitate(looks)) {
      const { sdu, name } = people.identityOf(person)
      if (corrections.has(sdu)) return false
      if (this.#isSuspicious(looks, sdu, name, names)) return false
    }
    if (!people.take(person, position)) return false
    this.#looks.push(looks)
    pushDigest(digest, this.#digests)
    this.#taken += 1
    return true
  }

  /** Of a name that was not suspicious by itself. */
  #isSuspicious(looks: number, sdu: string, name: string, names: BestNames): boolean {
    if (this.#options.lookalikes === 'off' || names.isOwn(looks, sdu, name)) return false
    return names.suspicionOf(sdu, name) !== undefined
  }

  /**
   * Notes a record that was read and added, if it was.
   * @param isPlain whether all of it was taken as it was read, and nothing else decided on it.
   */
  note(digest: string, record: AuthorityRecord, isPlain: boolean): void {
    if (this.#digests.length === this.#collector.authorities * digestNumbers) return
    // Facts beyond the limit were left out, which might be taken another time.
    const isWhole = isPlain && !this.#collector.attributes.isFull
    const isKept = isWhole && !this.#removed.touches(record)
    this.#looks.push(looksOf(record.name))
    pushDigest(isKept ? digest : '', this.#digests)
  }

  /** Keeps nothing of people who claim what others claim, too; before the claims are settled. */
  dropContestants(): void {
    const digests = this.#digests.view()
    for (const person of this.#collector.claims.contestants()) {
      digests.fill(0, person * digestNumbers, (person + 1) * digestNumbers)
    }
  }

  /** Notes a batch of connections, in order. */
  noteConnections(batch: ConnectionBatch): void {
    this.#batches.push(batch)
  }

  /** Writes what the next sync may take again. A disk that refuses it costs that sync the time, no more. */
  async write(): Promise<void> {
    const { snapshots, progress } = this.#options
    const people = this.#collector.authorities
    progress.note(`${this.#taken} of ${people} authorities are as they were read before`)
    const words = await this.#collector.keywords.words()
    try {
      writeKept(snapshots, this.#key, this.#columns(wordColumns(words)))
    } catch (error) {
      const reason = (error as Error).message
      progress.note(`${keptPath(snapshots)} was not written: ${reason}; the next sync reads all`)
    }
  }

  *#columns(words: ReturnType<typeof wordColumns>) {
    yield [digestColumn, this.#digests.view()] as const
    yield [looksColumn, this.#looks.view()] as const
    yield* peopleColumns(this.#collector)
    yield* words
    yield* connectionColumns(this.#batches)
  }
}

/** All that decides on what is made of a record, but the record. */
function keyOf(options: KeepingOptions, removals: string): string {
  const { trust, vetted, sourceShareMax, lookalikes } = options
  const { unicode, icu, node } = process.versions
  const program = [columnsVersion, programVersion, recipeVersion, node, unicode, icu]
  const settings = [trust, vetted, sourceShareMax, lookalikes === 'off', removals]
  return JSON.stringify([...program, ...settings])
}
