/**
 * The parts of stored texts that one thread has in memory: blocks in a slab of a fixed size, which all snapshots
 * after another share. A block is proved by its checksum whenever it is read, and stays where it is until
 * the turn of the loop ends; nothing is read in between but where `readsAtOnce` is set. All that is in memory at
 * once, held by requests too, is bounded.
 */
import { read, readSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { copySourceOf } from '../../memory/copy-text.ts'
import { CannotBeBrought, type Hold, NotAtHand } from '../../memory/elsewhere/not-at-hand.ts'
import type { PartSource, TextPage } from '../../memory/paged-texts.ts'
import type { Problem } from '../../problems.ts'
import { HeldRoom } from './held-room.ts'
import { blockShift, type StoredPage, type StoredTexts } from './stored-texts.ts'

/** An event that the cache counts. */
type TextEvent = 'textHits' | 'textMisses' | 'textReadBytes' | 'textErrors'

/** Options of a cache. */
export interface TextCacheOptions {
  /** Bytes of all blocks together; a few blocks at least. */
  readonly bytesMax: number
  /** Called with each event, and the number to add to its count. */
  readonly onEvent?: (event: TextEvent, by: number) => void
  /** Reads from a file as `fs.read` does; another one in tests. */
  readonly read?: typeof read
  readonly readSync?: typeof readSync
}

/** Most blocks are shorter: an entry that begins at the end of a block goes on behind it. */
const frameBytes = 2 ** (blockShift + 1)
/** As many as one item and its neighbours need, so that none of them makes another leave. */
const framesMin = 16
/** Reads of one thread at a time: the threads that read are those that compress, four of a process. */
const readsMax = 2
/** Frames that are wiped in one turn of the loop. */
const wipedAtOnce = 128
/** Blocks longer than a frame that are kept without a hold. */
const longKept = 8
/** Bytes that requests may hold at once, however small the cache is. */
const heldBytesMin = 16 << 20

/** A block in memory. */
interface Frame extends TextPage {
  text: Uint8Array
  base: number
  readonly buffer: Uint8Array
  owner: BlockPage | undefined
  block: number
  /** Number of holds that keep the block in memory. */
  holds: number
  isUsed: boolean
  /** Its number in the slab, counted from 1; 0 where it has memory of its own. */
  readonly number: number
}

/** A block that is being read, and the requests that wait for it. */
interface Reading {
  readonly frame: Frame
  readonly waiting: { readonly hold: Hold; readonly done: (error?: unknown) => void }[]
}

/** A page of texts as one thread has it. */
interface BlockPage {
  readonly stored: StoredPage
  readonly texts: StoredTexts
  /** The number of each block's frame, counted from 1, or 0. */
  readonly frames: Uint32Array
  /** Blocks that have no frame of the slab. */
  readonly extras: Map<number, Frame>
  readonly readings: Map<number, Reading>
}

/** A block that is to be read. */
interface MissingBlock {
  readonly page: BlockPage
  readonly block: number
}

/** Problem that a client receives while the texts of an answer cannot be read from the file. */
const unavailable: Problem = {
  code: 'texts-unavailable',
  detail: 'the answer needs texts that cannot be read from the disk in time; nothing was charged',
}

export class TextCache {
  /**
   * Whether what is missing is read at once, while the thread waits: for callers that serve no others. Else
   * `NotAtHand` is thrown.
   */
  readsAtOnce = true
  readonly #options: TextCacheOptions
  readonly #slab: Uint8Array
  readonly #frames: Frame[] = []
  readonly #framesMax: number
  #pages: BlockPage[] = []
  #hand = 0
  #last: Frame | undefined
  #reads = 0
  /** The reads to come of each request: they take turns. */
  readonly #queues = new Map<Hold, (() => boolean)[]>()
  readonly #room: HeldRoom

  constructor(options: TextCacheOptions) {
    this.#options = options
    this.#framesMax = Math.max(framesMin, Math.floor(options.bytesMax / frameBytes))
    this.#room = new HeldRoom(Math.max(heldBytesMin, options.bytesMax))
    // Not zeroed: memory that was never written to takes no room.
    this.#slab = Buffer.allocUnsafeSlow(this.#framesMax * frameBytes)
  }

  /** The parts of some pages of stored texts. */
  partsOf(texts: StoredTexts, pages: readonly StoredPage[]): PartSource {
    const { first } = texts
    const own = pages.map((stored) => ({
      ...{ stored, texts, frames: new Uint32Array(stored.checksums.length) },
      ...{ extras: new Map<number, Frame>(), readings: new Map<number, Reading>() },
    }))
    this.#pages.push(...own)
    return {
      first,
      partAt: (page, start) => this.#partAt(own[page]!, start >>> blockShift),
      want: (places) => this.#want(own, places),
    }
  }

  /** Brings blocks into memory, where they stay until `hold` is let go. @throws CannotBeBrought. */
  async #fetch(blocks: readonly MissingBlock[], hold: Hold): Promise<void> {
    let bytes = 0
    for (const { page, block } of blocks) bytes += Math.max(frameBytes, rangeOf(page, block)[1])
    const room = this.#room.enter(hold, bytes)
    if (room !== undefined) await room
    if (hold.isOver) return
    const all = await Promise.allSettled(blocks.map((each) => this.#fetchBlock(each, hold)))
    for (const each of all) if (each.status === 'rejected') throw each.reason
  }

  /**
   * Gives up and overwrites all blocks of other snapshots.
   * @returns when that is done: a little in each turn of the loop.
   */
  async keepOnly(texts: StoredTexts | undefined): Promise<void> {
    const kept = new Set<StoredPage | undefined>(Object.values(texts?.pages ?? {}))
    this.#pages = this.#pages.filter(({ stored }) => kept.has(stored))
    this.#last = undefined
    for (const [index, frame] of this.#frames.entries()) {
      if (index % wipedAtOnce === wipedAtOnce - 1) await nextTurn()
      const { owner, holds } = frame
      // A held frame is being filled, or a later turn reads it.
      if (owner === undefined || holds > 0 || kept.has(owner.stored)) continue
      this.#drop(frame)
      frame.buffer.fill(0)
    }
  }

  #partAt(page: BlockPage, block: number): TextPage {
    const frame = this.#frameOf(page, block)
    if (frame === undefined) {
      if (!this.readsAtOnce) throw this.#missing([{ page, block }])
      return this.#readNow(page, block)
    }
    if (frame !== this.#last) this.#used(frame)
    return frame
  }

  /** A block in memory; undefined where it is not there. */
  #frameOf({ frames, extras }: BlockPage, block: number): Frame | undefined {
    const number = frames[block]!
    return number > 0 ? this.#frames[number - 1] : extras.get(block)
  }

  #used(frame: Frame): void {
    this.#last = frame
    frame.isUsed = true
    this.#options.onEvent?.('textHits', 1)
  }

  #want(pages: readonly BlockPage[], places: Iterable<readonly [number, number]>): void {
    if (this.readsAtOnce) return
    const missing = new Map<StoredPage, Map<number, MissingBlock>>()
    for (const [index, start] of places) {
      const page = pages[index]!
      const block = start >>> blockShift
      if (this.#frameOf(page, block) !== undefined) continue
      const blocks = missing.get(page.stored) ?? new Map<number, MissingBlock>()
      missing.set(page.stored, blocks.set(block, { page, block }))
    }
    if (missing.size === 0) return
    throw this.#missing([...missing.values()].flatMap((blocks) => [...blocks.values()]))
  }

  #missing(blocks: readonly MissingBlock[]): NotAtHand {
    this.#options.onEvent?.('textMisses', blocks.length)
    return new NotAtHand(unavailable, blocks, (hold) => this.#fetch(blocks, hold))
  }

  #fetchBlock({ page, block }: MissingBlock, hold: Hold): Promise<void> {
    const frame = this.#frameOf(page, block)
    if (frame !== undefined) {
      this.#holdFrame(frame, hold)
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const done = (error?: unknown) => (error === undefined ? resolve() : reject(error))
      const reading = page.readings.get(block)
      if (reading !== undefined) {
        reading.waiting.push({ hold, done })
        return
      }
      const begun: Reading = { frame: this.#takeFrame(page, block), waiting: [{ hold, done }] }
      page.readings.set(block, begun)
      const own = this.#queues.get(hold) ?? []
      own.push(() => this.#read(page, block, begun))
      this.#queues.set(hold, own)
      this.#pump()
    })
  }

  #pump(): void {
    while (this.#reads < readsMax) {
      const [next] = this.#queues
      if (next === undefined) return
      const [hold, own] = next
      const start = own.shift()!
      this.#queues.delete(hold)
      if (own.length > 0) this.#queues.set(hold, own)
      if (start()) this.#reads += 1
    }
  }

  /** Begins to read a block; false where no request waits for it any more, so that the disk is left to others. */
  #read(page: BlockPage, block: number, reading: Reading): boolean {
    if (reading.waiting.every(({ hold }) => hold.isOver)) {
      this.#end(page, block, reading, abandoned)
      return false
    }
    const { buffer } = reading.frame
    const [start, length] = rangeOf(page, block)
    const go = this.#options.read ?? read
    const position = page.stored.offset + start
    go(page.texts.file, buffer, 0, length, position, (error, bytes) => {
      this.#reads -= 1
      this.#pump()
      this.#end(page, block, reading, error ?? problemOf(page, block, buffer, bytes))
    })
    return true
  }

  #end(page: BlockPage, block: number, { frame, waiting }: Reading, error: unknown): void {
    page.readings.delete(block)
    frame.holds -= 1
    if (error !== undefined && error !== null) {
      if (error !== abandoned) this.#options.onEvent?.('textErrors', 1)
      const failure = new CannotBeBrought(unavailable, { cause: error })
      for (const { done } of waiting) done(failure)
      return
    }
    this.#place(frame, page, block)
    for (const { hold } of waiting) this.#holdFrame(frame, hold)
    this.#dropUnwanted(frame)
    for (const { done } of waiting) done()
  }

  /** Reads a block while the thread waits. @throws CannotBeBrought. */
  #readNow(page: BlockPage, block: number): TextPage {
    this.#options.onEvent?.('textMisses', 1)
    const [start, length] = rangeOf(page, block)
    const frame = this.#takeFrame(page, block)
    frame.holds -= 1
    try {
      const go = this.#options.readSync ?? readSync
      const bytes = go(page.texts.file, frame.buffer, 0, length, page.stored.offset + start)
      const problem = problemOf(page, block, frame.buffer, bytes)
      if (problem !== undefined) throw problem
    } catch (error) {
      this.#options.onEvent?.('textErrors', 1)
      throw new CannotBeBrought(unavailable, { cause: error })
    }
    this.#place(frame, page, block)
    if (page.extras.size > longKept) this.#dropLong(page)
    return frame
  }

  #dropLong({ extras }: BlockPage): void {
    for (const frame of extras.values()) {
      if (frame.holds > 0) continue
      this.#drop(frame)
      return
    }
  }

  #place(frame: Frame, page: BlockPage, block: number): void {
    const [start, length] = rangeOf(page, block)
    frame.owner = page
    frame.block = block
    frame.base = start
    frame.isUsed = true
    // In the slab a text goes on to the end of its frame: nothing reads behind the ends of its entries.
    if (frame.number === 0) page.extras.set(block, frame)
    else page.frames[block] = frame.number
    this.#options.onEvent?.('textReadBytes', length)
  }

  /** Takes a frame without holds, and holds it for the block that will be read into it. */
  #takeFrame(page: BlockPage, block: number): Frame {
    const [, length] = rangeOf(page, block)
    const frame = length > frameBytes ? undefined : this.#freeFrame()
    if (frame === undefined) return { ...newFrame(Buffer.allocUnsafeSlow(length), 0), holds: 1 }
    this.#drop(frame)
    frame.holds = 1
    return frame
  }

  #freeFrame(): Frame | undefined {
    const frames = this.#frames
    if (frames.length < this.#framesMax) {
      const start = frames.length * frameBytes
      const frame = newFrame(this.#slab.subarray(start, start + frameBytes), frames.length + 1)
      frames.push(frame)
      return frame
    }
    // Each gets a second chance.
    for (let looks = 0; looks < 2 * frames.length; looks += 1) {
      const frame = frames[this.#hand]!
      this.#hand = (this.#hand + 1) % frames.length
      if (frame.holds > 0) continue
      if (!frame.isUsed) return frame
      frame.isUsed = false
    }
    return undefined
  }

  #holdFrame(frame: Frame, hold: Hold): void {
    const isKept = hold.keep(frame, () => {
      frame.holds -= 1
      this.#dropUnwanted(frame)
    })
    if (isKept) frame.holds += 1
  }

  /** Gives up a frame without holds, if it has memory of its own or is of a snapshot that was given up. */
  #dropUnwanted(frame: Frame): void {
    if (frame.holds > 0 || frame.owner === undefined) return
    const isGivenUp = !this.#pages.includes(frame.owner)
    if (frame.number > 0 && !isGivenUp) return
    this.#drop(frame)
    if (isGivenUp) frame.buffer.fill(0)
  }

  #drop(frame: Frame): void {
    const { owner, block } = frame
    if (this.#last === frame) this.#last = undefined
    frame.owner = undefined
    if (owner === undefined) return
    if (frame.number === 0) owner.extras.delete(block)
    else owner.frames[block] = 0
  }
}

/** Why a block was not read: no request waits for it any more. */
const abandoned = 'no request waits for them any more'

function newFrame(buffer: Uint8Array, number: number): Frame {
  const text = { text: buffer, source: copySourceOf(buffer), base: 0, buffer }
  return { ...text, owner: undefined, block: 0, holds: 0, isUsed: false, number }
}

/** Offset of a block in its page, and its length, bytes. */
function rangeOf(
  { stored: { begins } }: BlockPage,
  block: number,
): [start: number, length: number] {
  const start = begins[block]!
  return [start, begins[block + 1]! - start]
}

function problemOf(page: BlockPage, block: number, buffer: Uint8Array, bytes: number) {
  const [, length] = rangeOf(page, block)
  if (bytes !== length) return new Error('the file has become shorter')
  const isSame = crc32(buffer.subarray(0, length)) === page.stored.checksums[block]
  return isSame ? undefined : new Error('the file has changed')
}
