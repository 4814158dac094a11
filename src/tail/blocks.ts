/**
 * The content of blocks: names with their numbers by the hash of the name, people and explanations by ordinal. Values
 * are MessagePack; texts are the ready-made JSON of the snapshot, byte for byte. A block begins with a checksum of its
 * key and content, so that a damaged block and one under the key of another are refused.
 */
import { crc32 } from 'node:zlib'
import { Packr, Unpackr } from 'msgpackr/pack'
import { hashesOf } from '../memory/sets/bloom.ts'
import { type BlockKey, type BlockKind, blockNameOf } from './tail-store.ts'

/** Names for each block of them, on average. */
export const namesPerBlock = 16
/** People for each block, so that a block has some two kilobytes. */
export const peoplePerBlock = 4

/** A person behind the head. */
export interface TailPerson {
  /** The first members of every item as JSON. */
  readonly identity: Uint8Array
  /** The profile as JSON behind the identity. */
  readonly profile: Uint8Array
  /** The number of the country. */
  readonly country: number
  /** In hundredths. */
  readonly score: number
  readonly coreRank: number
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

/** Names of a block, each with its numbers. */
export type TailNames = ReadonlyMap<string, readonly number[]>

/** The content of a block of any kind. */
export type BlockContent = TailNames | readonly TailPerson[] | readonly TailReasons[]

const packr = new Packr({ useRecords: false })
/** Names differ from block to block: objects of them would each have a shape of their own. */
const unpackrs: Readonly<Record<BlockKind, Unpackr>> = {
  names: new Unpackr({ useRecords: false, mapsAsObjects: false }),
  people: new Unpackr({ useRecords: false, mapsAsObjects: true }),
  reasons: new Unpackr({ useRecords: false, mapsAsObjects: true }),
}

/** The number of the block of a name, of so many. */
export function blockOfName(name: string, blocks: number): number {
  return hashesOf(name)[0] % blocks
}

const checksumBytes = 4

/** The bytes of the block of a key. */
export function packBlock(key: BlockKey, block: BlockContent): Uint8Array {
  const content = packr.pack(block)
  const bytes = Buffer.allocUnsafe(checksumBytes + content.length)
  bytes.writeUInt32LE(checksumOf(key, content))
  bytes.set(content, checksumBytes)
  return bytes
}

/** The block of a key from its bytes. @throws Error for bytes that are not those of that block. */
export function unpackBlock(key: BlockKey, bytes: Uint8Array): unknown {
  const { buffer, byteOffset, length } = bytes
  const content = bytes.subarray(checksumBytes)
  const isWhole =
    length > checksumBytes &&
    new DataView(buffer, byteOffset).getUint32(0, true) === checksumOf(key, content)
  if (isWhole) return unpackrs[key.kind].unpack(content)
  throw new Error(`${key.kind} ${key.number} of ${key.snapshot} is damaged`)
}

function checksumOf(key: BlockKey, content: Uint8Array): number {
  return crc32(content, crc32(blockNameOf(key)))
}
