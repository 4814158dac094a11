/** Backups of a ledger: whole and proved whatever is written meanwhile, and a way back. */
import { chmodSync, existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backUp, restore } from '../../../../src/ledger/books/backup.ts'
import { openBooks } from '../../../../src/ledger/books/open-books.ts'
import { lockDirectory } from '../../../../src/ledger/sql/sqlite/held-file.ts'
import { askLedger, letGo, startMs, temporaryDirectory } from '../../../support/ledger-fixture.ts'

const clock = () => startMs

async function booksIn<T>(data: string, work: (books: Awaited<ReturnType<typeof openBooks>>) => T) {
  const books = await openBooks({ data, ledger: null, clock, create: true })
  try {
    return await work(books)
  } finally {
    await books.close()
  }
}

async function rowsIn(data: string): Promise<number> {
  const { rows, contradictions } = await booksIn(data, (books) => books.audit())
  expect(contradictions).toEqual([])
  return rows
}

/** A ledger with one account, which no process has open. */
async function newLedger(): Promise<string> {
  const data = temporaryDirectory()
  await booksIn(data, (books) => books.createAccount('first'))
  return data
}

async function newBackup(from: string): Promise<string> {
  const directory = join(temporaryDirectory(), 'made', 'here')
  await backUp(from, directory, clock)
  return directory
}

async function restored(backup: string, directory: string) {
  await letGo()
  const lock = await lockDirectory(directory)
  return restore({ backup, directory, lock, clock }).finally(() => lock.release())
}

describe('a backup', () => {
  test('is the ledger in one file, for its owner only', async () => {
    const data = await newLedger()
    const directory = await newBackup(data)
    expect(readdirSync(directory)).toEqual(['ledger.db'])
    expect(statSync(join(directory, 'ledger.db')).mode & 0o777).toBe(0o600)
    expect(await rowsIn(directory)).toBe(1)
  })

  test('is refused where there is a ledger, and where nothing can be written', async () => {
    const data = await newLedger()
    const other = await newLedger()
    await expect(backUp(data, other, clock)).rejects.toThrow(
      `there is already a ledger in ${other}`,
    )
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    await expect(backUp(data, join(file, 'below'), clock)).rejects.toMatchObject({
      code: 'ledger-refused',
    })
  })

  test('whose books do not balance is none', async () => {
    const data = await newLedger()
    await askLedger(data, 'update account set charged = 1, free = free - 1')
    const directory = temporaryDirectory()
    await expect(backUp(data, directory, clock)).rejects.toMatchObject({
      code: 'ledger-corrupt',
      message: expect.stringMatching(
        /^the books in the copy do not balance \(\d+\): account first/,
      ),
    })
    expect(readdirSync(directory)).toEqual([])
  })
})

describe('a restoration', () => {
  test('puts the backup in place, and keeps what was there with what its -wal holds', async () => {
    const data = await newLedger()
    const backup = await newBackup(data)
    await booksIn(data, (books) => books.topUp('first', 5, 'paid'))
    expect(statSync(join(data, 'ledger.db-wal')).size).toBeGreaterThan(0)
    const { audit, replaced } = await restored(backup, data)
    expect(audit.rows).toBe(1)
    expect(replaced).toBe(join(data, 'replaced-2026-07-28T12-00-00.000Z'))
    expect(readdirSync(data).filter((name) => /-wal|-shm|partial/.test(name))).toEqual([])
    expect(await rowsIn(data)).toBe(1)
    expect(await rowsIn(replaced!)).toBe(2)
    expect(await rowsIn(backup)).toBe(1)
  })

  test('works where the ledger is damaged, where only its -wal is left, and where there is none', async () => {
    const data = await newLedger()
    const backup = await newBackup(data)
    await booksIn(data, (books) => books.topUp('first', 5, 'paid'))
    await letGo()
    truncateSync(join(data, 'ledger.db'), 5_000)
    writeFileSync(join(data, 'ledger.db'), 'damaged'.repeat(20), { flag: 'r+' })
    const { replaced } = await restored(backup, data)
    expect(existsSync(join(replaced!, 'ledger.db'))).toBe(true)
    expect(await rowsIn(data)).toBe(1)

    const rest = temporaryDirectory()
    writeFileSync(join(rest, 'ledger.db-wal'), 'something')
    expect(readdirSync((await restored(backup, rest)).replaced!)).toEqual(['ledger.db-wal'])
    expect(await rowsIn(rest)).toBe(1)

    const fresh = temporaryDirectory()
    expect((await restored(backup, fresh)).replaced).toBeUndefined()
    expect(await rowsIn(fresh)).toBe(1)
  })

  test('is refused while another process has the ledger open', async () => {
    const data = await newLedger()
    const backup = await newBackup(data)
    const books = await openBooks({ data, ledger: null, clock })
    onTestFinished(() => books.close())
    await books.topUp('first', 5, 'paid')
    await expect(restored(backup, data)).rejects.toMatchObject({
      code: 'ledger-refused',
      message: expect.stringContaining('another process has the ledger'),
    })
    expect((await books.audit()).rows).toBe(2)
    expect(readdirSync(data).filter((name) => /partial|replaced/.test(name))).toEqual([])
  })

  test('of a backup that is damaged, of another form or none changes nothing', async () => {
    const data = await newLedger()
    const nothing = temporaryDirectory()
    await expect(restored(nothing, data)).rejects.toMatchObject({ code: 'ledger-refused' })
    const backup = await newBackup(data)
    truncateSync(join(backup, 'ledger.db'), 9_000)
    await expect(restored(backup, data)).rejects.toMatchObject({ code: 'ledger-corrupt' })
    const older = await newBackup(data)
    await askLedger(older, 'update ledger_version set version = 10')
    await expect(restored(older, data)).rejects.toThrow('has form 10')
    expect(await rowsIn(data)).toBe(1)
    expect(readdirSync(data).filter((name) => /partial|replaced/.test(name))).toEqual([])
  })

  test('takes what a command wrote to the backup, also from a directory that is read-only', async () => {
    const backup = await newBackup(await newLedger())
    chmodSync(backup, 0o500)
    onTestFinished(() => chmodSync(backup, 0o700))
    expect((await restored(backup, temporaryDirectory())).audit.rows).toBe(1)
    chmodSync(backup, 0o700)
    await booksIn(backup, (books) => books.topUp('first', 5, 'paid'))
    expect((await restored(backup, temporaryDirectory())).audit.rows).toBe(2)
  })
})
