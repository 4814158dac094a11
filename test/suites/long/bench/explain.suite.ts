/** The explain bench: that it runs, how it counts, and that it sees a rank that is not made of its parts. */
import { describe, expect, test } from 'vitest'
import { addUp, report, rowOf, run } from '../../../../bench/explain/bench.ts'
import { Catalog } from '../../../../src/engine/catalog.ts'
import { fixtureSnapshot, resealed, withElement } from '../../../support/snapshot-fixture.ts'
import { tinyOptions } from '../../../support/tiny.ts'

describe('the explain bench', () => {
  test('runs on the wire, and finds every rank of a synthetic source made of its parts', async () => {
    const result = await run(tinyOptions())
    expect(result.rows.map(({ route }) => route)).toEqual(['search'])
    expect(result.ranks).toBeGreaterThan(300)
    expect(result.wrong).toEqual([])
    expect(report(result).at(-1)).toBe(
      `${result.ranks} of ${result.ranks} ranks in topics are what their parts add up to.`,
    )
  })

  test('gives the cost as the median of the ratios of its rounds', () => {
    const row = rowOf('match', [
      { plain: 100, explained: 110 },
      { plain: 100, explained: 150 },
      { plain: 200, explained: 400 },
    ])
    expect(row).toMatchObject({ plainP99Us: 100, explainedP99Us: 150, ratioMedian: 1.5 })
  })

  test('counts a rank that is not made of its parts', () => {
    const { sections } = fixtureSnapshot()
    const more = withElement(sections, 'evidence.own-shares', 0, sections['topic.shares'][0]! + 1)
    const { ranks, wrong } = addUp(new Catalog(resealed(fixtureSnapshot(), { sections: more })))
    expect(ranks).toBe(sections['topic.members'].length)
    expect(wrong).toEqual(['topic 0, rank 1 does not add up'])
  })
})
