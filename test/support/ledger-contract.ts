/** What every ledger promises to those who change it and to the services that sell from it, whatever it is kept in. */
import { describe, expect, test } from 'vitest'
import { balanceOf } from '../../src/ledger/books/account-records.ts'
import { selectOwnerView } from '../../src/ledger/books/account-views.ts'
import type { Books } from '../../src/ledger/books/books.ts'
import { createFirstAccount, noteKeyShown } from '../../src/ledger/books/first-account.ts'
import { keyHash } from '../../src/ledger/books/key.ts'
import { selectCursorKey } from '../../src/ledger/books/session-rows.ts'
import { keyJson } from '../../src/ledger/books/shown.ts'
import { MadeBefore } from '../../src/ledger/books/trail.ts'
import type { WholeSession } from '../../src/ledger/leases/whole-session.ts'
import { batchOf, chargeOf } from './ledger-fixture.ts'

const openedMicroUsd = 50_000_000
const order = { account: 'alice' }

async function proven(books: Books) {
  const { contradictions, balanceMicroUsd } = await books.audit()
  expect(contradictions).toEqual([])
  return balanceMicroUsd
}

export function describeBooks(kind: string, open: () => Promise<Books>): void {
  describe(`the books in ${kind}`, () => {
    test('open an account once, under a name that is one', async () => {
      const books = await open()
      const account = await books.createAccount('alice')
      expect(account).toMatchObject({ name: 'alice', creditedMicroUsd: openedMicroUsd })
      expect(await books.createAccount('bob', 7)).toMatchObject({ number: 2, creditedMicroUsd: 7 })
      await expect(books.createAccount('alice')).rejects.toMatchObject({ code: 'ledger-refused' })
      await expect(books.createAccount('no name')).rejects.toThrow()
      await expect(books.accountNamed('carol')).rejects.toMatchObject({ code: 'ledger-refused' })
      expect((await books.accounts()).map(({ name }) => name)).toEqual(['alice', 'bob'])
      expect(await proven(books)).toBe(50_000_007n)
    })

    test('credit a reference once, take back no more than there is, and show both', async () => {
      const books = await open()
      await books.createAccount('alice')
      expect((await books.topUp('alice', 10, 'r-1')).credited).toBe(true)
      expect((await books.topUp('alice', 10, 'r-1')).credited).toBe(false)
      await expect(books.topUp('alice', 11, 'r-1')).rejects.toThrow('stands for')
      const taken = { amountMicroUsd: -5, reference: 'a-1', reason: 'too much' }
      expect((await books.adjust('alice', taken)).credited).toBe(true)
      expect((await books.adjust('alice', { ...taken, reason: 'again' })).credited).toBe(false)
      const given = { amountMicroUsd: 2, reference: 'gift', reason: 'sorry' }
      expect((await books.adjust('alice', given)).credited).toBe(true)
      const more = { ...taken, amountMicroUsd: -openedMicroUsd - 8, reference: 'a-2' }
      await expect(books.adjust('alice', more)).rejects.toMatchObject({ code: 'ledger-refused' })
      const { credits, account } = await books.statementOf('alice')
      expect(credits).toMatchObject([
        { amountMicroUsd: openedMicroUsd, reference: null, reason: null },
        { amountMicroUsd: 10, reference: 'r-1', reason: null },
        taken,
        given,
      ])
      expect([balanceOf(account), await proven(books)]).toEqual([50_000_007, 50_000_007n])
    })

    test('issue, change, rotate, renew and revoke keys', async () => {
      const books = await open()
      await books.createAccount('alice')
      const cap = { amountMicroUsd: 9, period: 'day' } as const
      const { text, record } = await books.issueKey({ ...order, label: 'web', cap })
      const { id } = record
      const listed = async () => (await books.listKeys()).find((each) => each.id === id)!
      expect(await listed()).toMatchObject({ account: 'alice', label: 'web', state: 'active' })
      expect(await listed()).toMatchObject({ terms: { cap }, spentOfCapMicroUsd: 0 })
      await books.setKey(id, { label: 'app', cap: null, requestsPerSecond: 3 })
      expect(await listed()).toMatchObject({ label: 'app', terms: { requestsPerSecond: 3 } })
      expect(await books.keyWith(id)).toMatchObject({ account: 'alice', label: 'app' })
      expect(await books.keyWith('key_nobodyhas0')).toBeUndefined()
      const counted = (prefix: string, sinceMs: number) => books.countKeys('alice', prefix, sinceMs)
      expect([await counted('ap', 0), await counted('we', 0)]).toEqual([1, 0])
      const inADay = Date.now() + 86_400_000
      expect([await counted('', inADay), await books.countKeys('bob', '', 0)]).toEqual([0, 0])
      const rotation = await books.rotateKey(id, 60_000)
      expect([rotation.record.id, rotation.text === text]).toEqual([id, false])
      expect((await listed()).secrets).toHaveLength(2)
      expect(JSON.stringify(keyJson(await listed()))).not.toMatch(/[0-9a-f]{64}/)
      const hourMs = 3_600_000
      const renewed = (known: string, of = id) => books.renewKey(of, keyHash(known), hourMs)
      expect(await renewed(text)).toBeUndefined()
      const once = await renewed(rotation.text)
      const last = await renewed(once!.text)
      expect(last?.record).toMatchObject({ id, terms: { requestsPerSecond: 3 } })
      expect(await listed()).toMatchObject({
        state: 'active',
        secrets: [{ endsAtMs: expect.any(Number) }, { endsAtMs: null }],
      })
      expect(await renewed(last!.text, 'key_nobodyhas0')).toBeUndefined()
      expect([await books.revokeKey(id), await books.revokeKey(id)]).toEqual([true, false])
      expect((await listed()).state).toBe('revoked')
      expect(await renewed(last!.text)).toBeUndefined()
      await expect(books.revokeKey('key_nobodyhas0')).rejects.toThrow()
      const entries = (await books.trail({ limit: 20 })).toReversed()
      expect(entries.slice(1).map(({ action }) => action)).toEqual(
        ['issue', 'set', 'rotate', 'renew', 'renew', 'revoke'].map((each) => `key.${each}`),
      )
      for (const secret of [text, rotation.text, keyHash(text), keyHash(rotation.text)]) {
        expect(JSON.stringify(entries)).not.toContain(secret)
      }
      await proven(books)
    })

    test('write down what changed, by whom, and carry out a request once', async () => {
      const books = await open()
      const idsOf = () => ({ account: 'alice' })
      const request = { id: 'request-1', question: 'POST /accounts', idsOf }
      const cause = { name: 'ann', from: 'desk', request }
      await books.by(cause).createAccount('alice')
      await expect(books.by(cause).createAccount('bob')).rejects.toThrow(MadeBefore)
      await books.topUp('alice', 5_000_000, 'r-1')
      expect([await books.suspend('alice'), await books.suspend('alice')]).toEqual([true, false])
      await books.resume('alice')
      const entries = (await books.trail({ limit: 10 })).toReversed()
      expect(entries.map(({ action }) => action)).toEqual(
        ['create', 'top-up', 'suspend', 'resume'].map((each) => `account.${each}`),
      )
      expect(entries[0]).toMatchObject({ number: 1, actor: 'ann', from: 'desk', before: null })
      expect(entries[1]).toMatchObject({
        subject: 'alice',
        details: { amount_usd: 5, reference: 'r-1' },
        before: { credited_usd: 50 },
        after: { credited_usd: 55 },
      })
      expect(await books.trail({ limit: 10, before: 2 })).toEqual([entries[0]])
      expect(await books.trail({ limit: 10, subject: 'nobody' })).toEqual([])
      await proven(books)
    })

    test('know admin keys until they are revoked', async () => {
      const books = await open()
      const { text, record } = await books.issueAdminKey({
        ...{ label: 'office', scopes: ['read'] },
      })
      const found = () => books.adminKeyWith(keyHash(text))
      expect(await found()).toEqual(record)
      expect(await books.listAdminKeys()).toEqual([record])
      expect(await books.revokeAdminKey(record.id)).toBe(true)
      expect([await books.revokeAdminKey(record.id), await found()]).toEqual([false, undefined])
      await proven(books)
    })

    test('use a note up once, with the key that it stands for', async () => {
      const books = await open()
      await books.createAccount('alice')
      const note = { id: 'n-1', content: 'web', whose: 'app' }
      expect([await books.keepNote(note), await books.keepNote(note)]).toEqual(['kept', 'known'])
      const redeemed = (id: string) =>
        books.redeemNote(id, (content) => ({ ...order, label: content }))
      const used = await redeemed('n-1')
      expect(used).toMatchObject({ state: 'issued', issued: { record: { label: 'web' } } })
      const key = used.state === 'issued' ? used.issued.record.id : ''
      expect(await redeemed('n-1')).toEqual({ state: 'used', key })
      expect(await redeemed('n-2')).toEqual({ state: 'unknown' })
    })
  })
}

interface Sold {
  readonly books: Books
  readonly session: WholeSession
}

export function describeWholeSession(open: () => Promise<Sold>): void {
  describe('a service that holds a ledger as a whole', () => {
    test('makes the first account with a key, anew until it was shown', async () => {
      const { books, session } = await open()
      const first = (openingMicroUsd?: number) =>
        session.atStart((query) => createFirstAccount(query, 0, openingMicroUsd))
      const [lost, text] = [await first(), await first(7)]
      expect(lost === undefined || text === undefined || lost === text).toBe(false)
      await session.atStart(noteKeyShown)
      expect(await first()).toBeUndefined()
      session.seek(keyHash(text!))
      const { funds, keys } = await session.readChanges()
      expect(funds).toContainEqual({
        accountNumber: 1,
        grantedMicroUsd: openedMicroUsd,
        spentMicroUsd: 0,
      })
      expect(keys).toMatchObject([{ hash: keyHash(text!), accountNumber: 1 }])
      const cursorKey = () => session.atStart(selectCursorKey)
      expect(await cursorKey()).toEqual(await cursorKey())
      expect(await books.nodes()).toEqual([])
      await proven(books)
    })

    test('reads what changed since it looked', async () => {
      const { books, session } = await open()
      expect(await session.readChanges()).toMatchObject({ funds: [], keys: [] })
      await books.createAccount('alice')
      const { text, record } = await books.issueKey(order)
      const hash = keyHash(text)
      session.seek(hash)
      const made = await session.readChanges()
      expect(made.funds[0]).toMatchObject({ accountNumber: 1, grantedMicroUsd: openedMicroUsd })
      expect(made.keys).toMatchObject([{ id: record.id }])
      const none = { funds: [], changedKeys: [], keys: [], badKeys: [] }
      expect(await session.readChanges()).toEqual(none)
      await books.suspend('alice')
      session.seek(hash)
      const suspended = await session.readChanges()
      expect(suspended).toMatchObject({ keys: [], badKeys: [hash] })
      expect(suspended.changedKeys).not.toEqual([])
      await books.resume('alice')
      session.seek(hash)
      expect((await session.readChanges()).keys).toMatchObject([{ id: record.id }])
    })

    test('says of each change of a key that it is to be sought again, and only of that', async () => {
      const { books, session } = await open()
      await books.createAccount('alice')
      const { text, record } = await books.issueKey(order)
      const other = await books.issueKey(order)
      await session.readChanges()
      const says = async (id: string) => {
        const { changedKeys } = await session.readChanges()
        return changedKeys === 'all' || changedKeys.includes(id)
      }
      const { id } = record
      expect(await says(id)).toBe(false)
      const changes = [
        () => books.setKey(id, { requestsPerSecond: 3 }),
        () => books.rotateKey(id, 60_000),
        () => books.suspend('alice'),
        () => books.resume('alice'),
        () => books.revokeKey(id),
      ]
      for (const change of changes) {
        await change()
        expect([await says(id), await says(id)]).toEqual([true, false])
      }
      await books.revokeKey(other.record.id)
      session.seek(keyHash(text))
      session.seek(keyHash(other.text))
      const { keys, badKeys } = await session.readChanges()
      expect([keys, badKeys.toSorted()]).toEqual([
        [],
        [keyHash(text), keyHash(other.text)].toSorted(),
      ])
    })

    test('charges a batch once, one row an account, and sees what is left', async () => {
      const { books, session } = await open()
      for (const name of ['alice', 'bob']) await books.createAccount(name)
      const sold = batchOf(
        1,
        chargeOf(1, 'key_1', 3),
        chargeOf(1, 'key_2', 1),
        chargeOf(2, 'key_3', 2),
      )
      const funds = [
        { accountNumber: 1, grantedMicroUsd: openedMicroUsd, spentMicroUsd: 4_000 },
        { accountNumber: 2, grantedMicroUsd: openedMicroUsd, spentMicroUsd: 2_000 },
      ]
      expect(await session.commit(sold)).toEqual(funds)
      expect(await session.commit(sold)).toEqual(funds)
      await session.commit(batchOf(2, chargeOf(2, 'key_3', 1)))
      const { charges } = await books.statementOf('alice')
      expect(charges).toMatchObject([{ route: 'search', queries: 4, amountMicroUsd: 4_000 }])
      expect(balanceOf({ ...(await books.accountNamed('bob')) })).toBe(openedMicroUsd - 3_000)
      const day = charges[0]!.day
      const ofDay = { fromDay: day, toDay: day, isByKey: true }
      expect(await books.usageOf('alice', ofDay)).toMatchObject([
        { keyId: 'key_1', queries: 3 },
        { keyId: 'key_2', queries: 1 },
      ])
      const { rows, contradictions } = await books.audit()
      expect([rows, contradictions]).toEqual([5, []])
    })

    test('gives what was taken back while it was sold', async () => {
      const { books, session } = await open()
      for (const name of ['alice', 'bob']) await books.createAccount(name)
      const rest = { amountMicroUsd: -openedMicroUsd, reference: 'all', reason: 'closing' }
      await books.adjust('alice', rest)
      const sold = batchOf(1, chargeOf(1, 'key_1', 3), chargeOf(2, 'key_2', 2))
      await session.commit(sold)
      await session.commit(sold)
      const { credits, account } = await books.statementOf('alice')
      expect(credits.map(({ amountMicroUsd }) => amountMicroUsd)).toEqual([
        ...[openedMicroUsd, -openedMicroUsd, 3_000],
      ])
      expect(balanceOf(account)).toBe(0)
      expect(await proven(books)).toBe(49_998_000n)
    })

    test('counts what a key with a cap spends, as it is now', async () => {
      const { books, session } = await open()
      await books.createAccount('alice')
      const cap = { amountMicroUsd: 9_000, period: 'total' } as const
      const issued = await books.issueKey({ ...order, cap })
      const { id } = issued.record
      const ofCap = { accountNumber: 1, keyId: id, grantedMicroUsd: 9_000 }
      session.seek(keyHash(issued.text))
      const { funds } = await session.readChanges()
      expect(funds).toContainEqual({ ...ofCap, spentMicroUsd: 0 })
      const sold = batchOf(1, { ...chargeOf(1, id, 3), isCapped: true })
      const spent = { ...ofCap, spentMicroUsd: 3_000 }
      expect(await session.commit(sold)).toContainEqual(spent)
      expect(await session.commit(sold)).toContainEqual(spent)
      const [listed] = await books.listKeys()
      expect(listed).toMatchObject({ spentMicroUsd: 3_000, spentOfCapMicroUsd: 3_000 })
      await books.setKey(id, { cap: { amountMicroUsd: 5_000, period: 'day' } })
      session.seek(keyHash(issued.text))
      const changed = await session.readChanges()
      expect(changed.funds).toContainEqual({ ...spent, grantedMicroUsd: 5_000 })
      await proven(books)
    })

    test('shows an account to the holder of a key', async () => {
      const { books, session } = await open()
      await books.createAccount('alice')
      const { id } = (await books.issueKey(order)).record
      await session.commit(batchOf(1, chargeOf(1, id, 3), chargeOf(1, 'key_2', 1)))
      const seenBy = (keyId: string) =>
        session.sql.snapshot((query) => selectOwnerView(query, { keyId }))
      expect(await seenBy(id)).toMatchObject({
        account: { name: 'alice', chargedMicroUsd: 4_000 },
        charges: [{ route: 'search', queries: 4 }],
        keyCharges: [{ route: 'search', queries: 3 }],
      })
      expect(await seenBy('key_2')).toBeUndefined()
    })
  })
}
