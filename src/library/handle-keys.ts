/**
 * Reads handles into keys in flat memory, some at a time, for look-ups that make no object a handle: from lines of
 * UTF-8, in one pass that writes each key and its hash. Every spelling has the key that `parseHandle` gives it. Nothing
 * is kept of handles that were read before.
 */
import type { HandleKeys } from '../engine/batch.ts'
import { hashByte, hashBytes, mixHash, noBytesHash } from '../memory/text-table.ts'
import { isMoreThanKey, keyCharacters } from '../text/bare-names.ts'
import { parseHandle } from '../text/handle.ts'
import { platformOfPlainNames } from '../text/sites.ts'

const at = 64
const colon = 58
const dot = 46
const newline = 10
/** UTF-8 of a code unit takes no more. */
const bytesPerUnitMax = 3
/** The longest key of a platform that is looked for. */
const platformBytesMax = 16

const encoder = new TextEncoder()

/** Lines of UTF-8, the last with or without its end. */
export interface Lines {
  readonly bytes: Buffer
  /** Offset of the next line; readers move it on. */
  next: number
}

export class HandleKeyReader implements HandleKeys {
  bytes = new Uint8Array(64 << 10)
  readonly ends: Uint32Array
  readonly hashes: Uint32Array
  readonly platforms: (string | undefined)[]
  count = 0
  readonly #countMax: number
  /** Offset of the end of the keys. */
  #end = 0

  /** @param countMax maximum number of handles read at a time. */
  constructor(countMax: number) {
    this.#countMax = countMax
    this.ends = new Uint32Array(countMax)
    this.hashes = new Uint32Array(countMax)
    this.platforms = Array.from({ length: countMax })
  }

  /** Reads lines; they replace the handles read before. */
  read(lines: Lines): void {
    this.count = 0
    this.#end = 0
    const { bytes } = lines
    while (this.count < this.#countMax && lines.next < bytes.length) {
      const start = lines.next
      const nameEnd = this.#addName(bytes, start, undefined)
      const end = nameEnd < 0 ? this.#addNamed(bytes, start) : nameEnd
      lines.next = (end < 0 ? this.#addParsed(bytes, start) : end) + 1
    }
  }

  /** Adds `platform:name`, where no rule of the platform touches the name; returns the end of the line, or -1 for any other. */
  #addNamed(bytes: Buffer, start: number): number {
    let place = start
    const most = Math.min(bytes.length, start + platformBytesMax)
    while (place < most && keyCharacters[bytes[place]!] !== 0) place += 1
    if (bytes[place] !== colon || bytes[place + 1] === dot) return -1
    const platform = platformOfPlainNames(bytes.toString('latin1', start, place))
    return platform === undefined ? -1 : this.#addName(bytes, place + 1, platform)
  }

  /** Adds a name with or without its `@`; returns the end of its line, or -1 where the line is more than a name. */
  #addName(from: Buffer, start: number, platform: string | undefined): number {
    let { bytes } = this
    const keyStart = this.#end
    let keyEnd = keyStart
    let hash = noBytesHash
    let place = from[start] === at ? start + 1 : start
    for (; place < from.length; place += 1) {
      const character = keyCharacters[from[place]!]!
      if (character === 0) break
      if (keyEnd === bytes.length) bytes = this.#grown(keyEnd)
      bytes[keyEnd] = character
      hash = hashByte(hash, character)
      keyEnd += 1
    }
    const isWhole = place === from.length || from[place] === newline
    if (!isWhole || keyEnd === keyStart || isMoreThanKey(bytes, keyStart, keyEnd)) return -1
    this.#add(keyEnd, platform, mixHash(hash))
    return place
  }

  /** Adds the handle of any other line; returns its end. */
  #addParsed(from: Buffer, start: number): number {
    const next = from.indexOf(newline, start)
    const lineEnd = next < 0 ? from.length : next
    const { key, platform } = parseHandle(from.toString('utf8', start, lineEnd))
    const needed = this.#end + key.length * bytesPerUnitMax
    const bytes = needed > this.bytes.length ? this.#grown(needed) : this.bytes
    const end = this.#end + encoder.encodeInto(key, bytes.subarray(this.#end)).written
    this.#add(end, platform, hashBytes(bytes, this.#end, end))
    return lineEnd
  }

  #add(end: number, platform: string | undefined, hash: number): void {
    const { count } = this
    this.hashes[count] = hash
    this.ends[count] = end
    this.platforms[count] = platform
    this.#end = end
    this.count = count + 1
  }

  /** The memory of keys with more room, and their first `kept` bytes in it. */
  #grown(kept: number): Uint8Array<ArrayBuffer> {
    const larger = new Uint8Array(kept * 2)
    larger.set(this.bytes.subarray(0, kept))
    this.bytes = larger
    return larger
  }
}

/** Number of lines in a buffer. */
export function lineCount(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1
  return bytes.length === 0 || bytes.at(-1) === newline ? lines : lines + 1
}
