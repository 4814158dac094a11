/** What was paid for under keys, in a ledger on a disk: bounded in time and in count. */
import { describe, expect, it } from 'vitest'
import type { Environment } from '../../../../src/ledger/lmdb/environment.ts'
import { keepQuestions, questionsAt } from '../../../../src/ledger/lmdb/questions.ts'
import type { Charge } from '../../../../src/ledger/port.ts'
import { newEnvironment } from '../../../support/ledger-fixture.ts'

const question = 'q'.repeat(16)

/** A charge that pays for one question under each key. */
function charge(accountNumber: number, keys: readonly string[], untilMs: number): Charge {
  const part = { question, from: 0, to: 2, priceMicroUsd: 500, untilMs }
  return {
    accountNumber,
    lineage: 'key_1',
    sales: {},
    questions: keys.map((key) => ({ ...part, key })),
  }
}

function keep(environment: Environment, charges: readonly Charge[], nowMs: number, kept?: number) {
  environment.transact((tables) => keepQuestions(tables, charges, nowMs, kept))
}

function keysAt(environment: Environment, nowMs: number): string[] {
  return environment.read((tables) => questionsAt(tables, nowMs).map(({ key }) => key))
}

describe('questions that were paid for', () => {
  it('are read as they were written, and not when their time is over', () => {
    const environment = newEnvironment()
    keep(environment, [charge(1, ['a'], 1_000), charge(2, ['b'], 2_000)], 0)
    expect(environment.read((tables) => questionsAt(tables, 0))).toEqual([
      { accountNumber: 1, key: 'a', question, queries: 2, untilMs: 1_000 },
      { accountNumber: 2, key: 'b', question, queries: 2, untilMs: 2_000 },
    ])
    expect([keysAt(environment, 999), keysAt(environment, 1_000)]).toEqual([['a', 'b'], ['b']])
  })

  it('are removed by a later batch that has any, and by no other', () => {
    const environment = newEnvironment()
    keep(environment, [charge(1, ['a', 'b'], 1_000)], 0)
    keep(environment, [{ accountNumber: 1, lineage: 'key_1', sales: {} }], 5_000)
    const all = () => keysAt(environment, 0)
    expect(all()).toEqual(['a', 'b'])
    keep(environment, [charge(1, ['c'], 9_000)], 5_000)
    expect(all()).toEqual(['c'])
  })

  it('are the newest where there are too many', () => {
    const environment = newEnvironment()
    for (let second = 1; second <= 20; second += 1) {
      keep(environment, [charge(1, [`k${second}`], second * 1_000)], 0, 5)
    }
    const kept = keysAt(environment, 0)
    expect(kept.length).toBeLessThanOrEqual(6)
    expect(kept.slice(-5)).toEqual(['k16', 'k17', 'k18', 'k19', 'k20'])
  })
})
