/** Keys in the ledger: their state, their rotation, and that their text is nowhere. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { Refusal } from '../../../../src/problems.ts'
import { booksWith } from '../../../support/ledger-fixture.ts'

function issue(books: Books, lifeMs: number | null = null) {
  return books.issueKey({ account: 'first', label: 'ranker', lifeMs })
}

describe('a key', () => {
  test('is nowhere in the files of the ledger', async () => {
    const books = await booksWith(['first'])
    const { text } = await issue(books)
    for (const name of readdirSync(books.place)) {
      expect(readFileSync(join(books.place, name), 'latin1')).not.toContain(text.slice(4, 34))
    }
  })

  test('is not repeated by the refusal when it is typed in the place of an id', async () => {
    const books = await booksWith(['first'])
    const { text } = await issue(books)
    const refusal = new Refusal('ledger-refused', 'that is not a key id', 'not-there')
    await expect(books.revokeKey(text)).rejects.toThrow(refusal)
    await expect(books.rotateKey(text, 0)).rejects.toThrow(refusal)
    const unknown = books.rotateKey('key_0000000000', 0)
    await expect(unknown).rejects.toThrow('there is no key key_0000000000')
    await expect(books.issueKey({ account: 'nobody' })).rejects.toThrow("no account 'nobody'")
  })
})
