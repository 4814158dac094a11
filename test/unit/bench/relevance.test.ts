/**
 * The relevance bench, tiny: no kind of question falls. Every kind has to reach its least score, and
 * the best of the other engines, over each set of records.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type RelevanceResult, run } from '../../../bench/relevance/bench.ts'
import { bestPeer, service } from '../../../bench/relevance/figures.ts'
import { kinds } from '../../../bench/relevance/kinds.ts'
import { scripts } from '../../../bench/relevance/scripts.ts'

/** Somebody who is meant is found by so large a share of questions, over both sets of records. */
const leastScore = 0.95
/** Of names with one slip in any script so large a share is found first, and so small a one a stranger. */
const leastSlipped = 0.85
const mostStrangers = 0.05
/** Nobody is found by so large a share of those that mean nobody. */
const leastNobody = 0.99

let result: RelevanceResult

beforeAll(async () => {
  const { signal } = new AbortController()
  result = await run({ size: 'tiny', signal, report: () => {} })
}, 180_000)

describe('a search', () => {
  it.each(Object.keys(kinds))('finds who is meant by: %s', (kind) => {
    const rows = result.kinds.filter((row) => row.kind === kind)
    expect(rows.length).toBeGreaterThan(0)
    for (const { records, aim, scores, missed } of rows) {
      const least = aim === 'nobody' ? leastNobody : leastScore
      const says = `${records}, missed: ${missed.join(' | ')}`
      expect(scores[service], says).toBeGreaterThanOrEqual(Math.max(least, bestPeer(scores)))
    }
  })

  it('finds a name in every script as it is written', () => {
    expect(result.scripts.length).toBeGreaterThanOrEqual(14)
    for (const { script, written } of result.scripts) {
      expect(written[service], script).toBeGreaterThanOrEqual(0.99)
    }
  })

  it.each(scripts)('finds a name with one slip, and hardly ever a stranger, in: %s', (script) => {
    const rows = result.scripts.filter((row) => row.script === script)
    expect(rows.length).toBeGreaterThan(0)
    for (const { records, slipped, strangerFirst } of rows) {
      expect(slipped[service], records).toBeGreaterThanOrEqual(leastSlipped)
      expect(strangerFirst[service], records).toBeLessThanOrEqual(mostStrangers)
    }
  })
})
