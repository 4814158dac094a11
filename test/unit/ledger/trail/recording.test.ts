/** The audit log of a ledger: who changed what, in the transaction of the change, and requests made once. */
import { describe, expect, it } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { keyHash } from '../../../../src/ledger/books/key.ts'
import { damageLedger, HandClock, newBooks } from '../../../support/ledger-fixture.ts'

const cause = { name: 'user ann', from: 'command line of here' }

async function booksOfAnn() {
  const clock = new HandClock()
  const books = (await newBooks(clock.read)).by(cause)
  return { books, clock, data: books.place }
}

const entries = async (books: Books) => (await books.trail({ limit: 100 })).toReversed()

describe('the audit log', () => {
  it('has no entry of what changed nothing or was refused', async () => {
    const { books } = await booksOfAnn()
    await books.createAccount('acme')
    await books.topUp('acme', 5_000_000, 'once')
    await books.topUp('acme', 5_000_000, 'once')
    await expect(books.topUp('acme', 6_000_000, 'once')).rejects.toThrow('stands for')
    await expect(books.suspend('nobody')).rejects.toThrow('no account')
    await expect(books.createAccount('')).rejects.toThrow('an account name')
    await expect(books.revokeKey('')).rejects.toThrow('not a key id')
    await books.resume('acme')
    expect((await entries(books)).map(({ action }) => action)).toEqual([
      ...['account.create', 'account.top-up'],
    ])
  })
})

describe('the proof', () => {
  it('names an entry that was removed or cut off', async () => {
    for (const change of ['removed', 'cut off'] as const) {
      const { books, data } = await booksOfAnn()
      for (const name of ['a', 'b', 'c']) await books.createAccount(name)
      const entry = { removed: 2, 'cut off': 3 }[change]
      damageLedger(data, `delete from audit_entry where n = ${entry}`)
      const { contradictions } = await books.audit()
      const number = { removed: 'entry 3', 'cut off': 'entry 2' }[change]
      expect(contradictions.join()).toContain(`audit log`)
      expect(contradictions.join()).toContain(number)
    }
  })

  it('names an admin key that was made, widened or removed past the log', async () => {
    const { books, data } = await booksOfAnn()
    const order = { scopes: ['read'] } as const
    const { record } = await books.issueAdminKey(order)
    const found = async () => (await books.audit()).contradictions.join()
    expect(await found()).toBe('')
    damageLedger(
      data,
      `update admin_key set record = replace(record, '"scopes":["read"]', '"scopes":["money"]')`,
    )
    expect(await found()).toContain(`admin key ${record.id} is not what the audit log says`)
    damageLedger(data, 'delete from admin_key')
    expect(await found()).toContain(`admin key ${record.id} of the audit log is not there`)
  })
})

describe('an admin key', () => {
  it('is found by its hash until it ends', async () => {
    const { books, clock } = await booksOfAnn()
    const order = { scopes: ['read', 'money'], lifeMs: 1_000 } as const
    const { text, record } = await books.issueAdminKey(order)
    expect(await books.adminKeyWith(keyHash(text))).toEqual(record)
    clock.nowMs += 1_000
    expect(await books.adminKeyWith(keyHash(text))).toBeUndefined()
    await expect(books.revokeAdminKey('adm_0000000000')).rejects.toThrow('no admin key')
  })
})
