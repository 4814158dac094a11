import { randomFillSync } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/limits.ts'
import {
  MemberDamage,
  packedBytesMax,
  packMembers,
  unpackMembers,
} from '../../../src/objects/gzip-members.ts'

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

async function unpacked(packed: Buffer, size = 100_000): Promise<Buffer> {
  const members = await all(unpackMembers(inChunks(packed, size)))
  return Buffer.concat(members.map(({ plain }) => plain))
}

/** More than two members, quickly packed. */
function large(): Buffer {
  const bytes = Buffer.alloc(2 * limits.memberBytes + 5_000)
  randomFillSync(bytes, 0, 1_000)
  randomFillSync(bytes, bytes.length - 1_000)
  return bytes
}

describe('gzip members', () => {
  it('are read by whatever reads gzip, and by us, wherever the chunks are cut', async () => {
    const bytes = large()
    const members = await all(packMembers(inChunks(bytes, 1_000_000)))
    const packed = Buffer.concat(members)
    expect(members.length).toBe(3)
    expect(gunzipSync(packed).equals(bytes)).toBe(true)
    for (const size of [7, 4096, packed.length]) {
      expect((await unpacked(packed, size)).equals(bytes)).toBe(true)
    }
  })

  it('say where the next begins', async () => {
    const packed = await all(packMembers(inChunks(large(), 1_000_000)))
    const found = await all(unpackMembers(inChunks(Buffer.concat(packed), 1_000)))
    expect(found.map(({ packedBytes }) => packedBytes)).toEqual(packed.map(({ length }) => length))
    expect(found.map(({ plain }) => plain.length)).toEqual([
      limits.memberBytes,
      limits.memberBytes,
      5_000,
    ])
  })

  it('take no more than is told before', async () => {
    const bytes = randomFillSync(Buffer.alloc(limits.memberBytes + 1))
    const packed = Buffer.concat(await all(packMembers(inChunks(bytes, 1 << 20))))
    expect(packed.length).toBeLessThanOrEqual(packedBytesMax(bytes.length))
  })

  it('that are cut off or changed anywhere are told', async () => {
    const bytes = randomFillSync(Buffer.alloc(300))
    const [packed] = (await all(packMembers(inChunks(bytes, 100)))) as [Buffer]
    for (let end = 1; end < packed.length; end += 1) {
      await expect(unpacked(packed.subarray(0, end))).rejects.toThrow(MemberDamage)
    }
    for (let at = 0; at < packed.length; at += 1) {
      const other = Buffer.from(packed)
      other[at]! ^= 0x04
      const found = await unpacked(other).catch((error: Error) => error)
      expect([at, found instanceof MemberDamage]).toEqual([at, true])
    }
  })

  it('of others are none', async () => {
    const foreign = Buffer.from('1f8b08000000000000034b04000043beb7e801000000', 'hex')
    await expect(unpacked(foreign)).rejects.toThrow('no gzip member of ours')
  })
})
