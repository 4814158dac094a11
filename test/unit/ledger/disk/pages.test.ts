/** A damaged file is refused in one line before LMDB reads it, because LMDB would crash. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkPages, usedBytes } from '../../../../src/ledger/disk/pages.ts'
import { createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import { openEnvironment, withEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { Refusal } from '../../../../src/problems.ts'
import { salesOf, startMs, temporaryDirectory } from '../../../support/ledger-fixture.ts'
import { compiled } from '../../../support/processes/compiled.ts'

const pageBytes = 4096
const clock = () => startMs

let directory = ''

/** A ledger whose journal has branches, closed; the tests damage copies of it. */
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'))
  const environment = openEnvironment({ directory, clock, create: true })
  createAccount(environment, 'first')
  const charges = [{ accountNumber: 1, keyId: 'key_1', sales: salesOf({ search: 1, match: 2 }) }]
  for (let number = 1; number <= 600; number += 1) {
    chargeBatch(environment, { session: 'test', number, charges, holdings: undefined })
  }
  topUp(environment, 'first', 5, 'paid')
  await environment.close()
  // Without the space that is reserved behind the last page, where no damage means anything.
  const path = join(directory, 'ledger.mdb')
  truncateSync(path, usedBytes(openSync(path, 'r')))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

/** The ledger, damaged in a directory of its own. */
function damagedCopy(damage: (path: string) => void): string {
  const copy = temporaryDirectory()
  copyFileSync(join(directory, 'ledger.mdb'), join(copy, 'ledger.mdb'))
  damage(join(copy, 'ledger.mdb'))
  return copy
}

function overwrite(path: string, place: number, bytes: Buffer): void {
  writeSync(openSync(path, 'r+'), bytes, 0, undefined, place)
}

/** The code of the refusal, and what it says of the file; `undefined` where it is read. */
function refusalOf(directory: string): string | undefined {
  const path = join(directory, 'ledger.mdb')
  try {
    checkPages(path, 'all', 'a ledger')
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    expect([error.code, error.message.slice(0, path.length)]).toEqual(['ledger-corrupt', path])
    expect(error.message).not.toContain('\n')
    return error.message.slice(path.length + 1)
  }
}

describe('a file of a ledger', () => {
  test('is read when it is whole, also with branches only', async () => {
    expect(refusalOf(directory)).toBeUndefined()
    checkPages(join(directory, 'ledger.mdb'), 'branches', 'a ledger')
    const environment = openEnvironment({ directory, clock })
    expect(audit(environment).contradictions).toEqual([])
    await environment.close()
  })

  test('is refused wherever it is cut off, already by its branches', async () => {
    const { size } = statSync(join(directory, 'ledger.mdb'))
    const lengths = [1, 100, 167, 168, 4096, 4100, 4264]
    for (let length = 2 * pageBytes; length < size; length += pageBytes) lengths.push(length)
    const outcomes = lengths.map((length) => {
      const copy = damagedCopy((path) => truncateSync(path, length))
      try {
        checkPages(join(copy, 'ledger.mdb'), 'branches', 'a ledger')
      } catch (error) {
        expect(error).toMatchObject({ name: 'Refusal', code: 'ledger-corrupt' })
        return 'refused'
      }
      // What is missing was free: nothing is lost.
      const environment = openEnvironment({ directory: copy, clock })
      expect(audit(environment)).toMatchObject({ rows: 602, contradictions: [] })
      return environment.close()
    })
    expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(30)
  })

  test.each([
    ['the first head', 0, 1, /^is not a ledger$/],
    ['the second head', 1, 1, /^is damaged: its second head is none$/],
  ])('is refused when %s is zero', (_, page, pages, message) => {
    const copy = damagedCopy((path) => {
      overwrite(path, page * pageBytes, Buffer.alloc(pages * pageBytes))
    })
    expect(refusalOf(copy)).toMatch(message)
  })

  test.each([
    ['its magic number', 24, 'is not a ledger'],
    ['its version', 28, 'is of format 65535 of LMDB, which is unknown'],
    ['its page size', 48, 'is damaged: no page has 65535 bytes'],
    ['the depth of its tables', 102, 'is damaged: a tree is 65535 pages deep'],
    ['its flags', 18, undefined],
  ])('is refused when %s is another', (_, place, message) => {
    const copy = damagedCopy((path) => {
      for (const head of [0, pageBytes]) overwrite(path, head + place, Buffer.from([0xff, 0xff]))
    })
    expect(refusalOf(copy)).toBe(message)
  })

  test('is refused whichever page is zero that is in use', async () => {
    const pages = statSync(join(directory, 'ledger.mdb')).size / pageBytes
    const refused = []
    for (let page = 2; page < pages; page += 1) {
      const copy = damagedCopy((path) => {
        overwrite(path, page * pageBytes, Buffer.alloc(pageBytes))
      })
      if (refusalOf(copy) === `is damaged: page ${page} is another`) refused.push(page)
    }
    // The others are free: what nobody needs may be anything.
    expect(refused.length).toBeGreaterThan(20)
    expect(refused.length).toBeLessThan(pages - 2)
  })

  test('is refused when pages of it are newer than its head: a copy of a live file', async () => {
    const heads = readFileSync(join(directory, 'ledger.mdb')).subarray(0, 2 * pageBytes)
    const copy = damagedCopy(() => {})
    const environment = openEnvironment({ directory: copy, clock })
    for (let number = 1; number <= 10; number += 1) topUp(environment, 'first', 1, `${number}`)
    await environment.close()
    overwrite(join(copy, 'ledger.mdb'), 0, heads)
    expect(refusalOf(copy)).toMatch(/is newer than its head, as in a copy of a file/)
  })

  test('is refused when it is empty, whoever opens it, and is left as it is', async () => {
    const empty = temporaryDirectory()
    const path = join(empty, 'ledger.mdb')
    writeFileSync(path, '')
    for (const create of [true, false]) {
      await expect(withEnvironment({ directory: empty, clock, create }, () => {})).rejects.toThrow(
        new Refusal('ledger-corrupt', `${path} is empty, so it is not a ledger`),
      )
    }
    expect(statSync(path).size).toBe(0)
  })

  test('never crashes who reads and writes it, wherever it is damaged', async () => {
    const original = join(directory, 'ledger.mdb')
    const reader = compiled(join(import.meta.dirname, 'reader.ts'))
    const args = [reader, original, temporaryDirectory(), '0', '200']
    const { stdout, signal } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    const lines = stdout.trim().split('\n')
    expect(signal).toBeNull()
    expect(lines).toHaveLength(200)
    expect(lines.filter((line) => line.includes('bug'))).toEqual([])
    expect(lines.filter((line) => line.includes('ledger-corrupt')).length).toBeGreaterThan(20)
  }, 60_000)
})
