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
import { tableAt } from '../../../support/table-sections.ts'

const rowsOf = tableAt(new URL('damages.tsv', import.meta.url))

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

  test.each(rowsOf('damages'))('finds %s', async (_, expected, damage) => {
    const books = await goodBooks()
    damageLedger(books.place, damage)
    expect((await books.audit()).contradictions).toContainEqual(expect.stringMatching(expected))
  })
})
