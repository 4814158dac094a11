/** Commits: what was sold is charged once, and a disk that fails stops the sale, not the books. */
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { balanceOf } from '../../../../src/ledger/books/account-records.ts'
import type { Books } from '../../../../src/ledger/books/books.ts'
import { keyHash } from '../../../../src/ledger/books/key.ts'
import type {
  Changes,
  ChargeBatch,
  Funds,
  LedgerSession,
} from '../../../../src/ledger/books/port.ts'
import { ThreadBalances } from '../../../../src/ledger/live/balances.ts'
import { Commits } from '../../../../src/ledger/live/commits.ts'
import { Refusal } from '../../../../src/problems.ts'
import {
  booksWith,
  damageLedger,
  HandClock,
  newCommits,
  prices,
} from '../../../support/ledger-fixture.ts'

const usd = 1_000_000
const diskFull = new Refusal('ledger-refused', 'the disk is full')
const quiet = {
  ...{ threads: 1, prices },
  clock: Date.now,
  onKeys: () => {},
  report: () => {},
  onImbalance: () => {},
}

/** Every scenario ends with accounts that add up, unless it says otherwise. */
let addsUp: (() => void) | undefined
afterEach(() => {
  addsUp?.()
  addsUp = undefined
})

async function ledgerBalance(books: Books): Promise<number> {
  return balanceOf(await books.accountNamed('first'))
}

/** Commits that are expected to add up in the end. */
async function checkedCommits(...parts: Parameters<typeof newCommits>) {
  const made = await newCommits(...parts)
  addsUp = () => {
    expect(made.commits.slots.review().imbalances).toEqual(new Map())
    expect(made.imbalances).toEqual([])
    expect(made.commits.isBalanced).toBe(true)
  }
  return made
}

/** Sells searches as a serving thread does. */
function sell(balances: ThreadBalances, queries: number): void {
  expect(balances.take([0], queries * prices.search) >= 0).toBe(true)
  balances.record(0, [0], 'search', queries, queries * prices.search)
}

describe('commits', () => {
  test('leave out the keys of no account, which only damage makes', async () => {
    const books = await booksWith(['first'])
    const { text } = await books.issueKey({ account: 'first' })
    damageLedger(books.place, 'update api_key set account = 9')
    const { news } = await checkedCommits(books.place)
    expect(news[0]).toEqual({ changed: [], keys: [], bad: [keyHash(text)] })
  })

  test('stop the sale when charges cannot be written, and charge all of them afterwards', async () => {
    const books = await booksWith(['first'])
    const { commits, balances, sql, reports } = await checkedCommits(books.place)
    const disk = vi.spyOn(sql, 'transaction').mockRejectedValue(diskFull)
    sell(balances, 3)
    expect(await commits.commit()).toBe(false)
    expect(balances.isUnavailable()).toBe(true)
    sell(balances, 2)
    expect(await commits.commit()).toBe(false)
    disk.mockRestore()
    expect(await ledgerBalance(books)).toBe(50 * usd)
    expect(await commits.commit()).toBe(true)
    expect(balances.isUnavailable()).toBe(false)
    await commits.commit()
    expect(await ledgerBalance(books)).toBe(50 * usd - 5 * prices.search)
    expect(balances.balanceMicroUsd(0)).toBe(await ledgerBalance(books))
    expect(reports).toEqual([
      'charges cannot be recorded, so nothing is sold: the disk is full',
      'charges are recorded again',
    ])
    expect(await books.audit()).toMatchObject({ rows: 2, contradictions: [] })
  })

  test('charge once when a commit is written and yet reported as failed', async () => {
    const books = await booksWith(['first'])
    const { commits, balances, sql } = await checkedCommits(books.place)
    const transaction = sql.transaction.bind(sql)
    const disk = vi.spyOn(sql, 'transaction').mockImplementation(async (work) => {
      await transaction(work)
      throw diskFull
    })
    sell(balances, 3)
    expect(await commits.commit()).toBe(false)
    disk.mockRestore()
    await books.topUp('first', usd, 'paid')
    await commits.follow()
    expect(balances.balanceMicroUsd(0)).toBe(51 * usd - 3 * prices.search)
    sell(balances, 1)
    await commits.commit()
    await commits.commit()
    expect(await ledgerBalance(books)).toBe(51 * usd - 4 * prices.search)
    expect(await books.audit()).toMatchObject({ rows: 3, contradictions: [] })
  })

  test('stop the sale while the ledger cannot be followed', async () => {
    const books = await booksWith(['first'])
    const { commits, balances, sql, reports } = await checkedCommits(books.place)
    const disk = vi.spyOn(sql, 'snapshot').mockRejectedValue(diskFull)
    expect(await commits.follow()).toBe(false)
    await commits.commit()
    expect(balances.isUnavailable()).toBe(true)
    disk.mockRestore()
    expect(await commits.follow()).toBe(true)
    expect(balances.isUnavailable()).toBe(false)
    expect(reports).toHaveLength(2)
  })

  test('charge what is left when they are closed after a failure', async () => {
    const books = await booksWith(['first'])
    const { commits, balances, sql } = await checkedCommits(books.place)
    const disk = vi.spyOn(sql, 'transaction').mockRejectedValue(diskFull)
    sell(balances, 1)
    await commits.commit()
    disk.mockRestore()
    sell(balances, 2)
    await commits.close()
    expect(await ledgerBalance(books)).toBe(50 * usd - 3 * prices.search)
  })

  test('say so when they are closed and the last charges cannot be written', async () => {
    const books = await booksWith(['first'])
    const release = vi.fn()
    const { commits, balances, sql } = await checkedCommits(books.place, undefined, {
      lock: { isHeld: () => true, release },
    })
    vi.spyOn(sql, 'transaction').mockRejectedValue(diskFull)
    sell(balances, 1)
    await expect(commits.close()).rejects.toThrow('could not be written and are lost')
    expect(release).toHaveBeenCalled()
  })
})

describe('accounts that do not add up', () => {
  test('are reported once they have not for a second, and once', async () => {
    const clock = new HandClock()
    const books = await booksWith(['first'], clock.read)
    await books.createAccount('second')
    const { commits, balances, imbalances } = await newCommits(books.place, clock.read)
    balances.credit(1, 250_000)
    await commits.commit()
    clock.nowMs += 999
    await commits.commit()
    expect([commits.isBalanced, imbalances]).toEqual([true, []])
    clock.nowMs += 1
    await commits.commit()
    await commits.commit()
    expect(commits.isBalanced).toBe(false)
    expect(imbalances).toEqual([
      'account 2 does not add up: live 50.25 + reserved 0.00 + uncommitted 0.00 USD is not 50.00 USD, which the ledger has',
    ])
    expect(balances.isUnavailable()).toBe(false)
  })

  test('are forgotten when they add up meanwhile', async () => {
    const clock = new HandClock()
    const { commits, balances, imbalances } = await newCommits(
      (await booksWith(['first'], clock.read)).place,
      clock.read,
    )
    for (const amountMicroUsd of [1, -1, 1]) {
      balances.credit(0, amountMicroUsd)
      await commits.commit()
      clock.nowMs += 600
    }
    expect([commits.isBalanced, imbalances]).toEqual([true, []])
  })
})

/** A session that does what it is asked only when it is let. */
class SlowSession implements LedgerSession {
  readonly begun: string[] = []
  /** At most one, which is what the tests are about. */
  readonly #waiting: (() => void)[] = []
  #isRead = false

  seek(): void {}
  readonly nowMs = () => 0
  readonly givenAwayMicroUsd = () => 0

  async readChanges(): Promise<Changes> {
    const funds = { accountNumber: 8, grantedMicroUsd: 50 * usd, spentMicroUsd: 0 }
    if (this.#isRead) await this.#begin('read')
    this.#isRead = true
    return { funds: [funds], changedKeys: [], keys: [], badKeys: [] }
  }

  async commit({ number, charges }: ChargeBatch): Promise<Funds[]> {
    await this.#begin(`commit ${number}`)
    const { queries } = charges[0]!
    const spentMicroUsd = number * queries * prices.search
    return [{ accountNumber: 8, grantedMicroUsd: 50 * usd, spentMicroUsd }]
  }

  async close(): Promise<void> {
    this.begun.push('close')
  }

  /** Lets the one that waits go on, and returns what has been begun since. */
  async let(): Promise<string[]> {
    await new Promise(setImmediate)
    expect(this.#waiting).toHaveLength(1)
    this.#waiting.shift()?.()
    const before = this.begun.length
    await new Promise(setImmediate)
    return this.begun.slice(before)
  }

  #begin(what: string): Promise<void> {
    this.begun.push(what)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

describe('a ledger that takes its time', () => {
  test('is never asked twice at once, and in the order of the questions', async () => {
    const session = new SlowSession()
    const commits = await Commits.open(session, quiet)
    commits.slots.placeOf(8, 'key_0000000000', false)
    const balances = new ThreadBalances(commits.shared, 0)
    sell(balances, 1)
    const first = commits.commit()
    const followed = commits.follow()
    const second = commits.commit()
    expect(await session.let()).toEqual(['read'])
    await first
    sell(balances, 1)
    expect(await session.let()).toEqual(['commit 2'])
    expect(await session.let()).toEqual([])
    expect(await Promise.all([first, followed, second])).toEqual([true, true, true])
    expect(commits.slots.review()).toMatchObject({ charges: [], imbalances: new Map() })
    await commits.close()
    expect(session.begun.at(-1)).toBe('close')
  })

  test('stops the sale while it is held up for five windows, and no less than two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    for (const [windowMs, behindMsMax] of [
      [10, 2_000],
      [1_000, 5_000],
    ] as const) {
      const clock = new HandClock()
      const session = new SlowSession()
      const commits = await Commits.open(session, { ...quiet, clock: clock.read })
      commits.slots.placeOf(8, 'key_0000000000', false)
      const balances = new ThreadBalances(commits.shared, 0)
      const isSelling = () => {
        balances.lookAtCommits(clock.nowMs)
        return !balances.isUnavailable()
      }
      commits.start(windowMs)
      sell(balances, 1)
      const commit = commits.commit()
      await new Promise(setImmediate)
      clock.nowMs += behindMsMax
      expect(isSelling()).toBe(true)
      clock.nowMs += 1
      expect(isSelling()).toBe(false)
      await session.let()
      await commit
      // What was sold since that commit began is as old as it was.
      expect(isSelling()).toBe(false)
      await commits.commit()
      expect(isSelling()).toBe(true)
      await commits.close()
    }
  })

  test('is asked no more often than it replies', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const session = new SlowSession()
    const commits = await Commits.open(session, quiet)
    commits.slots.placeOf(8, 'key_0000000000', false)
    commits.start(10)
    sell(new ThreadBalances(commits.shared, 0), 1)
    await vi.advanceTimersByTimeAsync(190)
    expect(session.begun).toEqual(['commit 1'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await session.let()).toEqual(['read'])
    expect(await session.let()).toEqual([])
    await commits.close()
  })
})
