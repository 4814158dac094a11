/**
 * The tags that accounts split their bill by (`X-Tag`), in memory that all threads share. A line counts the sales to
 * the keys of one lineage; their sales under a tag are counted on a line of its own, so that the tag of every sale
 * is certain. A serving thread makes such a line in the request that needs it. An account has a hundred tags.
 * Entries are only ever added, under one lock, and each is whole before it is counted.
 */
import { limits } from '../../../limits.ts'
import type { AccountTag } from '../../port.ts'
import { SharedLocks } from '../shared-locks.ts'

/** The most entries: lines of tags, and tags that the ledger knows. */
export const tagEntriesMax = 131_072
/** Maximum number of entries of one account, so that none takes the room of all. */
const entriesOfAccountMax = tagEntriesMax / 8

/** The form of a tag: a table or a shell reads nothing in it as more than a name. */
const tagShape = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${limits.tagCharactersMax - 1}}$`)

/** Whether a text can be a tag. */
export function isTag(text: string): boolean {
  return tagShape.test(text)
}

/** The memory itself: a plain value to hand to a worker thread. */
export interface SharedTagLines {
  /** The lock. */
  readonly lock: SharedArrayBuffer
  /** Number of entries. */
  readonly count: SharedArrayBuffer
  /** For each entry the line of its lineage, or -1, and the slot of its account. */
  readonly entries: SharedArrayBuffer
  /** For each entry a byte with its length, and its characters. */
  readonly texts: SharedArrayBuffer
}

const textBytes = 1 + limits.tagCharactersMax

/** Some 9 MiB, untouched pages of which cost nothing. */
export function createSharedTagLines(): SharedTagLines {
  return {
    lock: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    count: new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT),
    entries: new SharedArrayBuffer(2 * tagEntriesMax * Int32Array.BYTES_PER_ELEMENT),
    texts: new SharedArrayBuffer(textBytes * tagEntriesMax),
  }
}

/** A line of a tag. */
interface TagLine {
  /** Its number among the lines of tags. */
  readonly entry: number
  /** The line of the lineage. */
  readonly line: number
  readonly tag: string
}

/** Why there is no line: the account has all the tags that it may, or there is no room. */
export type TagRefusal = 'too-many' | 'no-room'

/** A tag that needs a line, with the slot of its account and the line of its lineage. */
interface Wanted {
  readonly accountSlot: number
  readonly line: number
  readonly tag: string
}

/** Tags of an account that a thread has read, and the number of their entries. */
interface KnownTags {
  readonly tags: Set<string>
  entries: number
}

const noLine = -1

/** One thread's view. */
export class TagLines {
  readonly #locks: SharedLocks
  readonly #count: Int32Array
  readonly #entries: Int32Array
  readonly #texts: Buffer
  /** Entries by `line tag`, as far as this thread has read them. */
  readonly #byName = new Map<string, number>()
  readonly #accounts = new Map<number, KnownTags>()
  #read = 0

  /** @param place of the thread, from 0; no two that run at a time have the same. */
  constructor({ lock, count, entries, texts }: SharedTagLines, place: number) {
    this.#locks = new SharedLocks(lock, place)
    this.#count = new Int32Array(count)
    this.#entries = new Int32Array(entries)
    this.#texts = Buffer.from(texts)
  }

  /** Opens the lock of a thread that died in this place. */
  releaseLeftOver(): void {
    this.#locks.releaseLeftOver()
  }

  /** The entry of a tag of a key, made where there is none; or why there can be none. */
  entryOf(wanted: Wanted): number | TagRefusal {
    const name = `${wanted.line} ${wanted.tag}`
    return (
      this.#byName.get(name) ??
      this.#locks.locked(0, () => {
        this.#readNew()
        return this.#byName.get(name) ?? this.#made(wanted)
      })
    )
  }

  /** Takes note of tags that the ledger knows, as far as half of the room goes. */
  learn(tags: readonly (Pick<AccountTag, 'tag'> & { readonly accountSlot: number })[]): void {
    if (tags.length === 0) return
    this.#locks.locked(0, () => {
      this.#readNew()
      for (const { accountSlot, tag } of tags) {
        const isKnown = this.#accounts.get(accountSlot)?.tags.has(tag) === true
        if (isKnown || this.#read >= tagEntriesMax / 2 || !isTag(tag)) continue
        this.#append({ accountSlot, line: noLine, tag })
      }
    })
  }

  /** The lines of tags from an entry on, and the entry to go on with. */
  linesFrom(entry: number): { readonly lines: readonly TagLine[]; readonly next: number } {
    const next = Atomics.load(this.#count, 0)
    const lines: TagLine[] = []
    for (let at = entry; at < next; at += 1) {
      const line = this.#entries[2 * at]!
      if (line !== noLine) lines.push({ entry: at, line, tag: this.#tagAt(at) })
    }
    return { lines, next }
  }

  #made(wanted: Wanted): number | TagRefusal {
    const known = this.#accounts.get(wanted.accountSlot)
    const isNew = known?.tags.has(wanted.tag) !== true
    if (isNew && (known?.tags.size ?? 0) >= limits.tagsMax) return 'too-many'
    const isFull = this.#read === tagEntriesMax || (known?.entries ?? 0) >= entriesOfAccountMax
    return isFull ? 'no-room' : this.#append(wanted)
  }

  /** Under the lock. */
  #append({ accountSlot, line, tag }: Wanted): number {
    const entry = this.#read
    this.#entries[2 * entry] = line
    this.#entries[2 * entry + 1] = accountSlot
    this.#texts[entry * textBytes] = tag.length
    this.#texts.write(tag, entry * textBytes + 1, 'latin1')
    Atomics.store(this.#count, 0, entry + 1)
    this.#readNew()
    return entry
  }

  #readNew(): void {
    const count = Atomics.load(this.#count, 0)
    for (; this.#read < count; this.#read += 1) {
      const line = this.#entries[2 * this.#read]!
      const slot = this.#entries[2 * this.#read + 1]!
      const tag = this.#tagAt(this.#read)
      if (line !== noLine) this.#byName.set(`${line} ${tag}`, this.#read)
      const known = this.#accounts.get(slot) ?? { tags: new Set<string>(), entries: 0 }
      known.tags.add(tag)
      known.entries += 1
      this.#accounts.set(slot, known)
    }
  }

  #tagAt(entry: number): string {
    const at = entry * textBytes
    return this.#texts.toString('latin1', at + 1, at + 1 + this.#texts[at]!)
  }
}
