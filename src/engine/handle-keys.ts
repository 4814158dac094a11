/**
 * Reads handles into keys in flat memory, for look-ups that make no object a handle: from texts, or from UTF-8 without a
 * text. Every spelling has the key that `parseHandle` gives it.
 */
import type { HashedTexts } from '../memory/batch-lookup.ts'
import { hashByte, hashBytes, mixHash, noBytesHash } from '../memory/text-table.ts'
import { isMoreThanKey, keyCharacters } from '../text/bare-names.ts'
import { parseHandle } from '../text/handle.ts'
import { platformOfPlainNames } from '../text/sites.ts'

const at = 64
const dot = 46
const colon = 58
/** UTF-8 of a code unit takes no more. */
const bytesPerUnitMax = 3

const asciiCharacters = Uint8Array.from({ length: 128 }, (_, code) => code)

const encoder = new TextEncoder()

/** Words that may hold anything, from a pool if they are few: a list of three names takes 3.5 µs with them, 4.5 with cleared ones. */
function unclearedWords(count: number): Uint32Array {
  const { buffer, byteOffset } = Buffer.allocUnsafe(count * Uint32Array.BYTES_PER_ELEMENT)
  return new Uint32Array(buffer, byteOffset, count)
}

/** Keys of handles, each on a platform by its key, or on all its platforms. */
export class HandleKeyReader implements HashedTexts {
  bytes: Uint8Array
  readonly starts: Uint32Array
  readonly hashes: Uint32Array
  readonly platforms: (string | undefined)[] = []
  count = 0
  #end = 0
  /** Hash of the last written name. It is computed while its bytes are written, which saves 10 % a handle. */
  #hash = noBytesHash

  /** @param bytes of keys that most lists have; more are made room for. */
  constructor(countMax: number, bytes: number) {
    this.bytes = Buffer.allocUnsafe(bytes)
    this.starts = unclearedWords(countMax + 1)
    this.starts[0] = 0
    this.hashes = unclearedWords(countMax)
  }

  clear(): void {
    this.count = 0
    this.#end = 0
  }

  /** Adds the handle of a text. An address takes up to 10 µs. */
  addText(text: string): void {
    if (!this.#addName(text, 0, undefined) && !this.#addNamed(text)) this.#addParsed(text)
  }

  /**
   * Adds the handle that stands at a place in UTF-8, up to a mark or to the end, where it is a plain name, or
   * `platform:name` where no rule of the platform touches the name.
   * @returns the offset of that end; -1 for any other handle, which is not added.
   */
  addPlain(utf8: Uint8Array, from: number, mark: number): number {
    const start = this.#end
    let { bytes } = this
    let platform: string | undefined
    let place = utf8[from] === at ? from + 1 : from
    let end = start
    let hash = noBytesHash
    for (; place < utf8.length; place += 1) {
      const character = keyCharacters[utf8[place]!]!
      if (character !== 0) {
        hash = hashByte(hash, character)
        if (end === bytes.length) {
          this.#grow(end)
          bytes = this.bytes
        }
        bytes[end] = character
        end += 1
        continue
      }
      if (utf8[place] !== colon || platform !== undefined) break
      platform = platformOfPlainNames(String.fromCharCode(...utf8.subarray(from, place)))
      if (platform === undefined) return -1
      if (utf8[place + 1] === at) place += 1
      end = start
      hash = noBytesHash
    }
    if (place < utf8.length && utf8[place] !== mark) return -1
    return this.#addKey(end, platform, hash) ? place : -1
  }

  #addNamed(text: string): boolean {
    const colon = text.indexOf(':')
    const platform = colon < 0 ? undefined : platformOfPlainNames(text.slice(0, colon))
    return platform !== undefined && this.#addName(text, colon + 1, platform)
  }

  /** Adds what a text has from a place on; false where it is no plain name. */
  #addName(text: string, from: number, platform: string | undefined): boolean {
    const end = this.#write(text, text.charCodeAt(from) === at ? from + 1 : from, keyCharacters)
    return this.#addKey(end, platform, this.#hash)
  }

  /** Adds the key that was written up to an end; false where it is more than a key, or none of the platform. */
  #addKey(end: number, platform: string | undefined, hash: number): boolean {
    const start = this.#end
    if (end <= start || isMoreThanKey(this.bytes, start, end)) return false
    if (platform !== undefined && this.bytes[start] === dot) return false
    this.#addHashed(end, platform, mixHash(hash))
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
    this.platforms[count] = platform
    this.#end = end
    this.count = count + 1
    this.starts[count + 1] = end
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes > this.bytes.length) this.#grow(this.#end + bytes)
  }

  /** Makes room; keeps the first `kept` bytes: the keys, with the part of the one that is being read. */
  #grow(kept: number): void {
    const larger = new Uint8Array(kept * 2 + 1)
    larger.set(this.bytes.subarray(0, kept))
    this.bytes = larger
  }
}
