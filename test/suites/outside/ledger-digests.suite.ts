/**
 * The digests of a ledger in a database, on a real PostgreSQL: every change that did not come through the
 * ledger is named, also after rows were folded.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Administration } from '../../../src/ledger/administration.ts'
import { carryOut, openLeases } from '../../../src/ledger/leases/settlement.ts'
import { withAdministration } from '../../../src/ledger/open-administration.ts'
import { Database } from '../../../src/ledger/postgres/database.ts'
import { foldCharges } from '../../../src/ledger/postgres/upkeep/folding.ts'
import {
  ask,
  isPostgresqlInstalled,
  type PostgresqlServer,
  startPostgresql,
} from '../../support/servers/postgresql-server.ts'

const dayMs = 86_400_000
const chargesEach = 6

let server: PostgresqlServer
let ledger: string
let databases = 0

/** Does something with the books, in this process. */
function books<T>(use: (books: Administration) => Promise<T>): Promise<T> {
  return withAdministration({ data: '', ledger, clock: Date.now }, use)
}

async function contradictions(): Promise<readonly string[]> {
  return (await books((open) => open.audit())).contradictions
}

/** Two accounts with two top-ups and a key, and a session that charges both. */
async function fill(): Promise<void> {
  await books(async (open) => {
    for (const name of ['first', 'second']) {
      await open.createAccount(name)
      await open.topUp(name, 10_000_000, 'paid')
      await open.topUp(name, 10_000_000, 'paid | "again"')
      await open.issueKey({ account: name, label: null, expiresAtMs: null })
    }
  })
  await sell('00000000-0000-4000-8000-000000000001')
}

/** Some settlements of a new session. */
async function sell(session: string): Promise<void> {
  const database = new Database(ledger)
  await openLeases(database, session, 'test')
  const numbers = [1, 2]
  const wants = numbers.map((accountNumber) => {
    const amounts = { amountMicroUsd: 1_000_000, neededMicroUsd: 1_000_000, requestMicroUsd: 1_000 }
    return { accountNumber, ...amounts, recalls: false }
  })
  const gives = new Map<number, number>()
  const clock = () => performance.now()
  await carryOut(database, { session, number: 1, charges: [], wants, gives }, clock)
  for (let number = 2; number < 2 + chargesEach; number += 1) {
    const sales = { search: { queries: 2, amountMicroUsd: 2_000 } }
    const charges = numbers.map((accountNumber) => ({ accountNumber, lineage: 'key_1', sales }))
    await carryOut(database, { session, number, charges, wants: [], gives }, clock)
  }
  await database.close()
}

const otherRow = (row: number) => new RegExp(`^account first, row ${row}: its digest is another`)

const tamperings: [string, RegExp, string][] = [
  [
    'an amount that was changed with every sum',
    otherRow(2),
    `begin; update journal set amount = amount + 5 where account = 1 and n = 2;
     update journal set balance = balance + 5 where account = 1 and n >= 2;
     update account set credited = credited + 5, free = free + 5 where id = 1; commit`,
  ],
  [
    'a reference that was changed',
    otherRow(2),
    `update journal set reference = 'other' where account = 1 and n = 2`,
  ],
  [
    'a credit that stands twice, with every sum',
    otherRow(10),
    `begin; insert into journal (account, n, at, kind, amount, balance, reference, digest)
       select 1, 10, at, kind, amount, (select balance from journal where account = 1 and n = 9) + amount, 'paid anew', digest
       from journal where account = 1 and n = 2;
     update account set credited = credited + 10000000, free = free + 10000000, row_count = 10 where id = 1; commit`,
  ],
  ['a row that was deleted', otherRow(3), 'delete from journal where account = 1 and n = 2'],
  [
    'two rows that changed places',
    otherRow(2),
    `begin; update journal set n = 100 where account = 1 and n = 2;
     update journal set n = 2, balance = 60000000 where account = 1 and n = 3;
     update journal set n = 3, balance = 70000000 where account = 1 and n = 100; commit`,
  ],
  [
    'last rows that were cut off with every sum',
    /^account first: row 8, its last one, is not the row that was written last$/,
    `begin; delete from journal where account = 1 and n = 9;
     update account set row_count = 8, charged = charged - 2000, free = free + 2000 where id = 1; commit`,
  ],
  [
    'an account that was renamed',
    /^account renamed: its number, its name or its time of making is not what was written$/,
    `update account set name = 'renamed' where id = 1`,
  ],
  [
    'a key that was moved to another account',
    /^key key_\w{10} is not what was written: its account/,
    'update api_key set account = 2 where account = 1',
  ],
  [
    'a key that was removed',
    /^account first: its keys or its suspension are not those that were written$/,
    'delete from api_key where account = 1',
  ],
  [
    'a suspension that was set by hand',
    /^account first: its keys or its suspension/,
    'update account set suspended_at = now() where id = 1',
  ],
]

describe.skipIf(!isPostgresqlInstalled())('the proof by digests, in a database', () => {
  beforeAll(async () => {
    server = await startPostgresql()
    ledger = await server.newDatabase('filled')
    await fill()
  }, 120_000)
  afterAll(() => server?.stop())
  beforeEach(async () => {
    databases += 1
    await ask(server.address, `create database ledger_${databases} template filled`)
    ledger = server.address.replace(/\/postgres$/, `/ledger_${databases}`)
  })

  test('finds nothing where everything came through the ledger', async () => {
    await sell(randomUUID())
    await books(async (open) => {
      await open.suspend('first')
      const [key, other] = await open.listKeys()
      await open.revokeKey(key!.id)
      await open.rotateKey(other!.id, 1_000)
      await open.resume('first')
      await open.suspend('second')
    })
    const found = await books((open) => open.audit())
    expect(found).toMatchObject({ accounts: 2, keys: 3, contradictions: [] })
  })

  test.each(tamperings)('names %s', async (_, expected, statement) => {
    await ask(ledger, statement)
    expect(await contradictions()).toContainEqual(expect.stringMatching(expected))
  })

  test('lets no reference be used again', async () => {
    const again = `update journal set reference = 'paid' where account = 1 and n = 3`
    await expect(ask(ledger, again)).rejects.toThrow('unique')
  })

  test('lets no row be written without a digest', async () => {
    const row = "select 1, 10, now(), 'top-up', 1, 1, 'by hand'"
    await expect(
      ask(ledger, `insert into journal (account, n, at, kind, amount, balance, reference) ${row}`),
    ).rejects.toThrow('null value in column "digest"')
  })

  test('goes on behind rows that were folded, and names one of them that was changed', async () => {
    await sell(randomUUID())
    const database = new Database(ledger)
    expect(await foldCharges(database, Date.now() + 2 * dayMs)).toBe(4 * (chargesEach - 1))
    await database.close()
    await sell(randomUUID())
    expect(await contradictions()).toEqual([])
    await ask(ledger, 'update journal set at = now() where account = 1 and n = 9')
    expect(await contradictions()).toEqual([expect.stringMatching(otherRow(9))])
  })

  test('sums what a double does not hold', async () => {
    await ask(
      ledger,
      `insert into account (id, name, created_at, credited, charged, free, row_count, changed, recalled)
       select 2 + n, 'rich-' || n, now(), 999999999999999, 0, 0, 0, 0, 0 from generate_series(1, 10) as n`,
    )
    const { balanceMicroUsd } = await books((open) => open.audit())
    expect(balanceMicroUsd).toBe(9_999_999_999_999_990n + 2n * (70_000_000n - 12_000n))
  })
})
