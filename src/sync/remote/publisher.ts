/**
 * Announces snapshots of a directory in object storage. Everything that an announcement names is
 * there before. An announcement creates the next number, which only one publisher can; the others
 * have announced nothing.
 */
import { randomUUID } from 'node:crypto'
import { basename, join } from 'node:path'
import type { ObjectFacts } from '../../objects/object-store.ts'
import { storageRefused } from '../../objects/storage-refusals.ts'
import { Refusal } from '../../problems.ts'
import { changeEntries, changesFolder } from '../../snapshot/changes/change-directory.ts'
import type { OnFraction } from '../../snapshot/file.ts'
import { pathOf } from '../../snapshot/store/directory.ts'
import { readRemovals } from '../../snapshot/store/removals.ts'
import { type FileParts, packedParts, partsOfFile } from './file-parts.ts'
import { listedAnnouncement } from './last-announcement.ts'
import {
  type Announcement,
  announcementKey,
  currentKey,
  encodeAnnouncement,
  folders,
  type NamedFile,
  partKey,
  removalsKey,
  type SeenAnnouncement,
} from './layout.ts'
import { type Keeping, removeSuperseded } from './superseded.ts'

interface PublisherOptions extends Keeping {
  readonly directory: string
  readonly clock: () => number
}

interface Announced {
  readonly number: number
  /** False when the last one had the same content. */
  readonly isNew: boolean
}

export class Publisher {
  readonly #options: PublisherOptions

  constructor(options: PublisherOptions) {
    this.#options = options
  }

  /**
   * Proves that of two who create an object only one does.
   * @throws Refusal `storage-refused`.
   */
  async prove(): Promise<void> {
    const { store } = this.#options
    const key = `probe/${randomUUID()}`
    try {
      const made = await store.create(key, Buffer.from('one'))
      if (made && !(await store.create(key, Buffer.from('two')))) return
      const reason = 'the store lets two create one object, so two could announce at once'
      throw storageRefused(store.name, `${reason} (PUT with If-None-Match: *)`)
    } finally {
      await store.remove(key).catch(() => {})
    }
  }

  /**
   * Nothing is announced that was announced last.
   * @param behind the announcement that it is to follow; whichever is the last unless given.
   * @throws Refusal `announced-meanwhile` where another one does, `storage-unreachable`,
   * `storage-refused`; then nothing is announced.
   */
  async announce(id: string, onProgress: OnFraction, behind?: number): Promise<Announced> {
    const { store, directory, steadiness } = this.#options
    const before = await listedAnnouncement(store, 0, steadiness)
    const number = before?.number ?? 0
    if (behind !== undefined && number !== behind) throw this.#overtaken(before)
    const file = await partsOfFile(pathOf(directory, id))
    const announcement = await this.#announcementOf(id, file, number + 1)
    if (isSame(before, announcement)) return { number, isNew: false }
    await this.#upload(announcement, before, onProgress)
    const bytes = encodeAnnouncement(announcement)
    if (!(await store.create(announcementKey(announcement.number), bytes))) {
      throw this.#overtaken(await listedAnnouncement(store, number, steadiness))
    }
    await this.#tidy(announcement.number)
    return { number: announcement.number, isNew: true }
  }

  #overtaken(winner: SeenAnnouncement | undefined): Refusal {
    const announcement = winner?.announcement
    const what =
      announcement === undefined || announcement instanceof Refusal
        ? 'something'
        : `snapshot ${announcement.id}`
    const place = `${this.#options.store.name}: another publisher`
    const message = `${place} has announced ${what} as number ${winner?.number ?? 0} meanwhile`
    return new Refusal('announced-meanwhile', `${message}; nothing was announced`)
  }

  async #announcementOf(
    id: string,
    file: FileParts,
    number: number,
  ): Promise<Omit<Announcement, 'by'>> {
    const { directory, clock } = this.#options
    const changes: NamedFile[] = []
    for (const { path } of changeEntries(directory)) {
      changes.push({ name: basename(path), ...(await partsOfFile(path)) })
    }
    const at = new Date(clock()).toISOString()
    return { number, id, ...file, at, removals: readRemovals(directory).digest, changes }
  }

  /** All that an announcement names is there, and stays until it is made. */
  async #upload(
    announcement: Omit<Announcement, 'by'>,
    before: SeenAnnouncement | undefined,
    onProgress: OnFraction,
  ): Promise<void> {
    const { store, directory } = this.#options
    const named = namesOf(before)
    const stays = (facts: ObjectFacts) => named.has(facts.key) || this.#isYoung(facts)
    const found = (await store.list(folders.parts)).filter(stays)
    const there = new Set(found.map(({ key }) => key))
    const folder = join(directory, changesFolder)
    for (const file of announcement.changes) {
      await this.#uploadMissing(file, join(folder, file.name), there)
    }
    if (announcement.removals !== '') {
      const { text } = readRemovals(directory)
      await store.put(removalsKey(announcement.removals), Buffer.from(text), { isImmutable: true })
    }
    await this.#uploadMissing(announcement, pathOf(directory, announcement.id), there, onProgress)
  }

  /**
   * Whether an object will be there until it is announced: others remove what is not announced and older
   * than the grace, so what is older than half of it is written anew.
   */
  #isYoung({ modifiedMs, seenAtMs = this.#options.clock() }: ObjectFacts): boolean {
    return modifiedMs !== undefined && seenAtMs - modifiedMs < this.#options.graceMs / 2
  }

  async #uploadMissing(
    { parts }: FileParts,
    path: string,
    there: ReadonlySet<string>,
    onProgress: OnFraction = () => {},
  ): Promise<void> {
    const { store, steadiness } = this.#options
    const missing = [...parts.keys()].filter((index) => !there.has(partKey(parts[index]!)))
    let done = 0
    for await (const packed of packedParts(path, missing)) {
      await steadiness.pace?.take(packed.length)
      await store.put(partKey(parts[missing[done]!]!), packed, { isImmutable: true })
      done += 1
      onProgress(done / missing.length)
    }
  }

  /** Tidying up may fail: the announcement stands. */
  async #tidy(number: number): Promise<void> {
    const { store, steadiness } = this.#options
    try {
      const text = announcementKey(number).slice(folders.announcements.length)
      await store.put(currentKey, Buffer.from(`${text}\n`), { isImmutable: false })
      await removeSuperseded(this.#options, number)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      steadiness.report(`${error.message}; what was announced stands`)
    }
  }
}

/**
 * They stay as long as it is the last; once another one is, an announcement behind it is refused.
 */
function namesOf(last: SeenAnnouncement | undefined): ReadonlySet<string> {
  if (last === undefined || last.announcement instanceof Refusal) return new Set()
  const files = [last.announcement, ...last.announcement.changes]
  return new Set(files.flatMap(({ parts }) => parts.map(partKey)))
}

function isSame(last: SeenAnnouncement | undefined, next: Omit<Announcement, 'by'>): boolean {
  if (last === undefined || last.announcement instanceof Refusal) return false
  const { id, parts, removals, changes } = last.announcement
  const isSame = id === next.id && `${parts}` === `${next.parts}` && removals === next.removals
  return isSame && changes.at(-1)?.name === next.changes.at(-1)?.name
}
