/** The audit finds every kind of damage, each by its own contradiction, and nothing in good books. */
import { describe, expect, test } from 'vitest'
import type { JournalRow } from '../../../../src/ledger/account-records.ts'
import { createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import type { Environment } from '../../../../src/ledger/lmdb/environment.ts'
import { issueKey, rotateKey } from '../../../../src/ledger/lmdb/keys.ts'
import type { Tables } from '../../../../src/ledger/lmdb/tables.ts'
import type { Holdings } from '../../../../src/ledger/port.ts'
import { newEnvironment, salesOf } from '../../../support/ledger-fixture.ts'

const day = '2026-07-28'

/** Of 120 USD in all, 4,000 micro-USD of which are charged. */
const holdings: Holdings = {
  grantedMicroUsd: 120_000_000,
  liveMicroUsd: 119_990_000,
  reservedMicroUsd: 5_000,
  uncommittedMicroUsd: 1_000,
}

/** What the service says that it held. */
function hold(tables: Tables, different: Partial<Holdings>): unknown {
  const last = tables.batches.get('last')!
  return tables.batches.putSync('last', { ...last, holdings: { ...holdings, ...different } })
}

/** Two accounts with a top-up, a charge and keys. */
function goodEnvironment(): Environment {
  const environment = newEnvironment()
  for (const name of ['first', 'second']) {
    createAccount(environment, name)
    topUp(environment, name, 10_000_000, 'paid')
    const { record } = issueKey(environment, { account: name, label: null, expiresAtMs: null })
    rotateKey(environment, record.id, 1_000)
  }
  const sales = salesOf({ search: 2 })
  const charges = [1, 2].map((accountNumber) => ({ accountNumber, keyId: 'key_1', sales }))
  chargeBatch(environment, { session: 'test', number: 1, charges, holdings })
  return environment
}

const damages: [string, RegExp, (tables: Tables) => unknown][] = [
  [
    'a balance that is not the sum of its rows',
    /^account first: credits is 61.00 USD, its rows sum to 60.00 USD$/,
    ({ accounts }) => {
      const account = accounts.get(1)!
      accounts.putSync(1, { ...account, creditedMicroUsd: account.creditedMicroUsd + 1_000_000 })
    },
  ],
  [
    'a row that is missing',
    /^account first: 2 rows, where 3 were written$/,
    (tables) => tables.journal.removeSync([1, 3]),
  ],
  [
    'a row that stands for more than are missing',
    /^account first: row 3 stands where row 4 belongs$/,
    ({ journal }) => journal.putSync([1, 3], { ...journal.get([1, 3])!, rows: 2 } as JournalRow),
  ],
  [
    'a gap',
    /^account first: row 3 stands where row 2 belongs$/,
    (tables) => tables.journal.removeSync([1, 2]),
  ],
  [
    'an amount that was changed',
    /^account first: row 2: balance is 60.00 USD, its rows sum to 61.00 USD$/,
    ({ journal }) =>
      journal.putSync([1, 2], { ...journal.get([1, 2])!, amountMicroUsd: 11_000_000 }),
  ],
  [
    'a charge that is not the sum of its sales',
    /^account first: row 3: charge is 0.002 USD, its rows sum to 0.003 USD$/,
    ({ journal }) => {
      const sales = { search: { queries: 2, amountMicroUsd: 3_000 } }
      const { atMs, balanceMicroUsd, amountMicroUsd } = journal.get([1, 3])!
      const row = { atMs, balanceMicroUsd, amountMicroUsd }
      journal.putSync([1, 3], { kind: 'charge', sales, ...row })
    },
  ],
  [
    'usage that is not the sum of its rows',
    /^account first: usage of 2026-07-28 search is 3 queries, its rows hold 2$/,
    ({ usage }) => usage.putSync([1, day, 'search'], { queries: 3, amountMicroUsd: 2_000 }),
  ],
  [
    'usage that is missing',
    /^account first: usage of 2026-07-28 search is missing$/,
    (tables) => tables.usage.removeSync([1, day, 'search']),
  ],
  [
    'a reference that is not indexed',
    /^account first: reference 'paid' is not indexed$/,
    (tables) => tables.references.removeSync([1, 'paid']),
  ],
  [
    'a reference to no credit',
    /^account first: reference 'never' leads to no credit$/,
    (tables) => tables.references.putSync([1, 'never'], 3),
  ],
  [
    'a reference that was used again',
    /^account first: row 3: reference 'paid' a second time$/,
    ({ journal }) => journal.putSync([1, 3], journal.get([1, 2])!),
  ],
  [
    'a name that leads elsewhere',
    /^account first: its name leads to another account$/,
    (tables) => tables.names.putSync('first', 2),
  ],
  [
    'a second opening',
    /^account first: row 2: a row of kind opening$/,
    ({ journal }) => journal.putSync([1, 2], { ...journal.get([1, 1])! }),
  ],
  [
    'an account that is gone',
    /^3 rows of the journal belong to no account$/,
    (tables) => tables.accounts.removeSync(2),
  ],
  [
    'usage of no account',
    /^usage belongs to account 9, which is none$/,
    (tables) => tables.usage.putSync([9, day, 'search'], { queries: 1, amountMicroUsd: 1 }),
  ],
  [
    'a reference of no account',
    /^a reference belongs to account 9, which is none$/,
    (tables) => tables.references.putSync([9, 'paid'], 1),
  ],
  [
    'a key of no account',
    /^key key_\w{10} belongs to account 9, which is none$/,
    ({ keys }) => {
      const [id] = keys.getKeys({ limit: 1 })
      keys.putSync(id!, { ...keys.get(id!)!, accountNumber: 9 })
    },
  ],
  [
    'a secret that leads to another key',
    /^a secret of key key_\w{10} does not lead to it$/,
    ({ keys, keySecrets }) => {
      const [one, other] = keys.getKeys({ limit: 2 })
      keySecrets.putSync(keys.get(one!)!.secrets[0]!.hash, other!)
    },
  ],
  [
    'a service that holds more than the journal leaves it',
    /^the service held 119.996001 USD with its last batch, where the journal leaves 119.996 USD$/,
    (tables) => hold(tables, { liveMicroUsd: 119_990_001 }),
  ],
  [
    'a service that holds less than the journal leaves it',
    /^the service held 119.991 USD with its last batch, where the journal leaves 119.996 USD$/,
    (tables) => hold(tables, { reservedMicroUsd: 0 }),
  ],
  [
    'a service that sells from credits that nobody gave',
    /^the service sold from 120.000001 USD of credits, where the journal has 120.00 USD$/,
    (tables) => hold(tables, { grantedMicroUsd: 120_000_001, liveMicroUsd: 119_990_001 }),
  ],
  [
    'a secret that no key has',
    /^1 secrets lead to a key that has them not$/,
    ({ keys, keySecrets }) => {
      const [id] = keys.getKeys({ limit: 1 })
      keySecrets.putSync('another hash', id!)
    },
  ],
  [
    'a key all of whose secrets end',
    /^key key_\w{10} has 0 secrets without an end, and not one$/,
    ({ keys }) => {
      const [id] = keys.getKeys({ limit: 1 })
      const key = keys.get(id!)!
      const secrets = key.secrets.map((secret) => ({ ...secret, endsAtMs: 9 }))
      keys.putSync(id!, { ...key, secrets })
    },
  ],
]

describe('the audit', () => {
  test('finds nothing in good books, and says what it read', () => {
    expect(audit(goodEnvironment())).toEqual({
      accounts: 2,
      rows: 6,
      keys: 2,
      balanceMicroUsd: 119_996_000n,
      holdings,
      contradictions: [],
    })
  })

  test('finds nothing when more was credited since the service said what it held', () => {
    const environment = goodEnvironment()
    topUp(environment, 'first', 7, 'later')
    createAccount(environment, 'third')
    expect(audit(environment)).toMatchObject({ holdings, contradictions: [] })
  })

  test('finds nothing in an empty ledger', () => {
    expect(audit(newEnvironment())).toMatchObject({ accounts: 0, contradictions: [] })
  })

  test('sums what a double does not hold', () => {
    const environment = newEnvironment()
    for (let number = 1; number <= 10; number += 1) createAccount(environment, `account-${number}`)
    environment.transact(({ accounts }) => {
      for (const { key, value } of Array.from(accounts.getRange())) {
        accounts.putSync(key, { ...value, creditedMicroUsd: 1e15 - 1 })
      }
    })
    expect(audit(environment).balanceMicroUsd).toBe(9_999_999_999_999_990n)
  })

  test.each(damages)('finds %s', (_, expected, damage) => {
    const environment = goodEnvironment()
    environment.transact(damage)
    expect(audit(environment).contradictions).toContainEqual(expect.stringMatching(expected))
  })
})
