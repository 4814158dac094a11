/**
 * The relevance bench: no kind of drawn text falls. Every kind has to reach its least score, and MiniSearch,
 * over each set of records.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type RelevanceResult, run } from '../../../../bench/relevance/bench.ts'
import { type Row, sumOf } from '../../../../bench/relevance/endings.ts'
import { service } from '../../../../bench/relevance/engines.ts'
import { kindsOf } from '../../../../bench/relevance/tables.ts'

/** Of so large a share of texts somebody who is meant comes first, and so much of the first ten is had. */
const leastScore = 0.95
/** Of names with one slip in any script so large a share is found first, and so small a one a stranger. */
const leastSlipped = 0.85
const mostStrangers = 0.05
/** By so little MiniSearch may be ahead in a kind: a text of a hundred. */
const slack = 0.01
/** Nobody is found by so large a share of those that mean nobody. */
const leastNobody = 0.98

let result: RelevanceResult

beforeAll(async () => {
  const { signal } = new AbortController()
  const flags = { sets: 'plain,scripts' }
  result = await run({ size: 'tiny', signal, report: () => {}, flags })
}, 180_000)

function rowsOf(set: string, kind: string): readonly Row[] {
  return result.rows.filter((row) => row.set === set && row.kind === kind)
}

describe('a search', () => {
  it.each(kindsOf('plain'))('finds who is meant by: %s', (kind) => {
    const rows = rowsOf('plain', kind)
    expect(rows.length).toBeGreaterThan(0)
    const [ours, peer] = [service, 'MiniSearch'].map((engine) => sumOf(rows, engine))
    const { texts, first, ofTen, nobody } = ours!
    const says = result.answered
      .filter((each) => each.kind === kind && each.ending !== 'first')
      .map(({ text, records }) => `${records}: ${text}`)
      .join(' | ')
    if (rows[0]!.isForSomebody) {
      expect(first / texts, says).toBeGreaterThanOrEqual(
        Math.max(leastScore, peer!.first / texts - slack),
      )
      expect(ofTen / texts, says).toBeGreaterThanOrEqual(
        Math.max(leastScore, peer!.ofTen / texts - slack),
      )
    } else {
      const least = Math.max(leastNobody, peer!.nobody / texts - slack)
      expect(nobody / texts, says).toBeGreaterThanOrEqual(least)
    }
  })

  it.each(kindsOf('scripts').filter((kind) => kind.endsWith('as written')))(
    'finds a name in: %s',
    (kind) => {
      const { first, texts } = sumOf(rowsOf('scripts', kind), service)
      expect(texts).toBeGreaterThan(0)
      expect(first / texts).toBeGreaterThanOrEqual(0.99)
    },
  )

  it.each(kindsOf('scripts').filter((kind) => kind.endsWith('one slip')))(
    'finds a name, and hardly ever a stranger, in: %s',
    (kind) => {
      const { first, inTen, stranger, texts } = sumOf(rowsOf('scripts', kind), service)
      expect(texts).toBeGreaterThan(0)
      expect(first / texts).toBeGreaterThanOrEqual(leastSlipped)
      expect((inTen + stranger) / texts).toBeLessThanOrEqual(mostStrangers)
    },
  )
})
