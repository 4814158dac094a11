/**
 * Whose website an address is: a table over the ready-made profiles, made when a snapshot is loaded, in
 * memory that all threads share. An entry is found by hashing and confirmed by the profile; 8 bytes a
 * website. A website that many share is nobody's own.
 */
import type { PagedTexts } from '../memory/paged-texts.ts'
import { shared } from '../memory/shared-column.ts'

/** People who may share a website. */
const ownersMax = 3
/** Bytes of the longest address. */
const bytesMax = 300
/** People between two rests. */
const stepLength = 1 << 10

const quote = 0x22
const backslash = 0x5c
const slash = 0x2f
const close = 0x7d
const member = Buffer.from(',"website":')

/** Makes the table: of each slot an ordinal plus one. @param rest called now and then. */
export function websiteSlotsOf(profiles: PagedTexts, rest: () => void = () => {}): Uint32Array {
  const people = profiles.ends.length
  const hashes = new Uint32Array(people)
  let count = 0
  for (let ordinal = 0; ordinal < people; ordinal += 1) {
    if (ordinal % stepLength === 0) rest()
    const { text } = profiles.pageOf(ordinal)
    const { start, end } = websiteIn(text, profiles.startOf(ordinal), profiles.ends[ordinal]!)
    if (start === end) continue
    hashes[ordinal] = hashOf(text, start, end) || 1
    count += 1
  }
  const slots = shared(2 ** Math.ceil(Math.log2(2 * count + 2)))
  const mask = slots.length - 1
  hashes.forEach((hash, ordinal) => {
    if (hash === 0) return
    let at = hash & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = ordinal + 1
  })
  return slots
}

/** Finds owners of websites. */
export class Websites {
  readonly #profiles: PagedTexts
  readonly #slots: Uint32Array

  constructor(profiles: PagedTexts, slots: Uint32Array) {
    this.#profiles = profiles
    this.#slots = slots
  }

  /** Who has an address, or its host, as the website: none where the text is no address or many have it. */
  ownersOf(text: string): readonly number[] {
    const address = addressOf(text)
    if (address === undefined) return []
    const owners = this.#find(address)
    const host = address.slice(0, (address.indexOf('/') + 1 || address.length + 1) - 1)
    return owners.length > 0 || host === address ? owners : this.#find(host)
  }

  #find(address: string): readonly number[] {
    const bytes = Buffer.from(address)
    const mask = this.#slots.length - 1
    const owners: number[] = []
    for (
      let at = (hashOf(bytes, 0, bytes.length) || 1) & mask;
      this.#slots[at] !== 0;
      at = (at + 1) & mask
    ) {
      const ordinal = this.#slots[at]! - 1
      if (!this.#isOf(ordinal, bytes)) continue
      owners.push(ordinal)
      if (owners.length > ownersMax) return []
    }
    return owners.sort((a, b) => a - b)
  }

  #isOf(ordinal: number, address: Uint8Array): boolean {
    const { text } = this.#profiles.pageOf(ordinal)
    const { start, end } = websiteIn(
      text,
      this.#profiles.startOf(ordinal),
      this.#profiles.ends[ordinal]!,
    )
    if (end - start !== address.length) return false
    for (let at = 0; at < address.length; at += 1) {
      if (lower(text[start + at]!) !== address[at]) return false
    }
    return true
  }
}

/** An address as the table has it: in small letters, without scheme, `www.` and a slash at the end. */
function addressOf(text: string): string | undefined {
  const shape = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,24}(?:\/\S*)?)$/i
  const address = shape.exec(text)?.[1]?.toLowerCase().replace(/\/+$/, '')
  return address === undefined || address.length > bytesMax ? undefined : address
}

/** Where the address of a website stands in a profile, without scheme, `www.` and a slash at the end. */
function websiteIn(text: Uint8Array, from: number, to: number): { start: number; end: number } {
  const nothing = { start: to, end: to }
  let end = to - 2
  if (text[to - 1] !== close || text[end] !== quote) return nothing
  let start = end
  const least = Math.max(from, end - bytesMax)
  while (start > least && text[start - 1] !== quote) start -= 1
  if (start === least || text[start - 2 - member.length] === backslash) return nothing
  for (let at = 0; at < member.length; at += 1) {
    if (text[start - 1 - member.length + at] !== member[at]) return nothing
  }
  const scheme = text[start + 4] === 0x73 ? 'https://'.length : 'http://'.length
  start += scheme
  if (startsWithWww(text, start)) start += 4
  while (end > start && text[end - 1] === slash) end -= 1
  return { start, end }
}

function startsWithWww(text: Uint8Array, at: number): boolean {
  const w = 0x77
  return (
    lower(text[at]!) === w &&
    lower(text[at + 1]!) === w &&
    lower(text[at + 2]!) === w &&
    text[at + 3] === 0x2e
  )
}

/** FNV-1a over small letters. */
function hashOf(text: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ lower(text[at]!), 0x01000193)
  hash ^= hash >>> 15
  return hash >>> 0
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
