/** Usage by key of a ledger on a disk: whatever is sold to which keys, it adds up to the journal. */
import { describe, expect, test } from 'vitest'
import { accountNamed, createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { keyUsageOf } from '../../../../src/ledger/lmdb/by-key/key-usage.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import { issueKey } from '../../../../src/ledger/lmdb/keys.ts'
import { ownerViewOf } from '../../../../src/ledger/lmdb/views/owner-view.ts'
import { statementOf } from '../../../../src/ledger/lmdb/views/statement.ts'
import type { Charge } from '../../../../src/ledger/port.ts'
import { HandClock, newEnvironment, salesOf } from '../../../support/ledger-fixture.ts'
import { Random } from '../../../support/random.ts'

const always = { fromDay: '0001-01-01', toDay: '9999-12-31' }
const hourMs = 3_600_000

/** A ledger that sold to several keys of two accounts over some days; and the ids of the keys of the first. */
function soldLedger(batches: number) {
  const clock = new HandClock()
  const environment = newEnvironment(clock.read)
  const random = new Random(7, 1)
  const names = ['first', 'second']
  const keyIds = names.map((account) => {
    createAccount(environment, account)
    topUp(environment, account, 1_000_000_000, 'paid')
    return [1, 2, 3].map(
      () => issueKey(environment, { account, label: null, expiresAtMs: null }).record.id,
    )
  })
  for (let number = 1; number <= batches; number += 1) {
    clock.nowMs += random.below(5 * hourMs)
    const charges = keyIds.flatMap((keys, index): Charge[] =>
      keys
        .filter(() => random.below(2) === 0)
        .map((keyId) => ({
          accountNumber: index + 1,
          keyId,
          sales: salesOf({ search: 1 + random.below(3), match: 1 + random.below(9) }),
        })),
    )
    chargeBatch(environment, { session: 'test', number, charges, holdings: undefined })
  }
  return { environment, clock, keys: keyIds[0]! }
}

const sum = (rows: readonly { queries: number; amountMicroUsd: number }[]) => ({
  queries: rows.reduce((total, { queries }) => total + queries, 0),
  amountMicroUsd: rows.reduce((total, { amountMicroUsd }) => total + amountMicroUsd, 0),
})

describe('usage by key', () => {
  test('adds up to the statement and the journal', () => {
    const { environment } = soldLedger(60)
    const { charges, account } = statementOf(environment, 'first')
    const byDay = environment.read((tables) => keyUsageOf(tables, 1, always))
    expect(new Set(byDay.map(({ keyId }) => keyId)).size).toBe(3)
    expect(sum(byDay)).toEqual(sum(charges))
    expect(sum(byDay).amountMicroUsd).toBe(account.chargedMicroUsd)
    expect(audit(environment).contradictions).toEqual([])
  })

  test('is read between two days, both with it, and of one account alone', () => {
    const { environment } = soldLedger(60)
    const all = environment.read((tables) => keyUsageOf(tables, 2, always))
    const days = [...new Set(all.map(({ day }) => day))]
    expect(days.length).toBeGreaterThan(3)
    const range = { fromDay: days[1]!, toDay: days[2]! }
    const found = environment.read((tables) => keyUsageOf(tables, 2, range))
    expect(new Set(found.map(({ day }) => day))).toEqual(new Set([days[1], days[2]]))
    expect(sum(found)).toEqual(sum(all.filter(({ day }) => [days[1], days[2]].includes(day))))
  })

  test('is seen by the holder of a key: of this month, of its own key and of all', () => {
    const { environment, clock, keys } = soldLedger(60)
    const view = ownerViewOf(environment, { keyId: keys[0]! })!
    const month = new Date(clock.nowMs).toISOString().slice(0, 7)
    const { number } = environment.read((tables) => accountNamed(tables, 'first'))
    const all = environment
      .read((tables) => keyUsageOf(tables, number, always))
      .filter(({ day }) => day.startsWith(month))
    expect(sum(view.charges)).toEqual(sum(all))
    expect(sum(view.keyCharges)).toEqual(sum(all.filter(({ keyId }) => keyId === keys[0])))
    expect(sum(view.keyCharges).queries).toBeGreaterThan(0)
    expect(ownerViewOf(environment, { keyId: 'key_0000000000' })).toBeUndefined()
  })
})
