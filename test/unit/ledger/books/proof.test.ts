/** The proof finds every kind of damage, each by its own contradiction, and nothing in good books. */
import { describe, expect, test } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import {
  askLedger,
  chargeOf,
  damageLedger,
  newBooks,
  newSession,
} from '../../../support/ledger-fixture.ts'

/** Two accounts with a top-up, a charge and keys. */
async function goodBooks(): Promise<Books> {
  const books = await newBooks()
  for (const name of ['first', 'second']) {
    await books.createAccount(name)
    await books.topUp(name, 10_000_000, 'paid')
    const { record } = await books.issueKey({ account: name })
    await books.rotateKey(record.id, 1_000)
  }
  const charges = [1, 2].map((number) => chargeOf(number, 'key_1', 2))
  const { session } = await newSession(books.place)
  await session.commit({ number: 1, charges })
  return books
}

const ofFirst = 'where account = 1'

const damages: [string, RegExp, string][] = [
  [
    'credits that are not the sum of their rows',
    /^account first: credits is 61.00 USD, its parts sum to 60.00 USD$/,
    'update account set credited = credited + 1000000 where id = 1',
  ],
  [
    'free money that its journal does not leave',
    /^account first: the balance of its journal, against what is free and what is leased, is 59.998 USD, its parts sum to 59.997 USD$/,
    'update account set free = free - 1000 where id = 1',
  ],
  [
    'a credit that is missing',
    /^account first: 1 credits, where 2 were written$/,
    `delete from credit ${ofFirst} and n = 2`,
  ],
  [
    'a gap',
    /^account first: 2 credits, where 2 were written$/,
    `update credit set n = 3 ${ofFirst} and n = 2`,
  ],
  [
    'a charge that is missing',
    /^account first: charges is 0.002 USD, its parts sum to 0.00 USD$/,
    `delete from charge ${ofFirst}`,
  ],
  [
    'a lease of a session that has ended',
    /^session \S+, account 1: a session that has ended has a lease$/,
    "update session set closed_ms = 1; insert into lease select id, 1, 0, 0, '' from session",
  ],
  [
    'more spent of a lease than was charged',
    /^account first: 0\.009999 USD were spent of its leases, and 0\.002 USD are charged$/,
    "insert into lease select id, 1, 9999, 9999, '' from session",
  ],
  [
    'an account that is gone',
    /^2 rows of credit belong to no account$/,
    'delete from account where id = 2',
  ],
  [
    'a charge of no account',
    /^1 rows of charge belong to no account$/,
    'update charge set account = 9 where account = 2',
  ],
  [
    'a key of no account',
    /^1 rows of api_key belong to no account$/,
    'update api_key set account = 9 where account = 2',
  ],
  [
    'a secret of no key',
    /^1 rows of key_secret belong to no api_key$/,
    "insert into key_secret values ('another hash', 'key_0000000000', 1, null)",
  ],
  [
    'a key all of whose secrets end',
    /^key key_\w{10} has 0 secrets without an end, and not one$/,
    'update key_secret set ends_ms = 9 where ends_ms is null',
  ],
]

describe('the proof', () => {
  test('finds nothing in good books, and says what it read', async () => {
    expect(await (await goodBooks()).audit()).toEqual({
      accounts: 2,
      rows: 6,
      keys: 2,
      balanceMicroUsd: 119_996_000n,
      contradictions: [],
    })
  })

  test('sums what a double does not hold', async () => {
    const books = await newBooks()
    for (let number = 1; number <= 10; number += 1) await books.createAccount(`account-${number}`)
    await askLedger(books.place, 'update account set credited = 999999999999999')
    expect((await books.audit()).balanceMicroUsd).toBe(9_999_999_999_999_990n)
  })

  test.each(damages)('finds %s', async (_, expected, damage) => {
    const books = await goodBooks()
    damageLedger(books.place, damage)
    expect((await books.audit()).contradictions).toContainEqual(expect.stringMatching(expected))
  })
})
