/** Authority scores and the order of ordinals. */
import { describe, expect, it } from 'vitest'
import { noScore } from '../../../../src/indexer/collector.ts'
import { authorityScores, orderByScore } from '../../../../src/indexer/ranking/scores.ts'
import { Interner } from '../../../../src/memory/interner.ts'

function orderOf(scores: readonly number[], sdus: readonly string[]): string[] {
  const interner = new Interner()
  for (const sdu of sdus) interner.intern(sdu)
  const { arrivals, ordinals } = orderByScore(Uint16Array.from(scores), interner.table())
  expect([...arrivals].map((arrival) => ordinals[arrival])).toEqual(scores.map((_, index) => index))
  return [...arrivals].map((arrival) => sdus[arrival]!)
}

describe('an authority score', () => {
  it('is the record’s own where it has one', () => {
    const own = Uint32Array.of(1234, noScore, 0, 10_000)
    const scores = authorityScores(own, Float64Array.of(0.1, 0.2, 0.6, 0.1))
    expect([scores[0], scores[2], scores[3]]).toEqual([1234, 0, 10_000])
  })

  it('is the mass on a logarithmic scale whose top is 100', () => {
    // ln(1 + 3 · 0.1) / ln(1 + 3 · 0.5) = 0.286333…, ln(1 + 3 · 0.25) / ln 2.5 = 0.610741…
    const own = Uint32Array.of(noScore, noScore, noScore)
    const scores = authorityScores(own, Float64Array.of(0.1, 0.25, 0.5, 0.15))
    expect([...scores]).toEqual([2863, 6107, 10_000])
  })

  it('is the same however many handles there are that nobody owns and that have no mass', () => {
    const own = Uint32Array.of(noScore, noScore)
    const alone = authorityScores(own, Float64Array.of(0.3, 0.7))
    expect(authorityScores(own, Float64Array.of(0.3, 0.7, 0, 0, 0))).toEqual(alone)
  })

  it('is scaled to the top authority, not to a handle that nobody owns', () => {
    expect([...authorityScores(Uint32Array.of(noScore), Float64Array.of(0.2, 0.8))]).toEqual([
      10_000,
    ])
  })
})

describe('the order of authorities', () => {
  it('is by descending score', () => {
    expect(orderOf([5, 9, 7], ['1', '2', '3'])).toEqual(['2', '3', '1'])
  })

  it('is by SDU as a number among equals, the shorter spelling of a number first', () => {
    const sdus = ['10', '07', '9', '7', '0', '9007199254740993', '9007199254740992', '00']
    expect(
      orderOf(
        sdus.map(() => 5),
        sdus,
      ),
    ).toEqual(['0', '00', '7', '07', '9', '10', '9007199254740992', '9007199254740993'])
  })
})
