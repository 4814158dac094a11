/**
 * A file as object storage holds it: in parts of 16 MiB, each an object of its own, packed with gzip and named by the
 * SHA-256 of its plain bytes. A part that is there is right whoever wrote it, and files that share it share the object.
 */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { limits } from '../../limits.ts'

/** The parts of a file. */
export interface FileParts {
  /** Size of the file. */
  readonly bytes: number
  /** The SHA-256 of each part in order, in hexadecimal digits. */
  readonly parts: readonly string[]
}

const pack = promisify<Buffer, object, Buffer>(gzip)
/** Level 5 takes three quarters of the time of level 6, and gives a few per cent more bytes. */
const level = 5
/** Parts that are packed at once, on threads of Node's own. */
const ahead = 2

/** Bytes of a packed part at most, with a generous allowance for bytes that cannot be packed. */
export const packedBytesMax = limits.partBytes + (limits.partBytes >> 8)

/** Offset of a part in its file. */
export function partStart(index: number): number {
  return index * limits.partBytes
}

/** Number of the parts of a file of a size. */
export function partCount(bytes: number): number {
  return Math.ceil(bytes / limits.partBytes)
}

function readPart(path: string, index: number) {
  const start = partStart(index)
  return createReadStream(path, {
    start,
    end: start + limits.partBytes - 1,
    highWaterMark: 1 << 20,
  })
}

async function digestOfPart(path: string, index: number): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of readPart(path, index)) hash.update(chunk)
  return hash.digest('hex')
}

/** The parts of a file, which is read once. */
export async function partsOfFile(path: string): Promise<FileParts> {
  const { size: bytes } = statSync(path)
  const parts: string[] = []
  for (let index = 0; index < partCount(bytes); index += 1) {
    parts.push(await digestOfPart(path, index))
  }
  return { bytes, parts }
}

/** Number of the parts that the beginning of a file holds. */
export async function partsThere(path: string, parts: readonly string[]): Promise<number> {
  let there = 0
  while (there < parts.length && (await digestOfPart(path, there)) === parts[there]) there += 1
  return there
}

/** Some parts of a file, packed. @param indexes of the parts. */
export async function* packedParts(
  path: string,
  indexes: readonly number[],
): AsyncGenerator<Buffer, void, undefined> {
  const packing: Promise<Buffer>[] = []
  for (const index of indexes) {
    const chunks = (await readPart(path, index).toArray()) as Buffer[]
    packing.push(pack(Buffer.concat(chunks), { level }))
    if (packing.length > ahead) yield await packing.shift()!
  }
  for (const packed of packing) yield await packed
}

/**
 * The plain bytes of a part; undefined for bytes that are not that part. Unpacks on the calling thread, which may have a
 * low priority; the threads of Node's own pool have none.
 */
export function unpackedPart(packed: Buffer, sha256: string): Buffer | undefined {
  let plain: Buffer
  try {
    plain = gunzipSync(packed, { maxOutputLength: limits.partBytes })
  } catch {
    return undefined
  }
  return createHash('sha256').update(plain).digest('hex') === sha256 ? plain : undefined
}
