/** Texts that stay in a file: that a reader gets the bytes of the file or nothing, whatever becomes of it. */
import { closeSync, openSync, type read, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CannotBeBrought, Hold, NotAtHand } from '../../../../src/memory/elsewhere/not-at-hand.ts'
import { PagedTexts } from '../../../../src/memory/paged-texts.ts'
import { HeldRoom } from '../../../../src/snapshot/texts/held-room.ts'
import {
  BlockChecksums,
  blockBegins,
  type StoredTexts,
} from '../../../../src/snapshot/texts/stored-texts.ts'
import { TextCache, type TextCacheOptions } from '../../../../src/snapshot/texts/text-cache.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import '../../../support/property-seed.ts'

const before = 11

/** Texts of these lengths in a file, behind some other bytes. */
function stored(lengths: readonly number[], first = 0) {
  const ends = new Uint32Array(lengths.length)
  let end = 0
  lengths.forEach((length, entry) => {
    end += length
    ends[entry] = end
  })
  const bytes = Buffer.allocUnsafe(end)
  for (let at = 0; at < end; at += 1) bytes[at] = 32 + ((at * 7 + (at >> 8)) % 90)
  const path = join(temporaryDirectory(), 'texts')
  writeFileSync(path, Buffer.concat([Buffer.alloc(before), bytes, Buffer.from('behind')]))
  const file = openSync(path, 'r')
  const begins = blockBegins(ends, end)!
  const checksums = new BlockChecksums(begins)
  for (let at = 0; at < end; at += 1000) checksums.add(bytes.subarray(at, at + 1000))
  const pages = { 'profile.json': { offset: before, begins, checksums: checksums.checksums } }
  const texts: StoredTexts = { file, first, pages }
  const head = bytes.subarray(0, first === 0 ? 0 : ends[first - 1])
  const read = (options: Partial<TextCacheOptions> = {}) => {
    const cache = new TextCache({ bytesMax: 0, ...options })
    const parts = cache.partsOf(texts, [pages['profile.json']])
    return { cache, paged: new PagedTexts([head], ends, 2 ** 20, parts) }
  }
  const textOf = (entry: number) =>
    bytes.toString('latin1', ends[entry]! - lengths[entry]!, ends[entry])
  return { path, file, texts, read, textOf, begins, bytes, checksums: checksums.checksums }
}

/** What is missing, as it is thrown. */
function missingIn(work: () => unknown): NotAtHand {
  try {
    work()
  } catch (error) {
    if (error instanceof NotAtHand) return error
    throw error
  }
  throw new Error('nothing is missing')
}

const many = Array.from({ length: 400 }, (_, entry) => 300 + ((entry * 37) % 900))

it('cuts a page into blocks of whole entries, each with the checksum of its bytes', () => {
  const lengths = fc.array(fc.oneof(fc.nat(40), fc.nat(5_000), fc.nat(20_000)), { minLength: 1 })
  fc.assert(
    fc.property(lengths, (lengths) => {
      const { begins, checksums, bytes, file } = stored(lengths)
      closeSync(file)
      expect(begins.at(-1)).toBe(bytes.length)
      const sums = Array.from(checksums, (_, block) =>
        crc32(bytes.subarray(begins[block], begins[block + 1])),
      )
      expect([...checksums]).toEqual(sums)
    }),
    { numRuns: 30 },
  )
})

it('does not cut a page whose ends are out of order or are not its own', () => {
  expect(blockBegins(Uint32Array.of(5, 4), 4)).toBeUndefined()
  expect(blockBegins(Uint32Array.of(5, 9), 8)).toBeUndefined()
  expect(blockBegins(Uint32Array.of(5, 9), 10)).toBeUndefined()
  expect(blockBegins(new Uint32Array(0), 0)).toHaveLength(1)
})

it('gives every text in any order, with a cache of a few blocks', () => {
  const lengths = fc.array(fc.oneof(fc.nat(900), fc.nat(9_000)), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(lengths, fc.array(fc.nat()), fc.nat(20), (lengths, order, first) => {
      const { read, textOf, file } = stored(lengths, Math.min(first, lengths.length))
      const { paged } = read()
      for (const each of order) {
        const entry = each % lengths.length
        expect(paged.textAt(entry)).toBe(textOf(entry))
        expect(paged.lengthOf(entry)).toBe(lengths[entry])
      }
      closeSync(file)
    }),
    { numRuns: 30 },
  )
})

it('names all that is missing at once, and holds it when it is fetched', async () => {
  const { read, textOf } = stored(many)
  const { cache, paged } = read()
  cache.readsAtOnce = false
  const entries = [3, 120, 4, 380, 250]
  const missing = missingIn(() => paged.want(entries, entries.length))
  expect(missing.parts.length).toBeGreaterThan(3)
  const hold = new Hold()
  await missing.bring(hold)
  expect(entries.map((entry) => paged.textAt(entry))).toEqual(entries.map(textOf))
  hold.release()
})

it('keeps what is held, however much others read, and no more than its frames when all is let go', async () => {
  const { read, textOf } = stored(many)
  const { cache, paged } = read()
  cache.readsAtOnce = false
  const all = many.map((_, entry) => entry)
  const hold = new Hold()
  await missingIn(() => paged.want(all, all.length)).bring(hold)
  expect(all.map((entry) => paged.textAt(entry))).toEqual(all.map(textOf))
  hold.release()
  const left = missingIn(() => paged.want(all, all.length)).parts.length
  const blocks = Math.ceil(many.reduce((sum, length) => sum + length, 0) / 4096)
  expect(blocks - left).toBeLessThanOrEqual(16)
})

it('reads a block once for all who wait for it', async () => {
  const { read: reader } = stored(many)
  let reads = 0
  const { read: readFile } = await import('node:fs')
  const counted = ((...given: Parameters<typeof readFile>) => {
    reads += 1
    return readFile(...given)
  }) as typeof read
  const { cache, paged } = reader({ read: counted })
  cache.readsAtOnce = false
  const missing = missingIn(() => paged.textAt(50))
  const holds = [new Hold(), new Hold(), new Hold()]
  await Promise.all(holds.map((hold) => missing.bring(hold)))
  expect(reads).toBe(1)
  for (const hold of holds) hold.release()
})

it('lets the reads of several requests take turns', async () => {
  const { read: reader } = stored(many)
  const order: number[] = []
  const waiting: (() => void)[] = []
  const { read: readFile } = await import('node:fs')
  const slow = ((file: number, buffer: Buffer, ...more: [number, number, number, () => void]) => {
    order.push(more[2])
    waiting.push(() => readFile(file, buffer, ...more))
  }) as unknown as typeof read
  const { cache, paged } = reader({ read: slow })
  cache.readsAtOnce = false
  const large = missingIn(() =>
    paged.want(
      Array.from({ length: 300 }, (_, at) => at),
      300,
    ),
  )
  const small = missingIn(() => paged.textAt(390))
  const holds = [new Hold(), new Hold()] as const
  const first = large.bring(holds[0])
  first.catch(() => {})
  const second = small.bring(holds[1])
  let isOver = false
  void second.then(() => {
    isOver = true
  })
  while (!isOver) {
    waiting.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(order.length).toBeLessThan(8)
  holds[0].release()
  // A block that no request waits for is not read.
  while (waiting.length > 0) {
    waiting.shift()!()
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await expect(first).rejects.toThrow(CannotBeBrought)
  expect(order.length).toBeLessThan(12)
})

it('reads a file that was removed, and refuses one that was cut off or written over', async () => {
  const removed = stored(many)
  unlinkSync(removed.path)
  expect(removed.read().paged.textAt(77)).toBe(removed.textOf(77))
  const cut = stored(many)
  truncateSync(cut.path, before + 5_000)
  const over = stored(many)
  writeFileSync(over.path, Buffer.alloc(before + over.bytes.length + 6, 'x'))
  for (const { read } of [cut, over]) {
    const events: string[] = []
    const { cache, paged } = read({ onEvent: (event) => events.push(event) })
    expect(() => paged.textAt(200)).toThrow(CannotBeBrought)
    cache.readsAtOnce = false
    const missing = missingIn(() => paged.textAt(200))
    await expect(missing.bring(new Hold())).rejects.toThrow(CannotBeBrought)
    expect(events.filter((event) => event === 'textErrors')).toHaveLength(2)
  }
})

it('reads again what failed once', async () => {
  const { read: reader, textOf } = stored(many)
  const { read: readFile } = await import('node:fs')
  let failures = 1
  const failing = ((...given: Parameters<typeof readFile>) => {
    const done = given.at(-1) as unknown as (error: Error) => void
    if (failures-- > 0) setImmediate(() => done(Object.assign(new Error('EIO'), { code: 'EIO' })))
    else readFile(...given)
  }) as typeof read
  const { cache, paged } = reader({ read: failing })
  cache.readsAtOnce = false
  const missing = missingIn(() => paged.textAt(9))
  await expect(missing.bring(new Hold())).rejects.toThrow(CannotBeBrought)
  const hold = new Hold()
  await missing.bring(hold)
  expect(paged.textAt(9)).toBe(textOf(9))
  hold.release()
})

it('gives up and overwrites the blocks of other snapshots', async () => {
  const one = stored(many)
  const { cache, paged } = one.read({ bytesMax: 1 << 20 })
  const page = paged.pageOf(10)
  expect(page.text.some((byte) => byte !== 0)).toBe(true)
  await cache.keepOnly(one.texts)
  expect(paged.pageOf(10)).toBe(page)
  await cache.keepOnly(undefined)
  expect(page.text.every((byte) => byte === 0)).toBe(true)
})

it('holds no more for many requests together than it may, and serves each in turn', async () => {
  const { read, textOf } = stored(Array.from({ length: 6_000 }, () => 4_000))
  const { cache, paged } = read()
  cache.readsAtOnce = false
  const wanted = (from: number) => Array.from({ length: 1_500 }, (_, at) => from + at)
  const holds = [0, 1_500, 3_000, 4_500].map((from) => ({ from, hold: new Hold(), isHere: false }))
  const all = holds.map(async (each) => {
    const entries = wanted(each.from)
    await missingIn(() => paged.want(entries, entries.length)).bring(each.hold)
    each.isHere = true
  })
  for (const [index, { from, hold }] of holds.entries()) {
    await all[index]
    // 1,500 frames are 12 MB, of which there is room for 16.
    expect(holds.map(({ isHere }) => isHere)).toEqual(holds.map((_, at) => at <= index))
    expect(paged.textAt(from + 9)).toBe(textOf(from + 9))
    hold.release()
  }
})

it('gives the room of a request that was cancelled in the line to the next', async () => {
  const room = new HeldRoom(10)
  const [first, second, third] = [new Hold(), new Hold(), new Hold()]
  await room.enter(first, 8)
  const cancelled = room.enter(second, 8)
  const next = room.enter(third, 12)
  second.release()
  first.release()
  await Promise.all([cancelled, next])
  third.release()
  await room.enter(new Hold(), 10)
})
