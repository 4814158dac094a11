/**
 * A ledger in a database that has more accounts than a node has room for: keys are fetched when they are sent, sold to
 * as any other, and ended everywhere when they are revoked; and the ledger ends at ten million accounts.
 */
import { describe, expect, onTestFinished, test } from 'vitest'
import { balanceOf } from '../../../src/ledger/books/account-records.ts'
import { newKeyText } from '../../../src/ledger/books/key.ts'
import type { IssuedKey } from '../../../src/ledger/books/key-rows.ts'
import { openLeaseSession } from '../../../src/ledger/leases/lease-session.ts'
import { ThreadBalances } from '../../../src/ledger/live/balances.ts'
import { Commits } from '../../../src/ledger/live/commits.ts'
import { Keyring } from '../../../src/ledger/live/keyring.ts'
import { defaultPrices } from '../../../src/operations.ts'
import { temporaryDirectory } from '../../support/built.ts'
import { until } from '../../support/operated.ts'
import { type LedgerDatabase, withDatabaseEach } from '../../support/servers/ledger-databases.ts'
import { startedNode } from '../../support/servers/node.ts'
import { ask, isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'

const priceMicroUsd = 1_000
const openedMicroUsd = 50_000_000

let on: LedgerDatabase

/** Accounts with 50 USD and a key each. */
function customers(...names: string[]): Promise<IssuedKey[]> {
  return on.books(async (open) => {
    const issued: IssuedKey[] = []
    for (const name of names) {
      await open.createAccount(name)
      issued.push(await open.issueKey({ account: name }))
    }
    return issued
  })
}

/** What a node does with its ledger, without the rest of it. */
async function nodeWithRoomFor(accountsMax: number) {
  const lines: string[] = []
  const report = (line: string) => lines.push(line)
  const clock = () => Math.floor(performance.now())
  const session = await openLeaseSession({
    ...{ uri: on.ledger, directory: temporaryDirectory(), node: 'test' },
    ...{ waitMs: 10_000, accountsMax },
    ...{ ended: new Promise<void>(() => {}), clock, wallClock: Date.now, report },
  })
  const keyring = new Keyring(clock, (hash) => commits.seek(hash))
  const commits = await Commits.open(session, {
    ...{ threads: 1, prices: defaultPrices, clock, report },
    onKeys: (news) => keyring.take(news),
    onImbalance: report,
  })
  commits.start(100)
  onTestFinished(() => commits.close())
  const balances = new ThreadBalances(commits.shared, 0)
  /** Sells a search, and says whether the key was good, sought or neither. */
  const sell = (text: string) => {
    const header = `Bearer ${text}`
    const owner = keyring.ownerOf(header)
    if (owner === undefined) return keyring.seek(header) === undefined ? 'unknown' : 'sought'
    expect(balances.take(owner.purses, priceMicroUsd)).toBeGreaterThanOrEqual(0)
    balances.record(owner.line, owner.purses, 'search', 1, priceMicroUsd)
    return 'sold'
  }
  return { sell, lines, isBalanced: () => commits.isBalanced }
}

/** What an account has left, in queries sold, as the database has it. */
async function soldTo(name: string): Promise<number> {
  const account = await on.books((open) => open.accountNamed(name))
  return (openedMicroUsd - balanceOf(account)) / priceMicroUsd
}

describe.skipIf(!isPostgresqlInstalled())('a ledger of more accounts than a node holds', () => {
  withDatabaseEach('large', (one) => {
    on = one
  })

  test('sells to an account from when its key was sent, and charges what was sold', async () => {
    const [alice, bob] = await customers('alice', 'bob', 'carol')
    const node = await nodeWithRoomFor(2)
    expect([node.sell(alice!.text), node.sell(bob!.text)]).toEqual(['sought', 'sought'])
    await until(async () => node.sell(alice!.text) === 'sold')
    await until(async () => node.sell(bob!.text) === 'sold')
    expect(node.sell(bob!.text)).toBe('sold')
    await until(async () => (await soldTo('alice')) === 1 && (await soldTo('bob')) === 2)
    expect([node.isBalanced(), await soldTo('carol')]).toEqual([true, 0])
    await on.expectProven()
  })

  test('says of a key that is none, or was revoked, that it is not good', async () => {
    const [alice] = await customers('alice', 'bob', 'carol')
    const node = await nodeWithRoomFor(2)
    const guess = newKeyText()
    expect(node.sell(guess)).toBe('sought')
    await until(async () => node.sell(guess) === 'unknown')
    await until(async () => node.sell(alice!.text) === 'sold')
    await on.books((open) => open.revokeKey(alice!.record.id))
    await until(async () => node.sell(alice!.text) !== 'sold')
    await until(async () => node.sell(alice!.text) === 'unknown')
    await on.expectProven()
  })

  test('sells to a new account, a credited one and a key that was issued later', async () => {
    const [alice] = await customers('alice', 'bob', 'carol')
    const node = await nodeWithRoomFor(2)
    await until(async () => node.sell(alice!.text) === 'sold')
    const [dave] = await customers('dave')
    const second = await on.books((open) => open.issueKey({ account: 'alice' }))
    await until(async () => node.sell(dave!.text) === 'sold')
    await until(async () => node.sell(second.text) === 'sold')
    await until(async () => (await soldTo('alice')) === 2 && (await soldTo('dave')) === 1)
    await on.expectProven()
  })

  test('holds no more accounts than there is room for, says so once, and goes on with those', async () => {
    const issued = await customers('alice', 'bob', 'carol', 'dave')
    const [alice, bob, carol, dave] = issued.map(({ text }) => text) as [
      string,
      string,
      string,
      string,
    ]
    const node = await nodeWithRoomFor(2)
    await until(async () => node.sell(alice) === 'sold')
    await until(async () => node.sell(bob) === 'sold')
    expect([node.sell(carol), node.sell(dave)]).toEqual(['sought', 'sought'])
    await until(async () => node.lines.length > 0)
    expect(node.lines).toEqual([expect.stringContaining('has sold to 2 accounts since its start')])
    expect([node.sell(carol), node.sell(alice)]).toEqual(['sought', 'sold'])
    await until(async () => (await soldTo('alice')) === 2)
    expect(await soldTo('carol')).toBe(0)
    await on.expectProven()
  })

  test('comes to be while a node runs that has held all accounts until then', async () => {
    const [alice] = await customers('alice', 'bob')
    const node = await nodeWithRoomFor(2)
    await until(async () => node.sell(alice!.text) === 'sold')
    const [carol] = await customers('carol')
    expect(node.sell(carol!.text)).toBe('sought')
    expect(node.sell(alice!.text)).toBe('sold')
    await until(async () => (await soldTo('alice')) === 2)
    await on.expectProven()
  })

  test('ends at ten million accounts, with an error that says so', async () => {
    await customers('alice')
    await ask(on.ledger, 'alter table account disable trigger all')
    await ask(on.ledger, 'alter table credit drop constraint credit_account_fkey')
    await ask(on.ledger, 'alter table api_key drop constraint api_key_account_fkey')
    await ask(on.ledger, 'update account set id = 9999999')
    const [bob] = await customers('bob')
    expect(
      await ask(on.ledger, 'select account from api_key where id = $1', [bob!.record.id]),
    ).toEqual([{ account: 10_000_000 }])
    await expect(customers('carol')).rejects.toThrow('a ledger holds at most 10000000 accounts')
    expect(await on.books((open) => open.accounts())).toHaveLength(2)
  })

  test('is served by a real node, whose charges are those of its answers', async () => {
    const first = await customers(...Array.from({ length: 10 }, (_, at) => `first-${at}`))
    // More accounts than a node holds, with a credit each.
    const others = 'generate_series(11, 70000) as n'
    await ask(
      on.ledger,
      `insert into account (id, name, created_ms, credited, charged, free, credit_count, changed, recalled)
       select n, 'account-' || n, 1, ${openedMicroUsd}, 0, ${openedMicroUsd}, 1, 1, 0 from ${others}`,
    )
    await ask(
      on.ledger,
      `insert into credit (account, n, at_ms, kind, amount)
       select n, 1, 1, 'opening', ${openedMicroUsd} from ${others}`,
    )
    const last = await customers(...Array.from({ length: 10 }, (_, at) => `last-${at}`))
    const node = await startedNode(on.ledger)
    for (const { text } of [...first, ...last]) {
      // A node that does not hold the account fetches it, and answers 503 until it has.
      await until(async () => (await node.statusOf(text)) === 200)
      expect(await node.statusOf(text)).toBe(200)
    }
    await node.stop()
    const [charged] = await ask<{ sum: string }>(
      on.ledger,
      'select sum(charged)::text as sum from account',
    )
    expect(Number(charged!.sum)).toBe(40 * priceMicroUsd)
    await on.expectProven()
  })
})
