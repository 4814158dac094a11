/**
 * Usage is the journal, however much was charged: some accounts and keys over some weeks, and every sum of usage is
 * that of the statement, of the balance and of the proof. `CHARGES=1000000` is the number of charges.
 */
import { expect, test } from 'vitest'
import { balanceOf } from '../../../../src/ledger/account-records.ts'
import type { Charge } from '../../../../src/ledger/port.ts'
import { HandClock, newBooks, newSession, salesOf } from '../../../support/ledger-fixture.ts'
import { Random } from '../../../support/random.ts'

const charges = Number(process.env.CHARGES ?? 20_000)
const chargesOfBatch = 500
const names = ['first', 'second', 'third', 'fourth']
const keysOfAccount = 10
const always = { fromDay: '0001-01-01', toDay: '9999-12-31' }

function sumOf(rows: readonly { amountMicroUsd: number }[]): number {
  return rows.reduce((sum, { amountMicroUsd }) => sum + amountMicroUsd, 0)
}

test(`of ${charges} charges, usage by key is the journal`, async () => {
  const clock = new HandClock()
  const books = await newBooks(clock.read)
  const random = new Random(12, 1)
  const keyIds: string[][] = []
  for (const account of names) {
    await books.createAccount(account)
    await books.topUp(account, 900_000_000_000, 'paid')
    const order = { account, label: null, expiresAtMs: null }
    const issuing = Array.from({ length: keysOfAccount }, () => books.issueKey(order))
    keyIds.push((await Promise.all(issuing)).map(({ record }) => record.id))
  }
  const { session } = await newSession(books.place, clock.read)
  let charged = 0
  let sold = 0
  for (let number = 1; charged < charges; number += 1) {
    clock.nowMs += random.below(1_200_000)
    const batch = Array.from(
      { length: Math.min(chargesOfBatch, charges - charged) },
      (): Charge => {
        const account = random.below(names.length)
        return {
          ...{ accountNumber: account + 1, keyId: random.pick(keyIds[account]!) },
          sales: salesOf({ search: 1 + random.below(3), match: 1 + random.below(9) }),
        }
      },
    )
    await session.commit({ number, charges: batch })
    charged += batch.length
    sold += sumOf(batch.flatMap(({ sales }) => Object.values(sales)))
  }
  let summed = 0
  for (const name of names) {
    const { account, charges: ofDays } = await books.statementOf(name)
    const byKey = await books.usageOf(name, always)
    expect([sumOf(ofDays), sumOf(byKey)]).toEqual(Array(2).fill(account.chargedMicroUsd))
    summed += account.chargedMicroUsd
  }
  expect(summed).toBe(sold)
  const found = await books.audit()
  expect(found.contradictions).toEqual([])
  const balance = (await books.accounts()).reduce((sum, each) => sum + balanceOf(each), 0)
  expect(Number(found.balanceMicroUsd)).toBe(balance)
  console.info(`${charged} charges, ${found.rows} rows, ${summed / 1e6} USD: usage is the journal`)
}, 1_800_000)
