/** Which keys a session hands over: those that were found, once their funds are known, and those that changed. */
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keyHash } from '../../../../src/ledger/books/key.ts'
import type { GoodKey } from '../../../../src/ledger/books/port.ts'
import { NewsFollower } from '../../../../src/ledger/leases/news.ts'
import { SqliteFile } from '../../../../src/ledger/sql/sqlite/driver.ts'
import { newBooks, startMs } from '../../../support/ledger-fixture.ts'

/** The news of a ledger of two accounts with a key each, and a look at what is new. */
async function twoCustomers() {
  const books = await newBooks()
  const keys: { id: string; hash: string }[] = []
  for (const account of ['alice', 'bob']) {
    await books.createAccount(account)
    const { text, record } = await books.issueKey({ account })
    keys.push({ id: record.id, hash: keyHash(text) })
  }
  const path = join(books.place, 'ledger.db')
  const sql = new SqliteFile({ path, isService: false, clock: () => startMs })
  onTestFinished(() => sql.close())
  const news = new NewsFollower({ report: () => {} })
  const look = () => news.look(sql)
  return { books, keys, news, look }
}

const isKnown = ({ accountNumber }: GoodKey) => accountNumber === 1
const nothing = { changedKeys: [], keys: [], badKeys: [] }

test('hands over what was found once, when the funds are known', async () => {
  const { keys, news, look } = await twoCustomers()
  for (const hash of [keys[0]!.hash, 'none']) news.seek(hash)
  expect(await look()).toMatchObject({ funds: [{ accountNumber: 1 }, { accountNumber: 2 }] })
  const { changedKeys, ...first } = news.take(isKnown)
  expect(changedKeys).toBe('all')
  expect(first).toMatchObject({ keys: [keys[0]], badKeys: ['none'] })
  expect(news.take(isKnown)).toEqual(nothing)
  expect(news.take(() => true).keys).toMatchObject([keys[1]])
  expect([news.isSeeking, (await look()).isNews]).toEqual([false, false])
})

test('has a key that changed while it waited as it is then, and seeks one that is good no more', async () => {
  const { books, keys, news, look } = await twoCustomers()
  await look()
  news.take(() => false)
  await books.setKey(keys[0]!.id, { scopes: ['match'] })
  await books.suspend('bob')
  await look()
  expect(news.isSeeking).toBe(true)
  const found = news.take(() => true)
  expect(found.keys).toMatchObject([{ ...keys[0], terms: { scopes: ['match'] } }])
  expect([...found.changedKeys].sort()).toEqual(keys.map(({ id }) => id).sort())
  await look()
  expect(news.take(() => true)).toEqual({ ...nothing, badKeys: [keys[1]!.hash] })
  await books.resume('bob')
  await look()
  expect(news.take(() => true)).toMatchObject({ changedKeys: [keys[1]!.id], keys: [keys[1]] })
})

test('seeks what waits when all keys are forgotten', async () => {
  const { keys, news, look } = await twoCustomers()
  await look()
  news.take(isKnown)
  news.forgetKeys()
  expect(news.take(() => true)).toEqual({ ...nothing, changedKeys: 'all' })
  await look()
  expect(news.take(() => true).keys).toMatchObject([keys[1]])
})
