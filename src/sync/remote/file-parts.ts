/**
 * A file as object storage holds it: in parts of 16 MiB, each an object of its own, packed with
 * gzip and named by the SHA-256 of its plain bytes. A part that is there is right whoever wrote it.
 */
import { createHash } from 'node:crypto'
import { createReadStream, statSync } from 'node:fs'
import { promisify } from 'node:util'
import { gunzipSync, gzip } from 'node:zlib'
import { limits } from '../../limits.ts'

export interface FileParts {
  readonly bytes: number
  /** SHA-256 in hexadecimal digits. */
  readonly parts: readonly string[]
}

const pack = promisify<Buffer, object, Buffer>(gzip)
/** Level 5 takes three quarters of the time of level 6, and gives a few per cent more bytes. */
const level = 5
/** Packed at once, on threads of Node's own. */
const ahead = 2

/** With a generous allowance for bytes that cannot be packed. */
export const packedBytesMax = limits.partBytes + (limits.partBytes >> 8)

export function partStart(index: number): number {
  return index * limits.partBytes
}

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

export async function partsOfFile(path: string): Promise<FileParts> {
  const { size: bytes } = statSync(path)
  const parts: string[] = []
  for (let index = 0; index < partCount(bytes); index += 1) {
    parts.push(await digestOfPart(path, index))
  }
  return { bytes, parts }
}

export async function partsThere(path: string, parts: readonly string[]): Promise<number> {
  let there = 0
  while (there < parts.length && (await digestOfPart(path, there)) === parts[there]) there += 1
  return there
}

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
 * Undefined for bytes that are not that part. Unpacks on the calling thread, which may have a low
 * priority; the threads of Node's own pool have none.
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
