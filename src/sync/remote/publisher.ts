/**
 * Announces snapshots of a directory in object storage. Everything that an announcement names is there
 * before the announcement. An announcement creates the next number, which only one publisher can; the
 * others get a refusal and have announced nothing.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { packedBytesMax, packMembers } from '../../objects/gzip-members.ts'
import type { ObjectFacts } from '../../objects/object-store.ts'
import { storageRefused } from '../../objects/storage-refusals.ts'
import { Refusal } from '../../problems.ts'
import { changeEntries } from '../../snapshot/changes/change-directory.ts'
import type { OnFraction } from '../../snapshot/file.ts'
import { pathOf } from '../../snapshot/store/directory.ts'
import { readRemovals } from '../../snapshot/store/removals.ts'
import { factsOfFile } from './fetched-file.ts'
import { listedAnnouncement } from './last-announcement.ts'
import {
  type Announcement,
  announcementKey,
  changesKey,
  currentKey,
  dataKey,
  encodeAnnouncement,
  type FileFacts,
  folders,
  type NamedFile,
  removalsKey,
  type SeenAnnouncement,
} from './layout.ts'
import { type Keeping, removeSuperseded } from './superseded.ts'

/** Options of a publisher. */
interface PublisherOptions extends Keeping {
  readonly directory: string
  /** Milliseconds since the epoch. */
  readonly clock: () => number
}

/** An announcement that stands. */
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
   * @throws Refusal `storage-refused` where the store does not see to that.
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
   * Announces a snapshot of the directory, unless that is what was announced last.
   * @param behind the number of the announcement that it is to follow; whichever is the last unless given.
   * @throws Refusal `announced-meanwhile` where another one does, `storage-unreachable`,
   * `storage-refused`; then nothing is announced.
   */
  async announce(id: string, onProgress: OnFraction, behind?: number): Promise<Announced> {
    const { store, directory, steadiness } = this.#options
    const before = await listedAnnouncement(store, 0, steadiness)
    const number = before?.number ?? 0
    if (behind !== undefined && number !== behind) throw this.#overtaken(before)
    const file = await factsOfFile(pathOf(directory, id))
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
    file: FileFacts,
    number: number,
  ): Promise<Omit<Announcement, 'by'>> {
    const { directory, clock } = this.#options
    const changes: NamedFile[] = []
    for (const { path } of changeEntries(directory)) {
      changes.push({ name: basename(path), ...(await factsOfFile(path)) })
    }
    const at = new Date(clock()).toISOString()
    return { number, id, ...file, at, removals: readRemovals(directory).digest, changes }
  }

  /** Makes sure that all that an announcement names is there, and stays until it is made. */
  async #upload(
    announcement: Omit<Announcement, 'by'>,
    before: SeenAnnouncement | undefined,
    onProgress: OnFraction,
  ): Promise<void> {
    const { store, directory } = this.#options
    const named = namesOf(before)
    const stays = (facts: ObjectFacts | undefined) =>
      facts !== undefined && (named.has(facts.key) || this.#isYoung(facts))
    const there = new Map((await store.list(folders.changes)).map((facts) => [facts.key, facts]))
    const entries = changeEntries(directory).map(({ path }) => [basename(path), path] as const)
    const paths = new Map(entries)
    for (const { name, bytes, sha256 } of announcement.changes) {
      const key = changesKey(sha256)
      if (!stays(there.get(key))) await this.#uploadFile(key, paths.get(name)!, bytes)
    }
    if (announcement.removals !== '') {
      const { text } = readRemovals(directory)
      await store.put(removalsKey(announcement.removals), Buffer.from(text), { isImmutable: true })
    }
    const key = dataKey(announcement.id)
    if (stays(await store.head(key))) return
    await this.#uploadFile(key, pathOf(directory, announcement.id), announcement.bytes, onProgress)
  }

  /**
   * Whether an object will be there until it is announced: others remove what is not announced and older
   * than the grace, so what is older than half of it is written anew.
   */
  #isYoung({ modifiedMs, seenAtMs = this.#options.clock() }: ObjectFacts): boolean {
    return modifiedMs !== undefined && seenAtMs - modifiedMs < this.#options.graceMs / 2
  }

  async #uploadFile(
    key: string,
    path: string,
    bytes: number,
    onProgress: OnFraction = () => {},
  ): Promise<void> {
    const { store, steadiness } = this.#options
    let read = 0
    async function* plain(): AsyncGenerator<Buffer, void> {
      for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
        read += chunk.length
        onProgress(read / bytes)
        yield chunk
      }
    }
    async function* paced(): AsyncGenerator<Buffer, void> {
      for await (const member of packMembers(plain())) {
        await steadiness.pace?.take(member.length)
        yield member
      }
    }
    await store.upload(key, paced(), packedBytesMax(bytes))
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
 * The keys that the last announcement names. They stay as long as it is the last; once another one is, an
 * announcement behind it is refused.
 */
function namesOf(last: SeenAnnouncement | undefined): ReadonlySet<string> {
  if (last === undefined || last.announcement instanceof Refusal) return new Set()
  const { id, changes } = last.announcement
  return new Set([dataKey(id), ...changes.map(({ sha256 }) => changesKey(sha256))])
}

/** Whether the last announcement has the same content. */
function isSame(last: SeenAnnouncement | undefined, next: Omit<Announcement, 'by'>): boolean {
  if (last === undefined || last.announcement instanceof Refusal) return false
  const { id, sha256, removals, changes } = last.announcement
  const isSame = id === next.id && sha256 === next.sha256 && removals === next.removals
  return isSame && changes.at(-1)?.name === next.changes.at(-1)?.name
}
