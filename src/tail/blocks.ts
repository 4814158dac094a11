/**
 * The content of blocks: entries by their names, each a value as MessagePack. Names of the index lie in the block of their
 * hash; people and explanations by ordinal. Texts are the ready-made JSON of the snapshot, byte for byte. A block begins
 * with a checksum of its key and content, so that a damaged block and one under the key of another are refused.
 */
import { crc32 } from 'node:zlib'
import { Packr, Unpackr } from 'msgpackr/pack'
import { hashesOf } from '../memory/sets/bloom.ts'
import { type BlockKey, blockNameOf } from './tail-store.ts'

/** Names for each block of them, on average. */
export const namesPerBlock = 16
/** People for each block, so that a block has some two kilobytes. */
export const peoplePerBlock = 4

/** All of a person behind the head that a summary has. */
export interface TailSummary {
  readonly ordinal: number
  /** The first members of every item as JSON. */
  readonly identity: Uint8Array
  /** The number of the country. */
  readonly country: number
  /** In hundredths. */
  readonly score: number
  /** The number of the core topic, and the rank in it. */
  readonly coreTopic: number
  readonly coreRank: number
}

/** A person behind the head. */
export interface TailPerson extends TailSummary {
  /** The profile as JSON behind the identity. */
  readonly profile: Uint8Array
  /** The person's topics by number, the core topic first, and the rank in each. */
  readonly topics: readonly number[]
  readonly ranks: readonly number[]
}

/** Explanations of a person as they stand in items, behind the other members. */
export interface TailReasons {
  /** Of the rank by authority score. */
  readonly ofScore: string
  /** The person's topics by number, the core topic first; the share and the explanation of each. */
  readonly topics: readonly number[]
  readonly shares: readonly number[]
  readonly ofTopics: readonly string[]
}

/** A name: its numbers, and of a handle the owners behind the head, so that a match reads one block. */
export type TailName = readonly [numbers: readonly number[], owners: readonly TailSummary[]]

/** An entry of a block of any kind, by its name in the block. */
export type BlockEntry = readonly [name: string, value: TailName | TailPerson | TailReasons]

const packr = new Packr({ useRecords: false })
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true })

/** The number of the block of a name, of so many. */
export function blockOfName(name: string, blocks: number): number {
  return hashesOf(name)[0] % blocks
}

/** Bytes of the checksum, of the length of a name, and of the length of a value. */
const [checksumBytes, nameLengthBytes, valueLengthBytes] = [4, 2, 4]

/** The bytes of the block of a key. */
export function packBlock(key: BlockKey, entries: Iterable<BlockEntry>): Uint8Array {
  const parts: Uint8Array[] = [Buffer.alloc(checksumBytes)]
  for (const [name, value] of entries) {
    const nameBytes = Buffer.from(name)
    // A copy, since the next value may overwrite it.
    const valueBytes = Buffer.from(packr.pack(value))
    const lengths = Buffer.alloc(nameLengthBytes + valueLengthBytes)
    lengths.writeUInt16LE(nameBytes.length)
    lengths.writeUInt32LE(valueBytes.length, nameLengthBytes)
    parts.push(lengths, nameBytes, valueBytes)
  }
  const bytes = Buffer.concat(parts)
  bytes.writeUInt32LE(checksumOf(key, bytes.subarray(checksumBytes)))
  return bytes
}

/**
 * The value of an entry in the bytes of the block of a key; undefined if the block has no such entry. Only this value is
 * unpacked: all of a block were 16 names and their strings, a sixth of a match.
 * @throws Error for bytes that are not those of that block.
 */
export function entryOfBlock(key: BlockKey, bytes: Uint8Array, name: string): unknown {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const isWhole =
    block.length >= checksumBytes &&
    block.readUInt32LE() === checksumOf(key, block.subarray(checksumBytes))
  if (!isWhole) throw new Error(`${key.kind} ${key.number} of ${key.snapshot} is damaged`)
  const wanted = Buffer.from(name)
  for (let at = checksumBytes; at < block.length; ) {
    const nameStart = at + nameLengthBytes + valueLengthBytes
    const start = nameStart + block.readUInt16LE(at)
    const end = start + block.readUInt32LE(at + nameLengthBytes)
    if (wanted.compare(block, nameStart, start) === 0) return unpackr.unpack(block, { start, end })
    at = end
  }
  return undefined
}

function checksumOf(key: BlockKey, content: Uint8Array): number {
  return crc32(content, crc32(blockNameOf(key)))
}
