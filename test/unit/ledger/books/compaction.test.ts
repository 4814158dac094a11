/** A compaction leaves fewer rows and changes nothing else that anybody can ask for. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Books } from '../../../../src/ledger/books/books.ts'
import {
  askLedger,
  HandClock,
  newBooks,
  newSession,
  salesOf,
} from '../../../support/ledger-fixture.ts'

const dayMs = 86_400_000

/** A ledger with an account, which is charged so many times, a minute apart. */
async function newLedger() {
  const clock = new HandClock()
  const books = await newBooks(clock.read)
  await books.createAccount('first')
  const { session } = await newSession(books.place, clock.read)
  let number = 0
  const charge = async (
    count: number,
    queries: { search: number; match?: number } = { search: 1 },
  ) => {
    for (let times = 0; times < count; times += 1) {
      clock.nowMs += 60_000
      number += 1
      const charges = [{ accountNumber: 1, keyId: 'key_1', sales: salesOf(queries) }]
      await session.commit({ number, charges, holdings: undefined })
    }
  }
  return { clock, books, charge }
}

/** All that can be asked of the books but the number of rows. */
async function contentOf(books: Books) {
  const { rows: _, ...found } = await books.audit()
  return { found, statement: await books.statementOf('first') }
}

const rowsIn = async (books: Books) => (await books.audit()).rows
const compacted = async (books: Books, agoMs: number) => (await books.compact(agoMs)).rows

describe('a compaction', () => {
  test('makes one row of the charges of a day between two credits, with their sum', async () => {
    const { clock, books, charge } = await newLedger()
    await charge(3)
    await books.topUp('first', 7, 'paid')
    await charge(2, { search: 2, match: 1 })
    clock.nowMs += dayMs
    await charge(2)
    const before = await contentOf(books)
    expect(await compacted(books, -dayMs)).toBe(4)
    expect(await books.audit()).toMatchObject({ rows: 5, contradictions: [] })
    expect(await contentOf(books)).toEqual(before)
    const text = 'select kind, stands_for, amount, sales from journal where n = 4'
    const [row] = await askLedger<{ sales: string }>(books.place, text)
    expect(row).toMatchObject({ kind: 'charge', stands_for: 3, amount: -3_000 })
    expect(JSON.parse(row!.sales)).toEqual(salesOf({ search: 3 }))
    expect((await books.topUp('first', 7, 'paid')).credited).toBe(false)
    await charge(1)
    expect(await books.audit()).toMatchObject({ rows: 6, contradictions: [] })
  })

  test('leaves the day of its time, and all after it, as they are', async () => {
    const { books, charge } = await newLedger()
    await charge(4)
    expect(await compacted(books, 0)).toBe(0)
    expect(await compacted(books, -dayMs)).toBe(3)
    expect(await compacted(books, -dayMs)).toBe(0)
  })

  test('goes on over more rows than one transaction takes, while others charge', async () => {
    const { books, charge } = await newLedger()
    await charge(2_600)
    const compaction = books.compact(-2 * dayMs)
    await charge(5)
    await compaction
    expect((await books.audit()).contradictions).toEqual([])
    expect(await rowsIn(books)).toBeLessThan(20)
  }, 60_000)

  test('changes nothing but the rows, whatever is in the journal', async () => {
    const step = fc.oneof(
      fc.record({ charges: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ hours: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ amountMicroUsd: fc.constantFrom(-5, 9) }),
      fc.record({ daysAgo: fc.integer({ min: 0, max: 3 }) }),
    )
    const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { clock, books, charge } = await newLedger()
      for (const [index, taken] of steps.entries()) {
        if ('charges' in taken) await charge(taken.charges)
        else if ('hours' in taken) clock.nowMs += taken.hours * 3_600_000
        else if ('daysAgo' in taken) await books.compact(taken.daysAgo * dayMs)
        else await books.adjust('first', { ...taken, reference: `${index}`, reason: 'a test' })
      }
      const before = await contentOf(books)
      expect(before.found.contradictions).toEqual([])
      await books.compact(-dayMs)
      expect(await contentOf(books)).toEqual(before)
    })
    await fc.assert(property, { numRuns: 15 })
  })
})
