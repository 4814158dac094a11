/** A ledger whose account was sold something on many days, made without waiting for them. */
import { openBooks } from '../../src/ledger/books/open-books.ts'
import type { Charge } from '../../src/ledger/books/port.ts'
import { openWholeSession } from '../../src/ledger/leases/whole-session.ts'

interface SoldDay {
  /** Days before the last. */
  readonly ago: number
  readonly searches: number
  readonly matches: number
}

interface SoldOptions {
  readonly data: string
  readonly lastMs: number
  readonly account: string
  readonly label: string
  readonly days: readonly SoldDay[]
}

const firstAccountNumber = 1

const dayMs = 86_400_000
const [searchMicroUsd, matchMicroUsd] = [1_000, 500]

/** Makes the ledger, with a key that has a cap of 40 USD a month. Returns the text of the key. */
export async function soldOverDays(options: SoldOptions): Promise<string> {
  const { data, lastMs, account, label, days } = options
  let nowMs = lastMs - 100 * dayMs
  const clock = () => nowMs
  const books = await openBooks({ data, ledger: null, clock, create: true })
  await books.createAccount(account)
  const cap = { amountMicroUsd: 40_000_000, period: 'month' } as const
  const { text, record } = await books.issueKey({ account, label, cap })
  await books.close()
  const whole = { directory: data, node: 'test', clock, report: () => {} }
  const session = await openWholeSession(whole)
  await session.readChanges()
  let batch = 0
  for (const { ago, searches, matches } of days.toSorted((a, b) => b.ago - a.ago)) {
    nowMs = lastMs - ago * dayMs
    const of = { accountNumber: firstAccountNumber, keyId: record.id, isCapped: true as const }
    const sold = [
      { ...of, route: 'search', queries: searches, amountMicroUsd: searches * searchMicroUsd },
      { ...of, route: 'match', queries: matches, amountMicroUsd: matches * matchMicroUsd },
    ] satisfies Charge[]
    const charges = sold.filter(({ queries }) => queries > 0)
    batch += 1
    await session.commit({ number: batch, charges })
  }
  await session.close()
  return text
}
