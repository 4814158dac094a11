/**
 * Owners of websites: a table over the ready-made profiles, derived when a snapshot is loaded, in memory
 * that all threads share. An entry is found by its hash and confirmed by the profile; it takes some 10
 * bytes. A website that many people share has no owner.
 */

import { uint32Column } from '../memory/columns.ts'
import type { PagedTexts } from '../memory/paged-texts.ts'
import { hashBytes } from '../memory/text-table.ts'
import { type HashBuckets, inBuckets, valuesOf } from './terms/hash-buckets.ts'

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
const www = Buffer.from('www.')
/** An address in small letters, where it is compared. */
const read = Buffer.alloc(bytesMax)

/** Makes the table: ordinals by their websites. @param rest called now and then. */
export function websiteTableOf(profiles: PagedTexts, rest: () => void = () => {}): HashBuckets {
  const hashes = uint32Column()
  const ordinals = uint32Column()
  for (let ordinal = 0; ordinal < profiles.ends.length; ordinal += 1) {
    if (ordinal % stepLength === 0) rest()
    const length = readWebsite(profiles, ordinal)
    if (length === 0) continue
    hashes.push(hashBytes(read, 0, length))
    ordinals.push(ordinal)
  }
  return inBuckets(hashes.view(), ordinals.view(), rest)
}

/** Finds owners of websites. */
export class Websites {
  readonly #profiles: PagedTexts
  readonly #table: HashBuckets

  constructor(profiles: PagedTexts, table: HashBuckets) {
    this.#profiles = profiles
    this.#table = table
  }

  /** The people whose website is an address or its host: none where the text is no address or many have it. */
  ownersOf(text: string): readonly number[] {
    const address = addressOf(text)
    if (address === undefined) return []
    const owners = this.#find(address)
    const host = address.slice(0, (address.indexOf('/') + 1 || address.length + 1) - 1)
    return owners.length > 0 || host === address ? owners : this.#find(host)
  }

  #find(address: string): readonly number[] {
    const bytes = Buffer.from(address)
    const owners = valuesOf(this.#table, hashBytes(bytes, 0, bytes.length)).filter((ordinal) =>
      bytes.equals(read.subarray(0, readWebsite(this.#profiles, ordinal))),
    )
    return owners.length > ownersMax ? [] : owners
  }
}

/** An address as the table has it: in small letters, without scheme, `www.` and a slash at the end. */
function addressOf(text: string): string | undefined {
  const shape = /^(?:https?:\/\/)?(?:www\.)?((?:[a-z0-9-]+\.)+[a-z]{2,24}(?:\/\S*)?)$/i
  const address = shape.exec(text)?.[1]?.toLowerCase().replace(/\/+$/, '')
  return address === undefined || address.length > bytesMax ? undefined : address
}

/**
 * Reads the website of somebody's profile into `read`, as `addressOf` has one, and returns its length; 0 where there
 * is none.
 */
function readWebsite(profiles: PagedTexts, ordinal: number): number {
  const { text } = profiles.pageOf(ordinal)
  const to = profiles.endOf(ordinal)
  let end = to - 2
  if (text[to - 1] !== close || text[end] !== quote) return 0
  let start = end
  const least = Math.max(profiles.startOf(ordinal), end - bytesMax)
  while (start > least && text[start - 1] !== quote) start -= 1
  if (start === least || text[start - 2 - member.length] === backslash) return 0
  if (!standsAt(member, text, start - 1 - member.length)) return 0
  start += text[start + 4] === 0x73 ? 'https://'.length : 'http://'.length
  while (end > start && text[end - 1] === slash) end -= 1
  for (let at = start; at < end; at += 1) read[at - start] = lower(text[at]!)
  const length = Math.max(0, end - start)
  if (length < www.length || !standsAt(www, read, 0)) return length
  read.copyWithin(0, www.length, length)
  return length - www.length
}

function standsAt(bytes: Uint8Array, text: Uint8Array, place: number): boolean {
  for (let at = 0; at < bytes.length; at += 1) if (text[place + at] !== bytes[at]) return false
  return true
}

function lower(byte: number): number {
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte
}
