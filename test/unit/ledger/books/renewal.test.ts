/** Renewed keys: what is left of the texts that they had. */
import { expect, test } from 'vitest'
import { keyHash } from '../../../../src/ledger/books/key.ts'
import { HandClock, newBooks } from '../../../support/ledger-fixture.ts'

async function booksWithKey() {
  const clock = new HandClock()
  const books = await newBooks(clock.read)
  await books.createAccount('ann')
  const cap = { amountMicroUsd: 1_000, period: 'day' } as const
  const order = { account: 'ann', label: 'client', lifeMs: 1_000, cap }
  const { text, record } = await books.issueKey(order)
  clock.nowMs += 5_000
  return { books, clock, id: record.id, hash: keyHash(text) }
}

test('a renewed key keeps its id and its terms, also when it had expired, and only its last two texts', async () => {
  const { books, clock, id, hash } = await booksWithKey()
  const [before] = await books.listKeys()
  const second = await books.renewKey(id, hash, 1_000)
  clock.nowMs += 5_000
  const third = await books.renewKey(id, keyHash(second!.text), 1_000)
  expect(third!.record).toMatchObject({ id, expiresAtMs: clock.nowMs + 1_000 })
  const [key, ...others] = await books.listKeys()
  expect([key, others]).toMatchObject([{ id, state: 'active', terms: before!.terms }, []])
  expect(key!.secrets).toMatchObject([
    { createdAtMs: clock.nowMs - 5_000, endsAtMs: clock.nowMs },
    { createdAtMs: clock.nowMs, endsAtMs: null },
  ])
  expect((await books.audit()).contradictions).toEqual([])
  const [entry] = await books.trail({ limit: 1 })
  expect(entry).toMatchObject({ action: 'key.renew', subject: id })
})

test('a key is renewed with its last text only, and not when it was revoked or is unknown', async () => {
  const { books, id, hash } = await booksWithKey()
  const last = keyHash((await books.renewKey(id, hash, 1_000))!.text)
  expect(await books.renewKey(id, hash, 1_000)).toBeUndefined()
  expect(await books.renewKey('key_aaaaaaaaaa', last, 1_000)).toBeUndefined()
  const before = await books.trail({ limit: 1 })
  await books.revokeKey(id)
  expect(await books.renewKey(id, last, 1_000)).toBeUndefined()
  const [revoked, ...others] = await books.trail({ limit: 2 })
  expect([revoked?.action, others]).toEqual(['key.revoke', before])
  expect((await books.audit()).contradictions).toEqual([])
})
