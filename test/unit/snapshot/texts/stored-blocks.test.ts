/** Texts that stay in a file: that a reader gets the bytes of the file or nothing, whatever becomes of it. */
import { closeSync, openSync, truncateSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { piecesOfFile } from '../../../../src/snapshot/pieces.ts'
import { PagedTexts } from '../../../../src/snapshot/texts/paged-texts.ts'
import { StoredBlocks, UnreadableTexts } from '../../../../src/snapshot/texts/stored-blocks.ts'
import {
  blockBegins,
  checksumsOfBlocks,
  type StoredTexts,
} from '../../../../src/snapshot/texts/stored-texts.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import '../../../support/property-seed.ts'

const before = 11

const name = 'profile.json'

/** Texts of these lengths in a file, behind some other bytes. */
function stored(lengths: readonly number[]) {
  const starts = new Uint32Array(lengths.length + 1)
  lengths.forEach((length, entry) => {
    starts[entry + 1] = starts[entry]! + length
  })
  const end = starts.at(-1)!
  const bytes = Buffer.allocUnsafe(end)
  for (let at = 0; at < end; at += 1) bytes[at] = 32 + ((at * 7 + (at >> 8)) % 90)
  const path = join(temporaryDirectory(), 'texts')
  writeFileSync(path, Buffer.concat([Buffer.alloc(before), bytes, Buffer.from('behind')]))
  const file = openSync(path, 'r')
  const begins = blockBegins(starts, end)!
  const { whole, blocks: checksums } = checksumsOfBlocks(piecesOfFile(file, before, end), begins)
  expect(whole).toBe(crc32(bytes))
  const pages = { [name]: { offset: before, begins, checksums } }
  const texts: StoredTexts = { file, pages }
  const parts = new StoredBlocks(texts, [pages[name]])
  const paged = new PagedTexts([new Uint8Array(0)], starts, parts)
  const textOf = (entry: number) => bytes.toString('latin1', starts[entry], starts[entry + 1])
  return { path, file, texts, paged, textOf, begins, bytes, checksums }
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

it('does not cut a page whose starts are out of order or are not its own', () => {
  expect(blockBegins(Uint32Array.of(0, 5, 4), 4)).toBeUndefined()
  expect(blockBegins(Uint32Array.of(0, 5, 9), 8)).toBeUndefined()
  expect(blockBegins(Uint32Array.of(0, 5, 9), 10)).toBeUndefined()
  expect(blockBegins(Uint32Array.of(1, 5, 9), 9)).toBeUndefined()
  expect(blockBegins(new Uint32Array(0), 0)).toBeUndefined()
  expect(blockBegins(Uint32Array.of(0), 0)).toHaveLength(1)
})

it('gives every text in any order', () => {
  const lengths = fc.array(fc.oneof(fc.nat(900), fc.nat(9_000)), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(lengths, fc.array(fc.nat()), (lengths, order) => {
      const { paged, textOf, file } = stored(lengths)
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

it('reads a file that was removed, and refuses one that was cut off or written over', () => {
  const removed = stored(many)
  unlinkSync(removed.path)
  expect(removed.paged.textAt(77)).toBe(removed.textOf(77))
  const cut = stored(many)
  truncateSync(cut.path, before + 5_000)
  const over = stored(many)
  writeFileSync(over.path, Buffer.alloc(before + over.bytes.length + 6, 'x'))
  for (const { paged } of [cut, over]) {
    expect(() => paged.textAt(200)).toThrow(UnreadableTexts)
  }
})

it('refuses what the system cannot read, says why, and reads again what failed once', () => {
  const { path, texts, paged, textOf, bytes } = stored(many)
  expect(paged.textAt(9)).toBe(textOf(9))
  const whole = Buffer.concat([Buffer.alloc(before), bytes])
  writeFileSync(path, '')
  expect(() => paged.textAt(200)).toThrow(
    expect.objectContaining({ cause: new Error('the file has become shorter') }),
  )
  writeFileSync(path, whole)
  // The block that was there before the failure is not taken for the one that was asked for.
  for (const entry of [9, 200]) expect(paged.textAt(entry)).toBe(textOf(entry))
  const directory = openSync(temporaryDirectory(), 'r')
  const unreadable = new StoredBlocks({ ...texts, file: directory }, [texts.pages[name]!])
  expect(() => unreadable.partAt(0, 0)).toThrow(
    expect.objectContaining({ cause: expect.objectContaining({ code: 'EISDIR' }) }),
  )
  closeSync(directory)
})
