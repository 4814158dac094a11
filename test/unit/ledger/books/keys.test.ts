/** Keys in the ledger: their state, their rotation, and that their text is nowhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { KeyRecord } from '../../../../src/ledger/books/account-records.ts'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { keyHash } from '../../../../src/ledger/books/key.ts'
import { goodKeysOf } from '../../../../src/ledger/books/key-changes.ts'
import { Refusal } from '../../../../src/problems.ts'
import { HandClock, newBooks, startMs } from '../../../support/ledger-fixture.ts'

const hourMs = 3_600_000

async function booksWithAccount(clock = new HandClock()): Promise<Books> {
  const books = await newBooks(clock.read)
  await books.createAccount('first')
  return books
}

function issue(books: Books, expiresAtMs: number | null = null) {
  return books.issueKey({ account: 'first', label: 'ranker', expiresAtMs })
}

/** The times of its secrets, and when the key ends. */
async function endsOf(books: Books, id: string) {
  const { secrets, expiresAtMs } = (await books.listKeys()).find((key) => key.id === id)!
  return [...secrets.map(({ endsAtMs }) => endsAtMs), expiresAtMs]
}

async function stateOfKey(books: Books, id: string) {
  return (await books.listKeys()).find((key) => key.id === id)?.state
}

describe('a key', () => {
  test('is listed with its account, label, times and state, without its text or hash', async () => {
    const books = await booksWithAccount()
    const { text, record } = await issue(books)
    expect(await books.listKeys()).toEqual([
      {
        id: record.id,
        account: 'first',
        label: 'ranker',
        state: 'active',
        createdAtMs: startMs,
        expiresAtMs: null,
        revokedAtMs: null,
        secrets: [{ createdAtMs: startMs, endsAtMs: null }],
        spentMicroUsd: 0,
      },
    ])
    expect(JSON.stringify([await books.listKeys(), record])).not.toContain(text)
  })

  test('is nowhere in the files of the ledger', async () => {
    const books = await booksWithAccount()
    const { text } = await issue(books)
    for (const name of readdirSync(books.place)) {
      expect(readFileSync(join(books.place, name), 'latin1')).not.toContain(text.slice(4, 34))
    }
  })

  test('expires at its time, not before', async () => {
    const clock = new HandClock()
    const books = await booksWithAccount(clock)
    const { record } = await issue(books, startMs + hourMs)
    clock.nowMs = startMs + hourMs - 1
    expect(await stateOfKey(books, record.id)).toBe('active')
    clock.nowMs = startMs + hourMs
    expect(await stateOfKey(books, record.id)).toBe('expired')
  })

  test('is revoked once and for ever', async () => {
    const books = await booksWithAccount()
    const { record } = await issue(books)
    expect(await books.revokeKey(record.id)).toBe(true)
    expect(await books.revokeKey(record.id)).toBe(false)
    expect(await stateOfKey(books, record.id)).toBe('revoked')
    await expect(books.rotateKey(record.id, hourMs)).rejects.toThrow(`key ${record.id} is revoked`)
  })

  test('is refused for an unknown account, and for a label that is none or holds a key', async () => {
    const books = await booksWithAccount()
    const { text } = await issue(books)
    const order = { account: 'first', label: null, expiresAtMs: null }
    await expect(books.issueKey({ ...order, account: 'nobody' })).rejects.toThrow(
      "no account 'nobody'",
    )
    for (const label of ['', 'a\u0007b', 'x'.repeat(65), `for ${text}`]) {
      await expect(books.issueKey({ ...order, label })).rejects.toThrow(
        new Refusal('wrong-usage', 'a label is 1 to 64 printable characters'),
      )
    }
    expect(await books.listKeys()).toHaveLength(1)
  })

  test('is not repeated by the refusal when it is typed in the place of an id', async () => {
    const books = await booksWithAccount()
    const { text } = await issue(books)
    const refusal = new Refusal('ledger-refused', 'that is not a key id', 'not-there')
    await expect(books.revokeKey(text)).rejects.toThrow(refusal)
    await expect(books.rotateKey(text, 0)).rejects.toThrow(refusal)
  })
})

describe('a rotation', () => {
  test('gives the key a new text, and lets the old one live for the overlap', async () => {
    const books = await booksWithAccount()
    const { text, record } = await issue(books)
    const rotation = await books.rotateKey(record.id, hourMs)
    expect(rotation.text).not.toBe(text)
    expect(rotation.record).toMatchObject({ id: record.id, label: record.label })
    expect(rotation.oldEndsAtMs).toBe(startMs + hourMs)
    expect(await endsOf(books, record.id)).toEqual([startMs + hourMs, null, null])
    const good = (nowMs: number) => goodKeysOf([rotation.record as KeyRecord], nowMs)
    expect(good(startMs + hourMs - 1)).toMatchObject([
      { id: record.id, hash: keyHash(text), expiresAtMs: startMs + hourMs },
      { id: record.id, hash: keyHash(rotation.text), expiresAtMs: Number.POSITIVE_INFINITY },
    ])
    expect(good(startMs + hourMs)).toMatchObject([{ hash: keyHash(rotation.text) }])
    expect((await books.audit()).contradictions).toEqual([])
  })

  test('never lengthens the life of the old text', async () => {
    const books = await booksWithAccount()
    const { record } = await issue(books, startMs + hourMs)
    expect((await books.rotateKey(record.id, 24 * hourMs)).oldEndsAtMs).toBe(startMs + hourMs)
  })

  test('lets every other text end with its overlap, or before', async () => {
    const clock = new HandClock()
    const books = await booksWithAccount(clock)
    const { id } = (await issue(books)).record
    await books.rotateKey(id, 2 * hourMs)
    await books.rotateKey(id, 3 * hourMs)
    const [soon, late] = [startMs + 2 * hourMs, startMs + 3 * hourMs]
    expect(await endsOf(books, id)).toEqual([soon, late, null, null])
    await books.rotateKey(id, 0)
    expect(await endsOf(books, id)).toEqual([startMs, startMs, startMs, null, null])
    clock.nowMs += 1
    await books.rotateKey(id, hourMs)
    expect(await endsOf(books, id)).toEqual([clock.nowMs + hourMs, null, null])
    expect(await books.audit()).toMatchObject({ keys: 1, contradictions: [] })
  })

  test('gives the key as long a life from then on as it was issued for', async () => {
    const clock = new HandClock()
    const books = await booksWithAccount(clock)
    const old = await issue(books, startMs + 10 * hourMs)
    clock.nowMs += 9 * hourMs
    const { record } = await books.rotateKey(old.record.id, 0)
    expect(record.expiresAtMs).toBe(startMs + 19 * hourMs)
  })

  test('of a key that has expired is refused', async () => {
    const clock = new HandClock()
    const books = await booksWithAccount(clock)
    const { id } = (await issue(books, startMs + hourMs)).record
    clock.nowMs += hourMs
    const refusal = new Refusal('ledger-refused', `key ${id} is expired`)
    await expect(books.rotateKey(id, hourMs)).rejects.toThrow(refusal)
  })

  test('of an unknown key is refused', async () => {
    const books = await booksWithAccount()
    await expect(books.rotateKey('key_0000000000', 0)).rejects.toThrow(
      'there is no key key_0000000000',
    )
  })
})
