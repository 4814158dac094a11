/** The file of a ledger: when it is made or refused. */
import {
  copyFileSync,
  existsSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openBooks, withAdministration } from '../../../../src/ledger/books/open-books.ts'
import { openWholeSession } from '../../../../src/ledger/leases/whole-session.ts'
import { ledgerForm } from '../../../../src/ledger/sql/form.ts'
import { refuseUnlessHeld } from '../../../../src/ledger/sql/sqlite/held-file.ts'
import {
  askLedger,
  booksWith,
  startMs,
  temporaryDirectory,
} from '../../../support/ledger-fixture.ts'

const clock = () => startMs

const open = (data: string, create = false) =>
  withAdministration({ data, ledger: null, clock, create }, async () => {})

describe('a ledger', () => {
  test('that cannot be looked into is refused with what the command needs', async () => {
    const loop = join(temporaryDirectory(), 'data')
    symlinkSync(loop, loop)
    const message = /cannot be looked at: ELOOP.*the rights of the user whom the service runs as/
    await expect(refuseUnlessHeld(loop)).rejects.toMatchObject({
      code: 'ledger-refused',
      message: expect.stringMatching(message),
    })
  })

  test('is refused when its file is another one, and the file is left as it is', async () => {
    const directory = temporaryDirectory()
    const path = join(directory, 'ledger.db')
    writeFileSync(path, 'not a ledger'.repeat(1_000))
    await expect(open(directory)).rejects.toMatchObject({
      code: 'ledger-corrupt',
      message: `${path} is no ledger or is damaged: file is not a database`,
    })
    expect(statSync(path).size).toBe(12_000)
  })

  test('of LMDB is refused by name, by commands and by services, with the version that reads it', async () => {
    const directory = temporaryDirectory()
    const path = join(directory, 'ledger.mdb')
    writeFileSync(path, 'pages')
    const session = { directory, node: 'test', clock, report: () => {} }
    for (const opened of [open(directory), open(directory, true), openWholeSession(session)]) {
      await expect(opened).rejects.toMatchObject({
        code: 'ledger-refused',
        message: expect.stringMatching(
          /ledger\.mdb is a ledger that version 0\.1\.0 reads, and this version does not: use the/,
        ),
      })
    }
    expect(existsSync(join(directory, 'ledger.db'))).toBe(false)
    expect(readFileSync(path, 'utf8')).toBe('pages')
  })

  test.each([
    ['an earlier version', ledgerForm - 1],
    ['a later version', ledgerForm + 1],
  ])('is refused by name where it has the form of %s, and is left as it is', async (_, form) => {
    const { place } = await booksWith(['first'])
    await askLedger(place, 'update ledger_version set version = $1', [form])
    await expect(open(place, true)).rejects.toMatchObject({
      ...{ code: 'ledger-refused', kind: 'rule' },
      message: expect.stringContaining(
        `the ledger in ${place} has form ${form}, and this version reads form ${ledgerForm} only: use the version that wrote it`,
      ),
    })
    expect(await askLedger(place, 'select version from ledger_version')).toEqual([
      { version: form },
    ])
  })

  test('is made where a crash left an empty file', async () => {
    const data = temporaryDirectory()
    writeFileSync(join(data, 'ledger.db'), '')
    const books = await openBooks({ data, ledger: null, clock })
    onTestFinished(() => books.close())
    await books.createAccount('first')
    expect(await books.audit()).toMatchObject({ accounts: 1, contradictions: [] })
  })

  test('is refused where it is empty beside a -wal, which stays as it is', async () => {
    const { place } = await booksWith(['first'])
    const bytes = statSync(join(place, 'ledger.db-wal')).size
    const copy = temporaryDirectory()
    copyFileSync(join(place, 'ledger.db-wal'), join(copy, 'ledger.db-wal'))
    for (const isThere of [false, true]) {
      if (isThere) writeFileSync(join(copy, 'ledger.db'), '')
      await expect(open(copy, true)).rejects.toMatchObject({ code: 'ledger-corrupt' })
      expect(statSync(join(copy, 'ledger.db-wal')).size).toBe(bytes)
    }
  })

  test('is refused when its directory cannot be made', async () => {
    const file = join(temporaryDirectory(), 'file')
    writeFileSync(file, '')
    await expect(open(join(file, 'below'), true)).rejects.toMatchObject({ code: 'ledger-refused' })
  })
})
