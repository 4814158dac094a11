/**
 * The steps of a mirror in its directory: everything that an announcement names is fetched under
 * names that no reader uses, then put in its place, and announced. An end in between leaves the
 * earlier announcement, and the files fetched so far.
 */
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadableObjects } from '../../objects/object-store.ts'
import type { RetryPolicy } from '../../objects/read-with-resume.ts'
import { objectDamaged, storageRefused } from '../../objects/storage-refusals.ts'
import { Refusal } from '../../problems.ts'
import { anyText, objectOf, positiveNumber } from '../../reading/readers.ts'
import { changeFileShape, changesFolder } from '../../snapshot/changes/change-directory.ts'
import { readHeader } from '../../snapshot/file.ts'
import { announce, pathOf, retain } from '../../snapshot/store/directory.ts'
import { fileIdentityOf } from '../../snapshot/store/file-identity.ts'
import {
  type Removals,
  readRemovals,
  removalsDigest,
  removalsIn,
} from '../../snapshot/store/removals.ts'
import { asJson, stateFile } from '../../snapshot/store/state-file.ts'
import { removeHolders } from '../removals/removal.ts'
import { type Fetch, fetchFile, isWaiting, partialSuffix, putFile } from './fetched-file.ts'
import {
  type Announcement,
  announcementKey,
  type NamedFile,
  readSmall,
  removalsKey,
} from './layout.ts'

export interface FillingOptions {
  readonly store: ReadableObjects
  readonly directory: string
  readonly keep: number
  readonly steadiness: RetryPolicy
}

const mirrored = stateFile<{ from: string; number: number }>(
  'MIRRORED',
  asJson(objectOf({ from: anyText, number: positiveNumber })),
)

export function mirroredNumber(directory: string, from: string): number {
  const { value } = mirrored.read(directory)
  // Where none is noted it is fetched once more, which costs no more than to see that it is here.
  return value?.from === from ? value.number : 0
}

export function noteMirrored(directory: string, from: string, number: number): void {
  mirrored.write(directory, { from, number })
}

export class Download {
  readonly #options: FillingOptions
  /** Files of changes that were proved, by path: what tells them from others there. */
  readonly #proved = new Map<string, string>()

  constructor(options: FillingOptions) {
    this.#options = options
  }

  /** @throws Refusal as `fetchFile`; `snapshot-refused` where this program cannot read it. */
  async fetchSnapshot(
    announcement: Announcement,
    callbacks: Pick<Fetch, 'onProgress' | 'onObject'>,
  ): Promise<void> {
    const { store, directory, steadiness } = this.#options
    const { id, bytes, parts, number } = announcement
    const path = pathOf(directory, id)
    mkdirSync(join(directory, changesFolder), { recursive: true })
    removePartials(directory, [path])
    await fetchFile({ store, path, bytes, parts, steadiness, ...callbacks })
    const header = readHeader(isWaiting(path) ? `${path}${partialSuffix}` : path)
    if (header.id === id) return
    const place = `${store.name}/${announcementKey(number)}`
    throw objectDamaged(place, `names the parts of snapshot ${header.id} as those of ${id}`)
  }

  /** A damaged file is reported and left out: a chain begins behind it. */
  async fetchChanges(announcement: Announcement, onBytes: (came: number) => void): Promise<void> {
    const { directory, steadiness } = this.#options
    const folder = join(directory, changesFolder)
    removePartials(
      folder,
      announcement.changes.map(({ name }) => join(folder, name)),
    )
    for (const file of announcement.changes) {
      try {
        await this.#fetchChange(file, join(folder, file.name), onBytes)
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'object-damaged') throw error
        steadiness.report(error.message)
      }
    }
  }

  async #fetchChange(file: NamedFile, path: string, onBytes: (came: number) => void) {
    const { store, steadiness } = this.#options
    const { bytes, parts } = file
    if (this.#proved.get(path) === proofOf(file, path)) return
    const onProgress = (_: number, came: number) => onBytes(came)
    await fetchFile({ store, path, bytes, parts, steadiness, onProgress })
    if (!isWaiting(path)) this.#proved.set(path, proofOf(file, path))
  }

  /**
   * With everybody who is on our own.
   * @throws Refusal `object-damaged`, `storage-refused` where the two are of different keys.
   */
  async removalsOf({ removals: digest }: Announcement): Promise<Removals> {
    const { store, directory, steadiness } = this.#options
    const own = readRemovals(directory)
    if (digest === '' || digest === own.digest) return own
    const place = `${store.name}/${removalsKey(digest)}`
    const read = await readSmall(store, removalsKey(digest), steadiness)
    if (read === undefined) throw objectDamaged(place, 'it is not there')
    const theirs = removalsIn(read.text, place)
    if (removalsDigest(read.text) !== digest)
      throw objectDamaged(place, 'its content is not what was announced')
    const merged = own.merged(theirs)
    if (merged !== undefined) return merged
    throw storageRefused(place, `is another list than REMOVED of ${directory}: keep one of them`)
  }

  /** Also removes what is not to be kept. */
  activate(announcement: Announcement, removals: Removals): void {
    const { store, directory, keep } = this.#options
    const { id, number } = announcement
    if (removals.digest !== readRemovals(directory).digest) removals.write(directory)
    putFile(pathOf(directory, id))
    this.#putChanges(announcement.changes)
    announce(directory, id)
    noteMirrored(directory, store.name, number)
    removeHolders(directory, removals, id)
    retain(directory, keep)
  }

  #putChanges(files: readonly NamedFile[]): void {
    const folder = join(this.#options.directory, changesFolder)
    const announced = new Set(files.map(({ name }) => name))
    for (const file of files) {
      const path = join(folder, file.name)
      if (!isWaiting(path)) continue
      putFile(path)
      this.#proved.set(path, proofOf(file, path))
    }
    for (const name of readdirSync(folder)) {
      if (changeFileShape.test(name) && !announced.has(name)) rmSync(join(folder, name))
    }
  }
}

function proofOf({ parts }: NamedFile, path: string): string {
  return `${parts} ${fileIdentityOf(path)}`
}

function removePartials(directory: string, wanted: readonly string[]): void {
  for (const name of readdirSync(directory)) {
    const [whole = ''] = name.split(partialSuffix)
    if (name === whole || wanted.includes(join(directory, whole))) continue
    rmSync(join(directory, name), { force: true })
  }
}
