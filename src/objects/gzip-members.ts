/**
 * Bytes as a sequence of gzip members (RFC 1952) of 16 MiB each, so that reading can resume at any member.
 * Every gzip reader can read them. An extra field holds the length of each member, as in BGZF, so its end
 * is known before it is unpacked.
 */
import { promisify } from 'node:util'
import { crc32, deflateRaw, inflateRawSync } from 'node:zlib'
import { limits } from '../limits.ts'
import { cutInto } from './cut-bytes.ts'

const deflate = promisify<Buffer, object, Buffer>(deflateRaw)

/** Magic, deflate, flag "extra"; no time, no system; extra field of 8 bytes: `AI`, 4 bytes. */
const opening = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 8, 0, 0x41, 0x49, 4, 0])
const headBytes = opening.length + 4
const tailBytes = 8
/** Maximum size of a member, with a generous allowance for what deflate adds to bytes that cannot be packed. */
const memberBytesMax = limits.memberBytes + (limits.memberBytes >> 8) + 1024
/** Level 5 takes three quarters of the time of level 6, and gives a few per cent more bytes. */
const level = 5
/** Maximum number of members that are packed at once, on threads of Node's own. */
const ahead = 2

/** Maximum size of an upload for a number of plain bytes. */
export function packedBytesMax(plainBytes: number): number {
  return Math.ceil((plainBytes + 1) / limits.memberBytes) * memberBytesMax
}

/** The members of some bytes. */
export async function* packMembers(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void, undefined> {
  const packing: Promise<Buffer>[] = []
  for await (const plain of cutInto(chunks, limits.memberBytes)) {
    packing.push(packMember(plain))
    if (packing.length > ahead) yield await packing.shift()!
  }
  for (const member of packing) yield await member
}

async function packMember(plain: Buffer): Promise<Buffer> {
  const packed = await deflate(plain, { level })
  const head = Buffer.alloc(headBytes)
  opening.copy(head)
  head.writeUInt32LE(headBytes + packed.length + tailBytes, opening.length)
  const tail = Buffer.alloc(tailBytes)
  tail.writeUInt32LE(crc32(plain), 0)
  tail.writeUInt32LE(plain.length, 4)
  return Buffer.concat([head, packed, tail])
}

/** One member, unpacked. */
interface GzipMember {
  readonly plain: Buffer
  /** Its size in the object. */
  readonly packedBytes: number
}

/** A fault in the members. */
export class MemberDamage extends Error {}

/**
 * The members that chunks hold, each whole and checked.
 * @throws MemberDamage for bytes that are no whole row of such members; the errors of the chunks.
 */
export async function* unpackMembers(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<GzipMember, void, undefined> {
  let pending: Buffer[] = []
  let pendingBytes = 0
  let wanted = headBytes
  for await (const chunk of chunks) {
    pending.push(chunk)
    pendingBytes += chunk.length
    while (pendingBytes >= wanted) {
      let bytes = pending.length === 1 ? pending[0]! : Buffer.concat(pending)
      if (wanted === headBytes) wanted = memberBytesOf(bytes)
      if (bytes.length >= wanted) {
        yield unpackMember(bytes.subarray(0, wanted))
        bytes = bytes.subarray(wanted)
        wanted = headBytes
      }
      pending = [bytes]
      pendingBytes = bytes.length
    }
  }
  if (pendingBytes > 0) throw new MemberDamage('it is truncated')
}

function memberBytesOf(bytes: Buffer): number {
  const length = bytes.readUInt32LE(opening.length)
  const isHead = bytes.subarray(0, opening.length).equals(opening)
  if (!isHead || length < headBytes + tailBytes || length > memberBytesMax) {
    throw new MemberDamage('no gzip member of ours begins where one should')
  }
  return length
}

/** Unpacks on the calling thread, which may have a low priority; the threads of Node's own pool have none. */
function unpackMember(member: Buffer): GzipMember {
  const tail = member.length - tailBytes
  let plain: Buffer
  try {
    const options = { maxOutputLength: limits.memberBytes }
    plain = inflateRawSync(member.subarray(headBytes, tail), options)
  } catch (error) {
    throw new MemberDamage(`a gzip member is damaged: ${(error as Error).message}`)
  }
  const isWhole =
    member.readUInt32LE(tail) === crc32(plain) && member.readUInt32LE(tail + 4) === plain.length
  if (!isWhole) throw new MemberDamage('the checksum of a gzip member does not match')
  return { plain, packedBytes: member.length }
}
