/** A compaction leaves fewer rows and changes nothing else that anybody can ask for. */
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { adjust, createAccount, topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { audit } from '../../../../src/ledger/lmdb/audit.ts'
import { chargeBatch } from '../../../../src/ledger/lmdb/charges.ts'
import { compact } from '../../../../src/ledger/lmdb/compaction.ts'
import { type Environment, openEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { statementOf } from '../../../../src/ledger/lmdb/views/statement.ts'
import { HandClock, newEnvironment, salesOf } from '../../../support/ledger-fixture.ts'

const dayMs = 86_400_000

/** Charges an account so many times, a minute apart. */
function charge(
  environment: Environment,
  clock: HandClock,
  count: number,
  queries = { search: 1 },
) {
  for (let number = 1; number <= count; number += 1) {
    clock.nowMs += 60_000
    const charges = [{ accountNumber: 1, keyId: 'key_1', sales: salesOf(queries) }]
    const session = `${clock.nowMs}`
    chargeBatch(environment, { session, number, charges, holdings: undefined })
  }
}

function newBooks() {
  const clock = new HandClock()
  const environment = newEnvironment(clock.read)
  createAccount(environment, 'first')
  return { clock, environment }
}

/** All that can be asked of the books but the number of rows. */
function contentOf(environment: Environment) {
  const { rows: _, ...found } = audit(environment)
  return { found, statement: statementOf(environment, 'first') }
}

describe('a compaction', () => {
  test('makes one row of the charges of a day between two credits, with their sum', async () => {
    const { clock, environment } = newBooks()
    charge(environment, clock, 3)
    topUp(environment, 'first', 7, 'paid')
    charge(environment, clock, 2, { search: 2, match: 1 } as never)
    clock.nowMs += dayMs
    charge(environment, clock, 2)
    const before = contentOf(environment)
    expect(await compact(environment, clock.nowMs + dayMs)).toBe(4)
    expect(audit(environment)).toMatchObject({ rows: 5, contradictions: [] })
    expect(contentOf(environment)).toEqual(before)
    expect(environment.read(({ journal }) => journal.get([1, 4]))).toMatchObject({
      kind: 'charge',
      rows: 3,
      amountMicroUsd: -3_000,
      sales: salesOf({ search: 3 }),
    })
    expect(topUp(environment, 'first', 7, 'paid').credited).toBe(false)
    charge(environment, clock, 1)
    expect(audit(environment)).toMatchObject({ rows: 6, contradictions: [] })
  })

  test('leaves the day of its time, and all after it, as they are', async () => {
    const { clock, environment } = newBooks()
    charge(environment, clock, 4)
    expect(await compact(environment, clock.nowMs)).toBe(0)
    expect(await compact(environment, clock.nowMs + dayMs)).toBe(3)
    expect(await compact(environment, clock.nowMs + dayMs)).toBe(0)
  })

  test('goes on over more rows than one transaction takes, while others charge', async () => {
    const { clock, environment } = newBooks()
    environment.transact(() => charge(environment, clock, 1_300))
    environment.transact(() => charge(environment, clock, 1_300))
    const other = openEnvironment({ directory: environment.directory, clock: clock.read })
    onTestFinished(() => other.close())
    const compaction = compact(environment, clock.nowMs + dayMs)
    charge(other, clock, 5)
    await compaction
    const { rows, contradictions } = audit(environment)
    expect(contradictions).toEqual([])
    expect(rows).toBeLessThan(20)
  })

  test('changes nothing but the rows, whatever is in the journal', async () => {
    const step = fc.oneof(
      fc.record({ charges: fc.integer({ min: 1, max: 4 }) }),
      fc.record({ hours: fc.integer({ min: 1, max: 30 }) }),
      fc.record({ amountMicroUsd: fc.constantFrom(-5, 9) }),
      fc.record({ daysAgo: fc.integer({ min: 0, max: 3 }) }),
    )
    const property = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const { clock, environment } = newBooks()
      for (const [index, taken] of steps.entries()) {
        if ('charges' in taken) charge(environment, clock, taken.charges)
        else if ('hours' in taken) clock.nowMs += taken.hours * 3_600_000
        else if ('daysAgo' in taken) await compact(environment, clock.nowMs - taken.daysAgo * dayMs)
        else adjust(environment, 'first', { ...taken, reference: `${index}`, reason: 'a test' })
      }
      const before = contentOf(environment)
      expect(before.found.contradictions).toEqual([])
      await compact(environment, clock.nowMs + dayMs)
      expect(contentOf(environment)).toEqual(before)
      await environment.close()
    })
    await fc.assert(property, { numRuns: 15 })
  })
})
