/** Who is ranked, in planted communities: authorities before others, and what a farm of fakes buys. */
import { describe, expect, test } from 'vitest'
import { run } from '../../../bench/ranking/bench.ts'

const result = run({ size: 'tiny', signal: new AbortController().signal, report: () => {} })

describe('a ranking', () => {
  test('finds planted authorities better by topic rank than by score, and worst by followers', () => {
    const [plain] = result.qualities
    for (const quality of plain!.qualities) {
      expect(quality['topic rank']).toBeGreaterThan(quality.score)
      expect(quality.score).toBeGreaterThan(quality.followers)
    }
  })

  test('is not changed by handles that nobody owns, however many follow', () => {
    const { lifts } = result.farms.find(({ farm }) => farm === 'handles that nobody owns')!
    for (const [none, ...farmed] of lifts) {
      expect(farmed.length).toBeGreaterThan(0)
      for (const { rank, score } of farmed) {
        expect({ rank, score }).toEqual({ rank: none!.rank, score: none!.score })
      }
    }
  })

  test('is changed by authorities of the topic who are fakes: they lift anybody to the top', () => {
    const { lifts } = result.farms.find(({ farm }) => farm === 'authorities of the topic')!
    expect(lifts.map((standings) => standings.at(-1)!.rank)).toEqual(lifts.map(() => 1))
  })
})
