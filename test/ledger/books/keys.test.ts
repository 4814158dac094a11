/** Keys in the book: their state, their rotation, and that their text is nowhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../../../src/ledger/books/accounts.ts'
import { audit } from '../../../src/ledger/books/audit.ts'
import type { Book } from '../../../src/ledger/books/environment.ts'
import { issueKey, listKeys, revokeKey, rotateKey } from '../../../src/ledger/books/keys.ts'
import { Refusal } from '../../../src/problems.ts'
import { HandClock, newBook, startMs } from '../fixture.ts'

const hourMs = 3_600_000

function bookWithAccount(clock = new HandClock()): Book {
  const book = newBook(clock.read)
  createAccount(book, 'first')
  return book
}

function issue(book: Book, expiresAtMs: number | null = null) {
  return issueKey(book, { account: 'first', label: 'ranker', expiresAtMs })
}

function stateOfKey(book: Book, id: string) {
  return listKeys(book).find((key) => key.id === id)?.state
}

describe('a key', () => {
  test('is listed with its account, label, times and state, without its text or hash', () => {
    const book = bookWithAccount()
    const { text, record } = issue(book)
    expect(listKeys(book)).toEqual([
      {
        id: record.id,
        account: 'first',
        label: 'ranker',
        state: 'active',
        createdAtMs: startMs,
        expiresAtMs: null,
        revokedAtMs: null,
        replacedBy: null,
      },
    ])
    expect(JSON.stringify([listKeys(book), record])).not.toContain(text)
  })

  test('is nowhere in the files of the book', () => {
    const book = bookWithAccount()
    const { text } = issue(book)
    for (const name of readdirSync(book.directory)) {
      expect(readFileSync(join(book.directory, name), 'latin1')).not.toContain(text.slice(4, 34))
    }
  })

  test('expires at its time, not before', () => {
    const clock = new HandClock()
    const book = bookWithAccount(clock)
    const { record } = issue(book, startMs + hourMs)
    clock.nowMs = startMs + hourMs - 1
    expect(stateOfKey(book, record.id)).toBe('active')
    clock.nowMs = startMs + hourMs
    expect(stateOfKey(book, record.id)).toBe('expired')
  })

  test('is revoked once and for ever', () => {
    const book = bookWithAccount()
    const { record } = issue(book)
    expect(revokeKey(book, record.id)).toBe(true)
    expect(revokeKey(book, record.id)).toBe(false)
    expect(stateOfKey(book, record.id)).toBe('revoked')
    expect(() => rotateKey(book, record.id, hourMs)).toThrow(`key ${record.id} is revoked`)
  })

  test('is refused for an unknown account, and for a label that is none or holds a key', () => {
    const book = bookWithAccount()
    const { text } = issue(book)
    const order = { account: 'first', label: null, expiresAtMs: null }
    expect(() => issueKey(book, { ...order, account: 'nobody' })).toThrow("no account 'nobody'")
    for (const label of ['', 'a\u0007b', 'x'.repeat(65), `for ${text}`]) {
      expect(() => issueKey(book, { ...order, label })).toThrow(
        new Refusal('wrong-usage', 'a label is 1 to 64 printable characters'),
      )
    }
    expect(listKeys(book)).toHaveLength(1)
  })

  test('is not repeated by the refusal when it is typed in the place of an id', () => {
    const book = bookWithAccount()
    const { text } = issue(book)
    const refusal = new Refusal('ledger-refused', 'that is not a key id')
    expect(() => revokeKey(book, text)).toThrow(refusal)
    expect(() => rotateKey(book, text, 0)).toThrow(refusal)
  })
})

describe('a rotation', () => {
  test('lets the old key live for the overlap, and gives the new one account and label', () => {
    const clock = new HandClock()
    const book = bookWithAccount(clock)
    const old = issue(book)
    const rotation = rotateKey(book, old.record.id, hourMs)
    expect(rotation.text).not.toBe(old.text)
    expect(rotation.record).toMatchObject({ label: 'ranker', accountNumber: 1, expiresAtMs: null })
    expect(rotation.replaced).toMatchObject({
      expiresAtMs: startMs + hourMs,
      replacedBy: rotation.record.id,
    })
    clock.nowMs = startMs + hourMs
    expect(stateOfKey(book, old.record.id)).toBe('expired')
    expect(stateOfKey(book, rotation.record.id)).toBe('active')
    expect(audit(book).contradictions).toEqual([])
  })

  test('never lengthens the life of the old key', () => {
    const book = bookWithAccount()
    const old = issue(book, startMs + hourMs)
    expect(rotateKey(book, old.record.id, 24 * hourMs).replaced.expiresAtMs).toBe(startMs + hourMs)
  })

  test('gives the new key as long a life as the old one was issued for', () => {
    const clock = new HandClock()
    const book = bookWithAccount(clock)
    const old = issue(book, startMs + 10 * hourMs)
    clock.nowMs += 9 * hourMs
    const { record } = rotateKey(book, old.record.id, 0)
    expect(record.expiresAtMs).toBe(startMs + 19 * hourMs)
  })

  test('of a key that was rotated before is refused, and names the key that followed', () => {
    const book = bookWithAccount()
    const old = issue(book)
    const { record } = rotateKey(book, old.record.id, hourMs)
    expect(() => rotateKey(book, old.record.id, hourMs)).toThrow(
      new Refusal('ledger-refused', `key ${old.record.id} was rotated to ${record.id}`),
    )
    expect(listKeys(book)).toHaveLength(2)
  })

  test('of an unknown key is refused', () => {
    const book = bookWithAccount()
    expect(() => rotateKey(book, 'key_0000000000', 0)).toThrow('there is no key key_0000000000')
  })
})
