/**
 * Reads handles into keys in flat memory, some at a time, for look-ups that make no object a handle: from
 * texts, or from lines of UTF-8. Every spelling has the key that `parseHandle` gives it. Nothing is kept
 * of handles that were read before.
 */

import type { HandleKeys } from '../engine/batch.ts'
import { hashByte, hashBytes, mixHash, noBytesHash } from '../memory/text-table.ts'
import { isMoreThanKey, keyCharacters } from '../text/bare-names.ts'
import { parseHandle } from '../text/handle.ts'
import { platformOfPlainNames } from '../text/sites.ts'
import { invalidValue } from './thrown.ts'

const at = 64
const dot = 46
const newline = 10
/** UTF-8 of a code unit takes no more. */
const bytesPerUnitMax = 3
const firstBytes = 64 << 10

/** The characters of ASCII but NUL, each as it stands. */
const asciiCharacters = Uint8Array.from({ length: 128 }, (_, code) => code)

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Lines of UTF-8: those of a buffer, the last with or without its end. */
export interface Lines {
  readonly bytes: Uint8Array
  /** Offset of the next line; readers move it on. */
  next: number
}

export class HandleKeyReader implements HandleKeys {
  bytes = new Uint8Array(firstBytes)
  readonly ends: Uint32Array
  readonly hashes: Uint32Array
  readonly platforms: (string | undefined)[]
  count = 0
  readonly #countMax: number
  /** Offset of the end of the keys. */
  #end = 0
  /** Hash of the last written name. It is computed while its bytes are written, which saves 10 % a handle. */
  #hash = noBytesHash

  /** @param countMax maximum number of handles read at a time. */
  constructor(countMax: number) {
    this.#countMax = countMax
    this.ends = new Uint32Array(countMax)
    this.hashes = new Uint32Array(countMax)
    this.platforms = Array.from({ length: countMax })
  }

  /** Reads texts from `from` on; they replace those read before. @throws InvalidParameter for any other value. */
  readTexts(texts: readonly string[], from: number): void {
    this.#begin()
    const end = Math.min(texts.length, from + this.#countMax)
    for (let index = from; index < end; index += 1) {
      const text = texts[index]
      if (typeof text !== 'string') throw invalidValue(`handles[${index}]: not a text`)
      this.#addText(text)
    }
  }

  /** Reads lines; they replace the handles read before. */
  readLines(lines: Lines): void {
    this.#begin()
    const { bytes } = lines
    while (this.count < this.#countMax && lines.next < bytes.length) {
      lines.next = this.#addLine(bytes, lines.next)
    }
  }

  #begin(): void {
    this.count = 0
    this.#end = 0
  }

  #addText(text: string): void {
    const end = this.#write(text, text.charCodeAt(0) === at ? 1 : 0, keyCharacters)
    const isName = end > this.#end && !isMoreThanKey(this.bytes, this.#end, end)
    if (isName) this.#addHashed(end, undefined, mixHash(this.#hash))
    else if (!this.#addNamed(text)) this.#addParsed(text)
  }

  /** Adds `platform:name`, where no rule of the platform touches the name; returns whether the text is one. */
  #addNamed(text: string): boolean {
    const colon = text.indexOf(':')
    const platform = colon < 0 ? undefined : platformOfPlainNames(text.slice(0, colon))
    if (platform === undefined) return false
    const start = this.#end
    const from = text.charCodeAt(colon + 1) === at ? colon + 2 : colon + 1
    const end = this.#write(text, from, keyCharacters)
    if (end <= start || this.bytes[start] === dot || isMoreThanKey(this.bytes, start, end)) {
      return false
    }
    this.#addHashed(end, platform, mixHash(this.#hash))
    return true
  }

  /** Writes a text behind the keys, each character as a table has it; returns its end, or -1 where one is not in it. */
  #write(text: string, from: number, characters: Uint8Array): number {
    const { length } = text
    this.#reserve(length)
    const { bytes } = this
    let end = this.#end
    let hash = noBytesHash
    for (let index = from; index < length; index += 1) {
      // A character that is in no key is 0, one behind Latin-1 is undefined.
      const character = characters[text.charCodeAt(index)]
      if (!character) return -1
      bytes[end] = character
      hash = hashByte(hash, character)
      end += 1
    }
    this.#hash = hash
    return end
  }

  /** Adds the handle of a line; returns the offset of the next line. */
  #addLine(lines: Uint8Array, from: number): number {
    const start = this.#end
    let place = lines[from] === at ? from + 1 : from
    this.#reserve(0)
    let { bytes } = this
    let end = start
    let hash = noBytesHash
    for (; place < lines.length; place += 1, end += 1) {
      const character = keyCharacters[lines[place]!]!
      if (character === 0) break
      hash = hashByte(hash, character)
      if (end === bytes.length) {
        this.#grow(end)
        bytes = this.bytes
      }
      bytes[end] = character
    }
    const isWhole = place === lines.length || lines[place] === newline
    if (isWhole && end > start && !isMoreThanKey(bytes, start, end)) {
      this.#addHashed(end, undefined, mixHash(hash))
      return place + 1
    }
    const next = lines.indexOf(newline, place)
    const lineEnd = next < 0 ? lines.length : next
    // A copy, because a decoder refuses shared memory.
    this.#addParsed(decoder.decode(lines.slice(from, lineEnd)))
    return lineEnd + 1
  }

  #addParsed(text: string): void {
    const { key, platform } = parseHandle(text)
    let end = this.#write(key, 0, asciiCharacters)
    // The encoder takes 150 ns more.
    if (end < 0) {
      this.#reserve(key.length * bytesPerUnitMax)
      end = this.#end + encoder.encodeInto(key, this.bytes.subarray(this.#end)).written
      this.#addHashed(end, platform, hashBytes(this.bytes, this.#end, end))
    } else this.#addHashed(end, platform, mixHash(this.#hash))
  }

  #addHashed(end: number, platform: string | undefined, hash: number): void {
    const { count } = this
    this.hashes[count] = hash
    this.ends[count] = end
    this.platforms[count] = platform
    this.#end = end
    this.count = count + 1
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes > this.bytes.length) this.#grow(this.#end + bytes)
  }

  /** Makes room; keeps the first `kept` bytes: the keys, with the part of the one that is being read. */
  #grow(kept: number): void {
    const larger = new Uint8Array(kept * 2)
    larger.set(this.bytes.subarray(0, kept))
    this.bytes = larger
  }
}

/** Number of lines in a buffer. */
export function lineCount(bytes: Uint8Array): number {
  let lines = 0
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1
  return bytes.length === 0 || bytes.at(-1) === newline ? lines : lines + 1
}
