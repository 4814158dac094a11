/**
 * The identities of people: of each the first members of every item as JSON, `{"sdu":"1","name":"A"`, by ordinal, and
 * a hash table that finds an ordinal by the digits of the SDU. Invariant: an SDU is one to the next quotation mark.
 */
import { limits } from '../../limits.ts'
import {
  entryBits,
  entryIn,
  equal,
  firstSlot,
  hashBytes,
  placeSlot,
  probe,
  slotCount,
  type Texts,
} from '../../memory/text-table.ts'
import type { Sections } from '../sections.ts'
import { PagedTexts } from '../texts/paged-texts.ts'

export const beforeSdu = '{"sdu":"'
export const betweenSduAndName = '","name":"'

const [quote, zero, nine] = [0x22, 0x30, 0x39]
const decoder = new TextDecoder()

export interface IdentitySections {
  readonly sections: Pick<Sections, 'identity.json' | 'identity.starts' | 'identity.slots'>
}

export function sduStart(start: number): number {
  return start + beforeSdu.length
}

export function sduEnd(json: Uint8Array, start: number): number {
  let end = start
  while (end < json.length && json[end] !== quote) end += 1
  return end
}

/** The offset of the name in the identity that begins at `start`: behind its first quotation mark. */
export function nameStart(json: Uint8Array, start: number): number {
  return sduEnd(json, sduStart(start)) + betweenSduAndName.length
}

export class Identities {
  readonly #json: Uint8Array
  readonly #starts: Uint32Array
  readonly #slots: Uint32Array
  readonly #digits = new Uint8Array(limits.sduDigitsMax)
  readonly #ahead: PagedTexts | undefined
  /** A sum of all that was read ahead: reading for nothing would be left out by the compiler. */
  #read = 0

  /**
   * @param ahead other texts of the people that are found: `find` has them brought from memory while it compares an
   * SDU, where they are in memory.
   */
  constructor({ sections }: IdentitySections, ahead?: PagedTexts) {
    this.#json = sections['identity.json']
    this.#starts = sections['identity.starts']
    this.#slots = sections['identity.slots']
    this.#ahead = ahead?.isInMemory === true ? ahead : undefined
  }

  sduOf(ordinal: number): string {
    const start = this.#sduStart(ordinal)
    // A copy, because a decoder refuses shared memory.
    return decoder.decode(this.#json.slice(start, sduEnd(this.#json, start)))
  }

  /** The ordinal of the person with this SDU, or -1. */
  find(sdu: string): number {
    const digits = this.#digits
    if (sdu.length > digits.length) return -1
    for (let at = 0; at < sdu.length; at += 1) {
      const unit = sdu.charCodeAt(at)
      // A text with another character is no SDU: with a quotation mark it could be more than one.
      if (unit < zero || unit > nine) return -1
      digits[at] = unit
    }
    return this.#findBytes(digits, 0, sdu.length)
  }

  /** For each person, the ordinal of the person with the same SDU in another snapshot; -1 where there is none. */
  ordinalsIn(other: Identities): Int32Array {
    return Int32Array.from({ length: this.#starts.length - 1 }, (_, ordinal) => {
      const start = this.#sduStart(ordinal)
      return other.#findBytes(this.#json, start, sduEnd(this.#json, start))
    })
  }

  isFound(ordinal: number): boolean {
    const start = this.#sduStart(ordinal)
    return this.#findBytes(this.#json, start, sduEnd(this.#json, start)) === ordinal
  }

  #sduStart(ordinal: number): number {
    return sduStart(this.#starts[ordinal]!)
  }

  /** The two waits for memory, that of the identity and that of the other text, are one then. */
  #readAhead(ordinal: number): void {
    const texts = this.#ahead
    if (texts !== undefined) this.#read ^= texts.pageOf(ordinal).text[texts.startOf(ordinal)]!
  }

  #findBytes(bytes: Uint8Array, start: number, end: number): number {
    const slots = this.#slots
    const bits = entryBits(this.#starts.length - 1)
    const hash = hashBytes(bytes, start, end)
    for (let slot = probe(slots, firstSlot(hash, slots.length), hash, bits); ; ) {
      const ordinal = entryIn(slots[slot]!, bits)
      if (ordinal < 0) return -1
      this.#readAhead(ordinal)
      const from = this.#sduStart(ordinal)
      const isAsLong = this.#json[from + end - start] === quote
      if (isAsLong && equal(this.#json, from, bytes, start, end)) return ordinal
      slot = probe(slots, slot + 1, hash, bits)
    }
  }
}

export function identitySlots({ text, starts }: Texts): Uint32Array {
  const count = starts.length - 1
  const slots = new Uint32Array(slotCount(count))
  for (let ordinal = 0; ordinal < count; ordinal += 1) {
    const from = sduStart(starts[ordinal]!)
    placeSlot(slots, ordinal, hashBytes(text, from, sduEnd(text, from)), count)
  }
  return slots
}

export function identityTexts({ sections }: IdentitySections): PagedTexts {
  return new PagedTexts([sections['identity.json']], sections['identity.starts'])
}
