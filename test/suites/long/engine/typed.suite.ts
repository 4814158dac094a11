/**
 * The judged set of what people type, tiny: what the service understands stays understood, and strangers
 * stay few.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { service } from '../../../../bench/relevance/figures.ts'
import { run, type TypedRow } from '../../../../bench/relevance/typed/bench.ts'

/** Kinds that wait for ways of their own, or that no record answers. */
const open = [
  'nickname or other name',
  'topic by an alias it lacks',
  'Cyrillic or Greek in Latin letters',
]

let rows: readonly TypedRow[]

beforeAll(async () => {
  const flags = { people: '500', queries: '10' }
  const { signal } = new AbortController()
  const result = await run({ size: 'tiny', signal, report: () => {}, flags })
  rows = result.rows
}, 180_000)

describe('of what people type', () => {
  it('nineteen of twenty of a kind are found first or among the first ten', () => {
    const kinds = rows.filter(({ kind, isForSomebody }) => isForSomebody && !open.includes(kind))
    expect(kinds.length).toBeGreaterThan(20)
    for (const { kind, questions, outcomes } of kinds) {
      const { first, inTen } = outcomes[service]!
      expect((first + inTen) / questions, kind).toBeGreaterThanOrEqual(0.95)
    }
  })

  it('strangers are fewer than one in a hundred, and one in thirty where nobody is meant', () => {
    const shareOf = (isForSomebody: boolean) => {
      const some = rows.filter((row) => row.isForSomebody === isForSomebody)
      const sum = (of: (row: TypedRow) => number) => some.reduce((total, row) => total + of(row), 0)
      return sum(({ outcomes }) => outcomes[service]!.stranger) / sum(({ questions }) => questions)
    }
    expect(shareOf(true)).toBeLessThan(0.01)
    expect(shareOf(false)).toBeLessThan(0.034)
  })
})
