/**
 * Texts that stay in the snapshot's file, read while an answer is made: a block is read at its position, and its checksum
 * proves it. Of each page only the block that was read last is in memory, since the operating system caches the file.
 */
import { readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { type CopySource, copySourceOf } from '../../memory/copy-text.ts'
import type { Problem } from '../../problems.ts'
import { blockShift, type StoredPage, type StoredTexts } from './stored-texts.ts'

/** Thrown where a block cannot be read, or is not the one that was proved when the snapshot was made. */
export class UnreadableTexts extends Error {
  readonly problem: Problem = {
    code: 'texts-unavailable',
    detail: 'the answer needs texts that cannot be read from the disk in time; nothing was charged',
  }
}

/** The text of one page or a part of it, to be read and to be copied. Valid until another part of the page is asked for. */
export interface TextPage {
  readonly text: Uint8Array
  readonly source: CopySource
  /** Offset of the text in its page: subtracted from offsets that are counted from the start of the page. */
  readonly base: number
}

interface LastBlock extends TextPage {
  readonly number: number
  /** Memory for the next one; a longer block takes memory of its own. */
  readonly text: Uint8Array
}

/** Most blocks are shorter: an entry that begins at the end of a block goes on behind it. */
const usualBytes = 2 ** (blockShift + 1)

export class StoredBlocks {
  readonly #file: number
  readonly #pages: readonly StoredPage[]
  readonly #last: LastBlock[]

  constructor({ file }: StoredTexts, pages: readonly StoredPage[]) {
    this.#file = file
    this.#pages = pages
    this.#last = pages.map(() => ({ ...roomOf(0), number: -1, base: 0 }))
  }

  /** Takes one read, unless the block is the one of its page that was read last. @throws UnreadableTexts. */
  partAt(page: number, start: number): TextPage {
    const block = start >>> blockShift
    const last = this.#last[page]!
    return last.number === block ? last : this.#read(page, block)
  }

  /** A number of a column that is the only page: little-endian, of 1 or 4 bytes. @throws UnreadableTexts. */
  numberAt(index: number, bytes: number): number {
    const start = index * bytes
    const { text, base } = this.partAt(0, start)
    const at = start - base
    if (bytes === 1) return text[at]!
    return (text[at]! | (text[at + 1]! << 8) | (text[at + 2]! << 16) | (text[at + 3]! << 24)) >>> 0
  }

  #read(page: number, block: number): TextPage {
    const { offset, begins, checksums } = this.#pages[page]!
    const base = begins[block]!
    const length = begins[block + 1]! - base
    const { text, source } = this.#last[page]!
    const room = text.length < length ? roomOf(Math.max(length, usualBytes)) : { text, source }
    // What was there is written over, whether the read fails or not.
    this.#last[page] = { ...room, number: -1, base: 0 }
    const problem = readProblem(this.#file, room.text, length, offset + base, checksums[block]!)
    if (problem !== undefined) throw new UnreadableTexts('texts in a file', { cause: problem })
    this.#last[page] = { ...room, number: block, base }
    return this.#last[page]
  }
}

function roomOf(bytes: number) {
  const text = new Uint8Array(bytes)
  return { text, source: copySourceOf(text) }
}

function readProblem(
  file: number,
  into: Uint8Array,
  length: number,
  position: number,
  checksum: number,
): unknown {
  try {
    const bytes = readSync(file, into, 0, length, position)
    if (bytes !== length) return new Error('the file has become shorter')
  } catch (error) {
    return error
  }
  const isSame = crc32(into.subarray(0, length)) === checksum
  return isSame ? undefined : new Error('the file has changed')
}
