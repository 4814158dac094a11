/** Renewed keys: their lineage, and what is left of those that they replace. */
import { expect, test } from 'vitest'
import { openBooks } from '../../../../src/ledger/open-administration.ts'
import { HandClock, temporaryDirectory } from '../../../support/ledger-fixture.ts'

async function booksWithKey() {
  const clock = new HandClock()
  const data = temporaryDirectory()
  const books = await openBooks({ data, ledger: null, clock: clock.read, create: true })
  await books.createAccount('ann')
  const cap = { amountMicroUsd: 1_000, period: 'day' } as const
  const order = { account: 'ann', label: 'client', expiresAtMs: clock.nowMs + 1_000, cap }
  const first = (await books.issueKey(order)).record.id
  clock.nowMs += 5_000
  return { books, clock, first }
}

test('a renewed key is of the same lineage with the same terms, also when the old one had expired', async () => {
  const { books, clock, first } = await booksWithKey()
  const second = await books.renewKey(first, clock.nowMs + 1_000)
  clock.nowMs += 5_000
  const third = await books.renewKey(second!.record.id, clock.nowMs + 1_000)
  const keys = await books.listKeys()
  expect(keys.map(({ id, state, lineage }) => [id, state, lineage])).toEqual([
    [first, 'revoked', first],
    [third!.record.id, 'active', first],
  ])
  expect(keys[1]!.terms).toEqual(keys[0]!.terms)
  expect((await books.audit()).contradictions).toEqual([])
  const [entry] = await books.trail({ limit: 1 })
  expect(entry).toMatchObject({ action: 'key.renew', details: { replaces: second!.record.id } })
  await books.close()
})

test('a key is renewed once, and not when it was revoked or is unknown', async () => {
  const { books, clock, first } = await booksWithKey()
  const endMs = clock.nowMs + 1_000
  const second = await books.renewKey(first, endMs)
  expect(await books.renewKey(first, endMs)).toBeUndefined()
  expect(await books.renewKey('key_aaaaaaaaaa', endMs)).toBeUndefined()
  const before = await books.trail({ limit: 1 })
  await books.revokeKey(second!.record.id)
  expect(await books.renewKey(second!.record.id, endMs)).toBeUndefined()
  const [last, ...others] = await books.trail({ limit: 2 })
  expect([last?.action, others]).toEqual(['key.revoke', before])
  expect((await books.audit()).contradictions).toEqual([])
  await books.close()
})

test('a renewed key that another was rotated to stays on record, so that the books hold', async () => {
  const { books, clock, first } = await booksWithKey()
  const renewed = await books.renewKey(first, clock.nowMs + 1_000)
  const heir = await books.rotateKey(renewed!.record.id, 0)
  await books.renewKey(heir.record.id, clock.nowMs + 1_000)
  const keys = await books.listKeys()
  expect(keys.map(({ id }) => id)).toContain(heir.record.id)
  expect((await books.audit()).contradictions).toEqual([])
  await books.close()
})

test('the audit log shows a key with a cap as it is', async () => {
  const { books } = await booksWithKey()
  const [entry] = await books.trail({ limit: 1 })
  expect(entry).toMatchObject({ action: 'key.issue', after: { state: 'active', revoked: null } })
  await books.close()
})
