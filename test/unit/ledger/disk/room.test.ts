/** What LMDB says of a page that the disk refused, and when the process may not go on after it. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkPages } from '../../../../src/ledger/disk/pages.ts'
import {
  hasDamagedMemory,
  refuseWithoutRoom,
  reserveSpace,
} from '../../../../src/ledger/disk/room.ts'
import { createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { openEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { startMs, temporaryDirectory } from '../../../support/ledger-fixture.ts'

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

test('the next pages have their space in the file before LMDB writes them', async () => {
  const directory = temporaryDirectory()
  const path = join(directory, 'ledger.mdb')
  const environment = openEnvironment({ directory, clock: () => startMs, create: true })
  createAccount(environment, 'first')
  const { size } = statSync(path)
  expect(size).toBeGreaterThan(1 << 20)
  for (let number = 1; number <= 20; number += 1) topUp(environment, 'first', 1, `${number}`)
  // Overwritten, not made longer.
  expect(statSync(path).size).toBe(size)
  await environment.close()
  const before = readFileSync(path)
  reserveSpace(path)
  expect(readFileSync(path).equals(before)).toBe(true)
  checkPages(path, 'all', 'a ledger')
  const again = openEnvironment({ directory, clock: () => startMs })
  expect(audit(again)).toMatchObject({ rows: 21, contradictions: [] })
  await again.close()
})

test('a process that was killed while it reserved space leaves a ledger that works', async () => {
  const directory = temporaryDirectory()
  const path = join(directory, 'ledger.mdb')
  const first = openEnvironment({ directory, clock: () => startMs, create: true })
  createAccount(first, 'first')
  await first.close()
  // No whole page, as a write that ended in its middle.
  appendFileSync(path, Buffer.alloc(12_345))
  const again = openEnvironment({ directory, clock: () => startMs })
  for (let number = 1; number <= 20; number += 1) topUp(again, 'first', 1, `${number}`)
  again.checkPages()
  expect(audit(again)).toMatchObject({ rows: 21, contradictions: [] })
  await again.close()
})

test('a transaction that says how much it writes has space for all of it', async () => {
  const directory = temporaryDirectory()
  const environment = openEnvironment({ directory, clock: () => startMs, create: true })
  environment.transact(() => {}, 10 << 20)
  expect(statSync(join(directory, 'ledger.mdb')).size).toBeGreaterThan(10 << 20)
  await environment.close()
})
