/** The audit log of a ledger: who changed what, in the transaction of the change, and requests made once. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { keyHash } from '../../../../src/ledger/books/key.ts'
import { openBooks } from '../../../../src/ledger/books/open-books.ts'
import { MadeBefore } from '../../../../src/ledger/books/trail.ts'
import { damageLedger, HandClock, temporaryDirectory } from '../../../support/ledger-fixture.ts'

const cause = { name: 'user ann', from: 'command line of here' }

async function newBooks() {
  const clock = new HandClock()
  const data = temporaryDirectory()
  const books = await openBooks({ data, ledger: null, clock: clock.read, create: true, cause })
  onTestFinished(() => books.close())
  return { books, clock, data }
}

const entries = async (books: Books) => (await books.trail({ limit: 100 })).toReversed()

describe('the audit log', () => {
  it('has an entry for each kind of change, with the actor and what was before and after', async () => {
    const { books } = await newBooks()
    await books.createAccount('acme')
    await books.topUp('acme', 5_000_000, 'invoice 1')
    await books.adjust('acme', { amountMicroUsd: -1_000_000, reference: 'r', reason: 'goodwill' })
    const issued = await books.issueKey({ account: 'acme', label: 'web', expiresAtMs: null })
    await books.rotateKey(issued.record.id, 60_000)
    await books.revokeKey(issued.record.id)
    await books.suspend('acme')
    await books.resume('acme')
    const order = { label: 'office', scopes: ['read'], expiresAtMs: null } as const
    const admin = await books.issueAdminKey(order)
    await books.revokeAdminKey(admin.record.id)
    const found = await entries(books)
    expect(found.map(({ action }) => action)).toEqual([
      ...['account.create', 'account.top-up', 'account.adjust', 'key.issue', 'key.rotate'],
      ...['key.revoke', 'account.suspend', 'account.resume'],
      ...['admin-key.issue', 'admin-key.revoke'],
    ])
    expect(found.every(({ actor, from }) => actor === cause.name && from === cause.from)).toBe(true)
    expect(found[1]).toMatchObject({
      subject: 'acme',
      details: { amount_usd: 5, reference: 'invoice 1' },
      before: { credited_usd: 50 },
      after: { credited_usd: 55 },
    })
    expect(found[0]?.before).toBeNull()
    expect(found[6]).toMatchObject({ before: { state: 'active' }, after: { state: 'suspended' } })
    expect(JSON.stringify(found)).not.toContain(issued.text)
    expect(JSON.stringify(found)).not.toContain(keyHash(issued.text))
    expect(JSON.stringify(found)).not.toContain(admin.text)
    expect((await books.audit()).contradictions).toEqual([])
  })

  it('has no entry of what changed nothing or was refused', async () => {
    const { books } = await newBooks()
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

  it('is read page by page, the newest first, also of one subject', async () => {
    const { books } = await newBooks()
    for (const name of ['a', 'b', 'c']) await books.createAccount(name)
    await books.suspend('b')
    const first = await books.trail({ limit: 2 })
    expect(first.map(({ number }) => number)).toEqual([4, 3])
    const second = await books.trail({ limit: 2, before: first.at(-1)?.number })
    expect(second.map(({ number }) => number)).toEqual([2, 1])
    const ofB = await books.trail({ limit: 9, subject: 'b' })
    expect(ofB.map(({ number }) => number)).toEqual([4, 2])
  })
})

describe('the proof', () => {
  it('names an entry that was removed or cut off', async () => {
    for (const change of ['removed', 'cut off'] as const) {
      const { books, data } = await newBooks()
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
    const { books, data } = await newBooks()
    const order = { label: null, scopes: ['read'], expiresAtMs: null } as const
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

describe('a request', () => {
  const request = { id: 'one', question: 'q', idsOf: () => ({ account: 'acme' }) }
  const topUp = (books: Books, reference: string) =>
    books.by({ ...cause, request }).topUp('acme', 1_000_000, reference)

  it('stands with its change: it changes nothing again, also after the ledger was opened anew', async () => {
    const { books, clock, data } = await newBooks()
    await books.createAccount('acme')
    await topUp(books, 'first')
    const again = await openBooks({ data, ledger: null, clock: clock.read })
    onTestFinished(() => again.close())
    const error = await topUp(again, 'second').catch((thrown: Error) => thrown)
    expect(error).toBeInstanceOf(MadeBefore)
    expect((error as MadeBefore).change).toEqual({ question: 'q', made: { account: 'acme' } })
    expect((await again.accountNamed('acme')).creditedMicroUsd).toBe(51_000_000)
  })

  it('is carried out anew where its change was refused', async () => {
    const { books } = await newBooks()
    await expect(topUp(books, 'first')).rejects.toThrow('no account')
    await books.createAccount('acme')
    expect(await topUp(books, 'first')).toMatchObject({ credited: true })
  })
})

describe('an admin key', () => {
  it('is found by its hash while it is good', async () => {
    const { books, clock } = await newBooks()
    const expiresAtMs = clock.nowMs + 1_000
    const order = { label: null, scopes: ['read', 'money'], expiresAtMs } as const
    const { text, record } = await books.issueAdminKey(order)
    expect(await books.adminKeyWith(keyHash(text))).toEqual(record)
    expect(await books.adminKeyWith(keyHash(`${text}x`))).toBeUndefined()
    clock.nowMs += 1_000
    expect(await books.adminKeyWith(keyHash(text))).toBeUndefined()
    const other = await books.issueAdminKey({ ...order, expiresAtMs: null })
    expect(await books.revokeAdminKey(other.record.id)).toBe(true)
    expect(await books.revokeAdminKey(other.record.id)).toBe(false)
    expect(await books.adminKeyWith(keyHash(other.text))).toBeUndefined()
    await expect(books.revokeAdminKey('adm_0000000000')).rejects.toThrow('no admin key')
  })
})
