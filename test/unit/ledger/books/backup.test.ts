/** Backups of a ledger: whole and proved whatever is written meanwhile, and a way back. */
import { chmodSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { backUp } from '../../../../src/ledger/books/backup.ts'
import { openBooks } from '../../../../src/ledger/books/open-books.ts'
import { askLedger, startMs, temporaryDirectory } from '../../../support/ledger-fixture.ts'

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
  test('is a backup of the backup, where no ledger is and nothing is left of one', async () => {
    const data = await newLedger()
    const backup = await newBackup(data)
    await booksIn(data, (books) => books.topUp('first', 5, 'paid'))
    await expect(backUp(backup, data, clock)).rejects.toThrow('there is already a ledger in')
    expect(await rowsIn(data)).toBe(2)
    const rest = temporaryDirectory()
    writeFileSync(join(rest, 'ledger.db-wal'), 'something')
    await expect(backUp(backup, rest, clock)).rejects.toThrow('there is already a ledger in')
    rmSync(join(rest, 'ledger.db-wal'))
    expect((await backUp(backup, rest, clock)).rows).toBe(1)
    expect(readdirSync(rest)).toEqual(['ledger.db'])
    expect(await rowsIn(rest)).toBe(1)
  })

  test('of a backup that is damaged, of another form or none changes nothing', async () => {
    const data = temporaryDirectory()
    await expect(backUp(temporaryDirectory(), data, clock)).rejects.toMatchObject({
      code: 'ledger-refused',
    })
    const backup = await newBackup(await newLedger())
    truncateSync(join(backup, 'ledger.db'), 9_000)
    await expect(backUp(backup, data, clock)).rejects.toMatchObject({ code: 'ledger-corrupt' })
    const older = await newBackup(await newLedger())
    await askLedger(older, 'update ledger_version set version = 10')
    await expect(backUp(older, data, clock)).rejects.toThrow('has form 10')
    expect(readdirSync(data)).toEqual([])
  })

  test('takes what a command wrote to the backup, also from a directory that is read-only', async () => {
    const backup = await newBackup(await newLedger())
    chmodSync(backup, 0o500)
    onTestFinished(() => chmodSync(backup, 0o700))
    expect((await backUp(backup, temporaryDirectory(), clock)).rows).toBe(1)
    chmodSync(backup, 0o700)
    await booksIn(backup, (books) => books.topUp('first', 5, 'paid'))
    expect((await backUp(backup, temporaryDirectory(), clock)).rows).toBe(2)
  })
})
