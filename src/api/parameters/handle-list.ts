/**
 * The handles of one request in flat memory: each as it was sent, and the different ones with their keys, ready for one
 * look-up. Names are the same in any spelling; what is more than a name only as the same text, because to read it is
 * what costs. A list in a JSON body is read from its bytes, and refers to them.
 */
import type { HandleKeys } from '../../engine/batch.ts'
import { HandleKeyReader, unclearedWords } from '../../engine/handle-keys.ts'
import { limits } from '../../limits.ts'
import { equal } from '../../memory/text-table.ts'

const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const closeBracket = 93
/** White space between the tokens of JSON (RFC 8259 §2): a space, a tab and the ends of lines. */
const spaces: readonly number[] = [32, 9, 10, 13]
const spaceMax = 32

/** A handle in a JSON list takes its two quotation marks, a character and a comma at least. */
const handleBytesMin = 4
const decoder = new TextDecoder('utf-8', { fatal: true })

export class HandleList {
  /** `numbers` has for each the number of its different handle. */
  sentCount = 0
  readonly numbers: Uint32Array
  /** For each different handle, the index of the sent handle that was the first of it. */
  readonly firsts: Uint32Array
  /** The body: what is plain stands there as it was sent. */
  readonly source: Uint8Array
  readonly sentStarts: Uint32Array
  readonly sentEnds: Uint32Array
  /** Of handles that are not plain; as long as the last of them needs. */
  readonly sentTexts: (string | undefined)[] = []
  /** Keys of the different handles, in the order in which each was sent first. */
  readonly #keys: HandleKeyReader
  /** The different texts that are not plain. */
  readonly #texts = new Set<string>()
  #isRead = false
  readonly #start: number
  readonly #handlesMax: number
  /** Hash table of the numbers of handles by their keys, -1 in a free slot; at most half of the slots are taken. */
  readonly #slots: Int32Array

  private constructor(handlesMax: number, source: Uint8Array, start: number) {
    this.#handlesMax = handlesMax
    this.source = source
    this.#start = start
    this.#keys = new HandleKeyReader(handlesMax, source.length)
    this.numbers = unclearedWords(handlesMax)
    this.firsts = unclearedWords(handlesMax)
    this.sentStarts = unclearedWords(handlesMax)
    this.sentEnds = unclearedWords(handlesMax)
    this.#slots = new Int32Array(2 ** Math.ceil(Math.log2(handlesMax * 2))).fill(-1)
  }

  /**
   * Parses the list of strings that begins at a place in a body, which must not change while it is used; undefined for
   * anything else. What is not plain is read by `read`: an address takes up to 10 µs, which is to be paid before.
   */
  static parse(
    body: Uint8Array,
    start: number,
  ): { readonly list: HandleList; readonly end: number } | undefined {
    const handlesMax = Math.ceil((body.length - start) / handleBytesMin)
    const room = Math.max(1, Math.min(limits.batchValuesMax, handlesMax))
    const list = new HandleList(room, body, start)
    const end = list.#parse(start)
    return end < 0 ? undefined : { list, end }
  }

  static of(handles: readonly unknown[]): HandleList | undefined {
    return HandleList.parse(Buffer.from(JSON.stringify(handles)), 0)?.list
  }

  /** The number of different handles, also before `read`. */
  get textCount(): number {
    return this.#keys.count + (this.#isRead ? 0 : this.#texts.size)
  }

  read(): HandleKeys {
    if (this.#isRead || this.#texts.size === 0) return this.#keys
    this.#isRead = true
    this.#keys.clear()
    this.sentCount = 0
    this.#slots.fill(-1)
    this.#parse(this.#start)
    return this.#keys
  }

  #parse(start: number): number {
    const { source: body } = this
    let place = skipSpace(body, start)
    if (body[place] !== openBracket) return -1
    do {
      place = skipSpace(body, place + 1)
      if (body[place] !== quote || this.sentCount === this.#handlesMax) return -1
      const end = this.#isRead ? this.#readAgain(place) : this.#readFirst(place)
      if (end < 0) return -1
      this.sentCount += 1
      place = skipSpace(body, end)
    } while (body[place] === comma)
    return body[place] === closeBracket ? place + 1 : -1
  }

  /** Returns the offset of its end, or -1. */
  #readFirst(start: number): number {
    const { source, sentCount: index } = this
    const end = this.#keys.addPlain(source, start + 1, quote)
    if (end >= 0) {
      if (source[end] !== quote || end - start > limits.handleCharactersMax + 1) return -1
      this.sentStarts[index] = start + 1
      this.sentEnds[index] = end
      this.#place(index)
      return end + 1
    }
    const textEnd = stringEnd(source, start)
    const sent = textEnd < 0 ? undefined : textOf(source.subarray(start, textEnd))
    if (sent === undefined || !/\S/.test(sent) || sent.length > limits.handleCharactersMax)
      return -1
    this.sentEnds[index] = textEnd
    this.sentTexts[index] = sent
    this.#texts.add(sent)
    return textEnd
  }

  #readAgain(start: number): number {
    const { sentCount: index } = this
    const sent = this.sentTexts[index]
    const end =
      sent === undefined
        ? this.#keys.addPlain(this.source, start + 1, quote) + 1
        : this.sentEnds[index]!
    if (sent !== undefined) this.#keys.addText(sent)
    this.#place(index)
    return end
  }

  /** Gives the sent handle of an index the number of the key that was added last, or of the same one before it. */
  #place(index: number): void {
    const { hashes } = this.#keys
    const last = this.#keys.count - 1
    const hash = hashes[last]!
    const mask = this.#slots.length - 1
    let slot = hash & mask
    let number = this.#slots[slot]!
    while (number >= 0 && !(hashes[number] === hash && this.#isSame(number, last, index))) {
      slot = (slot + 1) & mask
      number = this.#slots[slot]!
    }
    if (number < 0) {
      number = last
      this.#slots[slot] = number
      this.firsts[number] = index
    } else this.#keys.dropLast()
    this.numbers[index] = number
  }

  /** Whether two keys are one, their platforms too, and what was sent if it is more than a name. */
  #isSame(number: number, last: number, index: number): boolean {
    const { bytes, starts, platforms } = this.#keys
    const [start, end] = [starts[last]!, starts[last + 1]!]
    const from = starts[number]!
    const isAsLong = starts[number + 1]! - from === end - start
    const first = this.firsts[number]!
    return (
      isAsLong &&
      platforms[number] === platforms[last] &&
      this.sentTexts[first] === this.sentTexts[index] &&
      equal(bytes, from, bytes, start, end) &&
      (platforms[last] === undefined || this.#isSentAlike(first, index))
    )
  }

  #isSentAlike(one: number, other: number): boolean {
    if (this.sentTexts[one] !== undefined) return true
    const { source, sentStarts, sentEnds } = this
    const [from, start, end] = [sentStarts[one]!, sentStarts[other]!, sentEnds[other]!]
    return sentEnds[one]! - from === end - start && equal(source, from, source, start, end)
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

function textOf(json: Uint8Array): string | undefined {
  try {
    return JSON.parse(decoder.decode(json))
  } catch {
    // Its only failures: bytes that are not UTF-8, and text that is not JSON.
    return undefined
  }
}
