/** Keys in the ledger: their state, their rotation, and that their text is nowhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { Refusal } from '../../../../src/problems.ts'
import { HandClock, newBooks, startMs } from '../../../support/ledger-fixture.ts'

const hourMs = 3_600_000

async function booksWithAccount(clock = new HandClock()): Promise<Books> {
  const books = await newBooks(clock.read)
  await books.createAccount('first')
  return books
}

function issue(books: Books, lifeMs: number | null = null) {
  return books.issueKey({ account: 'first', label: 'ranker', lifeMs })
}

/** The times of its secrets, and when the key ends. */
async function endsOf(books: Books, id: string) {
  const { secrets, expiresAtMs } = (await books.listKeys()).find((key) => key.id === id)!
  return [...secrets.map(({ endsAtMs }) => endsAtMs), expiresAtMs]
}

describe('a key', () => {
  test('is nowhere in the files of the ledger', async () => {
    const books = await booksWithAccount()
    const { text } = await issue(books)
    for (const name of readdirSync(books.place)) {
      expect(readFileSync(join(books.place, name), 'latin1')).not.toContain(text.slice(4, 34))
    }
  })

  test('is refused for an unknown account, and for a label that is none or holds a key', async () => {
    const books = await booksWithAccount()
    const { text } = await issue(books)
    const order = { account: 'first' }
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
    const unknown = books.rotateKey('key_0000000000', 0)
    await expect(unknown).rejects.toThrow('there is no key key_0000000000')
  })
})

describe('a rotation', () => {
  test('gives a key its life once more, which no old text has, and not when it has ended', async () => {
    const clock = new HandClock()
    const books = await booksWithAccount(clock)
    const { id } = (await issue(books, hourMs)).record
    clock.nowMs += hourMs / 2
    const { oldEndsAtMs, record } = await books.rotateKey(id, 24 * hourMs)
    const nextEndsAtMs = clock.nowMs + hourMs
    expect([oldEndsAtMs, record.expiresAtMs]).toEqual([startMs + hourMs, nextEndsAtMs])
    expect(await endsOf(books, id)).toEqual([oldEndsAtMs, null, nextEndsAtMs])
    clock.nowMs += hourMs
    await expect(books.rotateKey(id, hourMs)).rejects.toThrow(`key ${id} is expired`)
  })
})
