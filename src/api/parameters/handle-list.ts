/**
 * The handles of one request in flat memory: each as it was sent, and the different ones with their keys
 * and platforms, ready for one look-up of all. Names are the same in any spelling; what is more than a name is the
 * same only as the same text, because to read it is what costs. A list in a JSON body is read from its bytes, and refers
 * to them; a handle in it that is more than a name is read as any other text.
 */
import type { HandleKeys } from '../../engine/batch.ts'
import { limits } from '../../limits.ts'
import { equal, hashByte, hashBytes, mixHash, noBytesHash } from '../../memory/text-table.ts'
import { isMoreThanKey, keyCharacters } from '../../text/bare-names.ts'
import { parseHandle } from '../../text/handle.ts'
import type { SentHandle } from './identities.ts'

const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const closeBracket = 93
const at = 64
/** White space between the tokens of JSON (RFC 8259 §2): a space, a tab and the ends of lines. */
const spaces: readonly number[] = [32, 9, 10, 13]
const spaceMax = 32
/** Columns of a list with a number for each handle. */
const columnCount = 6
const bytesPerWord = Uint32Array.BYTES_PER_ELEMENT
/** UTF-8 of a code unit takes no more. */
const bytesPerUnitMax = 3

/** A handle in a JSON list takes its two quotation marks, a character and a comma at least. */
const handleBytesMin = 4
const nothing = new Uint8Array(0)
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export class HandleList implements HandleKeys {
  /** Keys of the different handles, in the order in which each was sent first. */
  bytes: Uint8Array = nothing
  readonly ends: Uint32Array
  readonly hashes: Uint32Array
  /** The platforms of those that name one; as long as the last of them needs. */
  readonly platforms: (string | undefined)[] = []
  count = 0
  /** Number of handles as they were sent; `numbers` has for each the number of its different handle. */
  sentCount = 0
  readonly numbers: Uint32Array
  /** For each different handle, the index of the sent handle that was the first of it. */
  readonly firsts: Uint32Array
  /** The body that the handles were read from: names stand there as they were sent. */
  readonly source: Uint8Array
  readonly sentStarts: Uint32Array
  readonly sentEnds: Uint32Array
  /** The handles that are no plain names, as they were sent; as long as the last of them needs. */
  readonly sentTexts: (string | undefined)[] = []
  /** The different texts that are more than names. */
  readonly #texts = new Set<string>()
  #isRead = false
  readonly #start: number
  readonly #handlesMax: number
  /** Hash table of the numbers of handles by their keys, -1 in a free slot; at most half of the slots are taken. */
  readonly #slots: Int32Array

  /** @param handlesMax number of handles that it has room for. */
  private constructor(handlesMax: number, source: Uint8Array, start: number) {
    this.#handlesMax = handlesMax
    this.source = source
    this.#start = start
    const slots = 2 ** Math.ceil(Math.log2(handlesMax * 2))
    // One piece of memory that need not be cleared, from a pool if it is small.
    const words = Buffer.allocUnsafe((columnCount * handlesMax + slots) * bytesPerWord)
    const column = (number: number) => {
      const from = words.byteOffset + number * handlesMax * bytesPerWord
      return new Uint32Array(words.buffer, from, handlesMax)
    }
    this.ends = column(0)
    this.hashes = column(1)
    this.numbers = column(2)
    this.firsts = column(3)
    this.sentStarts = column(4)
    this.sentEnds = column(5)
    const slotsFrom = words.byteOffset + columnCount * handlesMax * bytesPerWord
    this.#slots = new Int32Array(words.buffer, slotsFrom, slots).fill(-1)
    this.#reserve(source.length)
  }

  /**
   * Parses the list of strings that begins at a place in a body, which must not change while it is used. What is more
   * than a name is read by `read`: an address takes up to 10 µs, which is to be paid before.
   * @returns the list and the offset of its end in the body; undefined for anything that is no such list.
   */
  static parse(
    body: Uint8Array,
    start: number,
  ): { readonly list: HandleList; readonly end: number } | undefined {
    const handlesMax = Math.ceil((body.length - start) / handleBytesMin)
    const list = new HandleList(
      Math.max(1, Math.min(limits.batchValuesMax, handlesMax)),
      body,
      start,
    )
    const end = list.#parse(start)
    return end < 0 ? undefined : { list, end }
  }

  /** The list of some handles; undefined if they are no such list. */
  static of(handles: readonly unknown[]): HandleList | undefined {
    return HandleList.parse(Buffer.from(JSON.stringify(handles)), 0)?.list
  }

  /** The number of different handles: `count`, also before `read`. */
  get textCount(): number {
    return this.#isRead ? this.count : this.count + this.#texts.size
  }

  /** This list with the handles that are more than names; before, it has the names alone. */
  read(): this {
    if (this.#isRead || this.#texts.size === 0) return this
    this.#isRead = true
    this.count = 0
    this.sentCount = 0
    this.#slots.fill(-1)
    this.#parse(this.#start)
    return this
  }

  #parse(start: number): number {
    const { source: body } = this
    let place = skipSpace(body, start)
    if (body[place] !== openBracket) return -1
    do {
      place = skipSpace(body, place + 1)
      if (body[place] !== quote || this.sentCount === this.#handlesMax) return -1
      const end = this.#readName(place + 1) || this.#readText(place)
      if (end < 0) return -1
      place = skipSpace(body, end)
    } while (body[place] === comma)
    return body[place] === closeBracket ? place + 1 : -1
  }

  /** Makes room for a number of bytes of keys behind the present ones. */
  #reserve(bytes: number): void {
    const needed = this.#keysEnd + bytes
    if (needed <= this.bytes.length) return
    // The first size is enough for nearly all lists: few keys are longer than their handles were in the body.
    const length = this.bytes.length === 0 ? needed : needed * 2
    const room = Buffer.allocUnsafe(length)
    const larger = new Uint8Array(room.buffer, room.byteOffset, length)
    larger.set(this.bytes.subarray(0, this.#keysEnd))
    this.bytes = larger
  }

  get #keysEnd(): number {
    return this.count === 0 ? 0 : this.ends[this.count - 1]!
  }

  /** Reads a handle without a platform from behind its quotation mark; returns the offset of its end, or 0. */
  #readName(start: number): number {
    const { source, bytes } = this
    const keyStart = this.#keysEnd
    let place = source[start] === at ? start + 1 : start
    let keyEnd = keyStart
    let hash = noBytesHash
    for (; place < source.length; place += 1, keyEnd += 1) {
      const character = keyCharacters[source[place]!]!
      if (character === 0) break
      bytes[keyEnd] = character
      hash = hashByte(hash, character)
    }
    if (source[place] !== quote || place - start > limits.handleCharactersMax) return 0
    if (keyEnd === keyStart || isMoreThanKey(bytes, keyStart, keyEnd)) return 0
    this.sentStarts[this.sentCount] = start
    this.sentEnds[this.sentCount] = place
    this.#place(keyEnd, mixHash(hash), undefined, undefined)
    return place + 1
  }

  /** Reads any other string; returns the offset of its end, or -1. */
  #readText(start: number): number {
    const end = stringEnd(this.source, start)
    const sent = end < 0 ? undefined : textOf(this.source.subarray(start, end))
    if (sent === undefined || !/\S/.test(sent) || sent.length > limits.handleCharactersMax)
      return -1
    if (!this.#isRead) {
      this.#texts.add(sent)
      this.sentCount += 1
      return end
    }
    this.#add({ sent, query: parseHandle(sent) })
    // Keys may be longer than their handles were in the body.
    this.#reserve(this.source.length - end)
    return end
  }

  #add({ sent, query }: SentHandle): void {
    this.#reserve(query.key.length * bytesPerUnitMax)
    const start = this.#keysEnd
    const { written } = encoder.encodeInto(query.key, this.bytes.subarray(start))
    const keyEnd = start + written
    this.#place(keyEnd, hashBytes(this.bytes, start, keyEnd), query.platform, sent)
  }

  /** Ends a handle whose key stands behind the others up to `keyEnd`, unless it is one of them. */
  #place(
    keyEnd: number,
    hash: number,
    platform: string | undefined,
    sent: string | undefined,
  ): void {
    const { hashes } = this
    const mask = this.#slots.length - 1
    let slot = hash & mask
    let number = this.#slots[slot]!
    while (
      number >= 0 &&
      !(hashes[number] === hash && this.#isSame(number, keyEnd, platform, sent))
    ) {
      slot = (slot + 1) & mask
      number = this.#slots[slot]!
    }
    if (number < 0) {
      number = this.count
      this.#slots[slot] = number
      this.ends[number] = keyEnd
      hashes[number] = hash
      if (platform !== undefined) this.platforms[number] = platform
      this.firsts[number] = this.sentCount
      this.count += 1
    }
    this.numbers[this.sentCount] = number
    if (sent !== undefined) this.sentTexts[this.sentCount] = sent
    this.sentCount += 1
  }

  /** Whether the key behind all others is that of one of them, its platform too, and its text if it is more than a name. */
  #isSame(number: number, keyEnd: number, platform = '', sent?: string): boolean {
    const { bytes, ends } = this
    const start = this.#keysEnd
    const from = number === 0 ? 0 : ends[number - 1]!
    const isAsLong = ends[number]! - from === keyEnd - start
    return (
      isAsLong &&
      this.sentTexts[this.firsts[number]!] === sent &&
      (this.platforms[number] ?? '') === platform &&
      equal(bytes, from, bytes, start, keyEnd)
    )
  }
}

/** The first place from `start` on that is no space between tokens. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let place = start
  while (bytes[place]! <= spaceMax && spaces.includes(bytes[place]!)) place += 1
  return place
}

/** Offset of the end of the JSON string whose quotation mark is at `start`, or -1. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let place = start + 1; place < bytes.length; place += 1) {
    if (bytes[place] === quote) return place + 1
    if (bytes[place] === backslash) place += 1
  }
  return -1
}

/** The text of a JSON string; undefined for bytes that are no JSON string. */
function textOf(json: Uint8Array): string | undefined {
  try {
    return JSON.parse(decoder.decode(json))
  } catch {
    // Its only failures: bytes that are not UTF-8, and text that is not JSON.
    return undefined
  }
}
