/** What LMDB says of a page that the disk refused, and when the process may not go on after it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { hasDamagedMemory, refuseWithoutRoom } from '../../../src/ledger/disk/room.ts'

/** As mdb_page_flush writes it. */
function refused(sizes: string): Error {
  const place = 'Attempting to write page at position 36864, size 4096, blocks 1, buffer sizes'
  return new Error(`No space left on device: ${place} ${sizes}`)
}

test('a text of LMDB longer than its 100 bytes of memory has damaged the memory behind', () => {
  expect(hasDamagedMemory(refused('4096 -66439281 -2104910452'))).toBe(true)
  expect(hasDamagedMemory(refused('4096 0 0'))).toBe(false)
  expect(hasDamagedMemory(new Error('Input/output error'.padEnd(300, '.')))).toBe(false)
})

test('a disk that cannot be looked at is reported by its own error', () => {
  const directory = mkdtempSync(join(tmpdir(), 'room-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const name = 'the ledger in there'
  expect(() => refuseWithoutRoom(directory, name)).not.toThrow()
  expect(() => refuseWithoutRoom(join(directory, 'gone'), name)).toThrow(/ENOENT/)
})
