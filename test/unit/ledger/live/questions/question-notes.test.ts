/** What was paid for under a key of a client: durable with its charge, or lost with it. */
import { describe, expect, it, vi } from 'vitest'
import { balanceOf } from '../../../../../src/ledger/account-records.ts'
import type { ThreadBalances } from '../../../../../src/ledger/live/balances.ts'
import type { Commits } from '../../../../../src/ledger/live/commits.ts'
import {
  PaidQuestions,
  type QuestionId,
} from '../../../../../src/ledger/live/questions/paid-questions.ts'
import { accountNamed, createAccount } from '../../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../../src/ledger/lmdb/audit.ts'
import {
  HandClock,
  newCommits,
  newEnvironment,
  prices,
} from '../../../../support/ledger-fixture.ts'

const keptMs = 600_000

function idOf(key: number, slot = 0): QuestionId {
  return { slot, key: [key, -key], question: [-1, 0x7fffffff] }
}

/** A ledger whose service can be started again; `started` forgets what was not committed, as a crash does. */
function newShop(accounts = ['first']) {
  const clock = new HandClock()
  const environment = newEnvironment(clock.read)
  for (const account of accounts) createAccount(environment, account)
  const started = async () => {
    const { commits, balances } = await newCommits(environment)
    const lines = accounts.map(
      (_, index) => commits.slots.placeOf(index + 1, `key_${index}`, [])!.line,
    )
    return { commits, ...sellerOf(commits, balances, { clock, lines }) }
  }
  const chargedQueries = () => {
    const balance = environment.read((tables) => balanceOf(accountNamed(tables, 'first')))
    return (50_000_000 - balance) / prices.match
  }
  return { clock, environment, started, chargedQueries }
}

function sellerOf(
  { questions: notes }: Commits,
  balances: ThreadBalances,
  { clock, lines }: { readonly clock: HandClock; readonly lines: readonly number[] },
) {
  const questions = new PaidQuestions(notes.shared, 0, clock.read)
  /** Answers a question of so many queries, as `Reservations` does. */
  const answer = (id: QuestionId, to = 1) => {
    const from = questions.paidOf(id)!
    const priceMicroUsd = prices.match
    balances.take([id.slot], (to - from) * priceMicroUsd)
    const charged = to - questions.settle(id, { from, to, priceMicroUsd })
    if (charged > 0) {
      balances.record(lines[id.slot]!, [id.slot], 'match', charged, charged * priceMicroUsd)
    }
    return charged
  }
  return { questions, answer }
}

describe('what was paid under a key', () => {
  it('is known when the service is started again, until ten minutes after the question', async () => {
    const { clock, started, chargedQueries, environment } = newShop()
    const first = await started()
    first.answer(idOf(1), 3)
    await first.commits.commit()
    clock.nowMs += keptMs / 2
    const second = await started()
    expect([second.questions.paidOf(idOf(1)), second.answer(idOf(1), 3)]).toEqual([3, 0])
    expect(second.questions.paidOf({ ...idOf(1), question: [5, 5] })).toBeUndefined()
    await second.commits.commit()
    clock.nowMs += keptMs / 2
    expect([second.answer(idOf(1)), (await started()).answer(idOf(1))]).toEqual([1, 1])
    expect(chargedQueries()).toBe(3)
    expect(audit(environment).contradictions).toEqual([])
  })

  it('is lost with its charge where the service ends before the commit', async () => {
    const { started, chargedQueries } = newShop()
    const first = await started()
    first.answer(idOf(1))
    await first.commits.commit()
    first.answer(idOf(2))
    const second = await started()
    expect([second.answer(idOf(1)), second.answer(idOf(2))]).toEqual([0, 1])
    await second.commits.commit()
    expect(chargedQueries()).toBe(2)
  })

  it('is written again where it was raised, and the rest of the question is charged', async () => {
    const { started, chargedQueries } = newShop()
    const first = await started()
    first.answer(idOf(1), 2)
    await first.commits.commit()
    const second = await started()
    expect(second.answer(idOf(1), 5)).toBe(3)
    await second.commits.commit()
    expect((await started()).questions.paidOf(idOf(1))).toBe(5)
    expect(chargedQueries()).toBe(5)
  })

  it('waits for a charge of its account, and then is in one charge only', async () => {
    const { started, environment } = newShop(['first', 'second'])
    const { commits, questions, answer } = await started()
    questions.settle(idOf(1), { from: 0, to: 1, priceMicroUsd: prices.match })
    answer(idOf(2, 1))
    await commits.commit()
    const rows = () =>
      environment.read((tables) => [...tables.questions.getKeys()].map(([, account]) => account))
    expect(rows()).toEqual([2])
    answer(idOf(3))
    await commits.commit()
    expect(rows()).toEqual([1, 1, 2])
    answer(idOf(4))
    await commits.commit()
    expect(rows()).toEqual([1, 1, 1, 2])
  })

  it('comes with its charge where threads sell while the accounts are reviewed', async () => {
    const { started, chargedQueries } = newShop()
    const first = await started()
    const { slots } = first.commits
    const review = slots.review.bind(slots)
    const later = [1, 2, 3, 4, 5, 6]
    vi.spyOn(slots, 'review').mockImplementation(() => {
      const reviewed = review()
      // Two answers between the review and what was paid, as where the main thread was stopped there.
      for (const key of later.splice(0, 2)) first.answer(idOf(key))
      return reviewed
    })
    first.answer(idOf(7))
    await first.commits.commit()
    const second = await started()
    const paid = [1, 2, 3, 4, 5, 6, 7].map((key) => second.questions.paidOf(idOf(key)))
    expect([paid, chargedQueries()]).toEqual([Array(7).fill(1), 7])
  })

  it('is left to the next batch with its charge where it was paid after the last review', async () => {
    const { started, chargedQueries } = newShop()
    const first = await started()
    const { questions } = first.commits
    const addTo = questions.addTo.bind(questions)
    vi.spyOn(questions, 'addTo').mockImplementationOnce((...given) => {
      first.answer(idOf(2))
      return addTo(...given)
    })
    first.answer(idOf(1))
    await first.commits.commit()
    const second = await started()
    expect([1, 2].map((key) => second.questions.paidOf(idOf(key)))).toEqual([1, 0])
    expect(chargedQueries()).toBe(1)
    await first.commits.commit()
    expect((await started()).questions.paidOf(idOf(2))).toBe(1)
    expect(chargedQueries()).toBe(2)
  })
})
