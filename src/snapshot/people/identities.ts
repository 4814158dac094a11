/**
 * The identities of people: of each the first members of every item as JSON, `{"sdu":"1","name":"A"`, by ordinal, and
 * a hash table that finds an ordinal by the digits of the SDU. Invariant: an SDU is one to the next quotation mark.
 */
import { PagedTexts } from '../../memory/paged-texts.ts'
import {
  entryBits,
  entryIn,
  equal,
  firstSlot,
  hashBytes,
  placeSlot,
  probe,
  Scratch,
  slotCount,
  type Texts,
} from '../../memory/text-table.ts'
import type { Sections } from '../sections.ts'

/** The JSON before the SDU, and between SDU and name. */
export const beforeSdu = '{"sdu":"'
export const betweenSduAndName = '","name":"'

const quote = 0x22
/** People between two rests. */
const stepLength = 1 << 9
const decoder = new TextDecoder()

/** The sections of identities, of a snapshot or of its facts. */
export interface IdentitySections {
  readonly sections: Pick<Sections, 'identity.json' | 'identity.ends' | 'identity.slots'>
}

/** The offset of the SDU in an identity that begins at `start`. */
export function sduStart(start: number): number {
  return start + beforeSdu.length
}

/** The offset behind an SDU that begins at `start`. */
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
  readonly #ends: Uint32Array
  readonly #slots: Uint32Array
  readonly #scratch = new Scratch()

  constructor({ sections }: IdentitySections) {
    this.#json = sections['identity.json']
    this.#ends = sections['identity.ends']
    this.#slots = sections['identity.slots']
  }

  /** The SDU of a person. */
  sduOf(ordinal: number): string {
    const start = this.#sduStart(ordinal)
    // A copy, because a decoder refuses shared memory.
    return decoder.decode(this.#json.slice(start, sduEnd(this.#json, start)))
  }

  /** The ordinal of the person with this SDU, or -1. */
  find(sdu: string): number {
    const end = this.#scratch.write(sdu)
    return this.#findBytes(this.#scratch.bytes, 0, end)
  }

  /** For each person, the ordinal of the person with the same SDU in another snapshot; -1 where there is none. */
  ordinalsIn(other: Identities): Int32Array {
    return Int32Array.from(this.#ends, (_, ordinal) => {
      const start = this.#sduStart(ordinal)
      return other.#findBytes(this.#json, start, sduEnd(this.#json, start))
    })
  }

  /** The first person who is not found by the SDU, or -1. O(people). @param rest called now and then. */
  firstLost(rest: () => void): number {
    for (let ordinal = 0; ordinal < this.#ends.length; ordinal += 1) {
      if (ordinal % stepLength === 0) rest()
      const start = this.#sduStart(ordinal)
      const end = sduEnd(this.#json, start)
      if (this.#findBytes(this.#json, start, end) !== ordinal) return ordinal
    }
    return -1
  }

  #sduStart(ordinal: number): number {
    return sduStart(ordinal === 0 ? 0 : this.#ends[ordinal - 1]!)
  }

  #findBytes(bytes: Uint8Array, start: number, end: number): number {
    const slots = this.#slots
    const bits = entryBits(this.#ends.length)
    const hash = hashBytes(bytes, start, end)
    for (let slot = probe(slots, firstSlot(hash, slots.length), hash, bits); ; ) {
      const ordinal = entryIn(slots[slot]!, bits)
      if (ordinal < 0) return -1
      const from = this.#sduStart(ordinal)
      const isAsLong = sduEnd(this.#json, from) - from === end - start
      if (isAsLong && equal(this.#json, from, bytes, start, end)) return ordinal
      slot = probe(slots, slot + 1, hash, bits)
    }
  }
}

/** The slots that find people by their SDUs. O(people). */
export function identitySlots({ text, ends }: Texts): Uint32Array {
  const slots = new Uint32Array(slotCount(ends.length))
  for (let ordinal = 0, start = 0; ordinal < ends.length; ordinal += 1) {
    const from = sduStart(start)
    placeSlot(slots, ordinal, hashBytes(text, from, sduEnd(text, from)), ends.length)
    start = ends[ordinal]!
  }
  return slots
}

/** More people than there are: all identities are one section. */
const peoplePerPage = 2 ** 31

/** The identities as texts. */
export function identityTexts({ sections }: IdentitySections): PagedTexts {
  return new PagedTexts([sections['identity.json']], sections['identity.ends'], peoplePerPage)
}
