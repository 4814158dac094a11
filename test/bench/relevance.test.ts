/**
 * The relevance bench, tiny: no kind of question falls. Every kind has to reach its least score, and
 * the best of the other engines, over each set of records.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type RelevanceResult, run } from '../../bench/relevance/bench.ts'
import { bestPeer, report, service } from '../../bench/relevance/figures.ts'
import { kinds } from '../../bench/relevance/kinds.ts'
import { pluralOf } from '../../bench/relevance/occupations.ts'
import { withinSlips } from '../../bench/relevance/slips.ts'
import { numberless, Truth } from '../../bench/relevance/truth.ts'

/** Somebody who is meant is found by so large a share of questions, over both sets of records. */
const leastScore = 0.95
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
    expect(result.scripts.length).toBeGreaterThanOrEqual(10)
    for (const { script, written } of result.scripts) {
      expect(written[service], script).toBeGreaterThanOrEqual(0.99)
    }
  })
})

describe('the relevance bench', () => {
  it('asks every kind of question over a population, and of all engines', () => {
    const rows = result.kinds.filter(({ records }) => records.includes('people'))
    expect(rows.map(({ kind }) => kind)).toEqual(Object.keys(kinds))
    for (const { scores, kind, questions } of rows) {
      expect(Object.keys(scores)).toEqual([service, 'MiniSearch', 'Orama', 'FlexSearch'])
      expect(questions, kind).toBeGreaterThanOrEqual(20)
      for (const score of Object.values(scores)) expect(score >= 0 && score <= 1, kind).toBe(true)
    }
    expect(report(result.kinds, result.scripts)[0]).toBe('### the default data')
  })

  it('takes a slip for one: a letter more, less, another, or two changed', () => {
    const one = ['meyer', 'meyyer', 'myer', 'mayer', 'emyer', 'meyre']
    expect(one.map((word) => withinSlips('meyer', word, 1))).toEqual(one.map(() => true))
    for (const word of ['yer', 'meyerss', 'emyre']) {
      expect(withinSlips('meyer', word, 1), word).toBe(false)
      expect(withinSlips('meyer', word, 2), word).toBe(true)
    }
  })

  it('reads a word in the plural as the one in the singular', () => {
    for (const [one, many] of [
      ['nurse', 'nurses'],
      ['actress', 'actresses'],
      ['coach', 'coaches'],
      ['policy', 'policies'],
      ['businessman', 'businessmen'],
      ['salesperson', 'salespeople'],
    ] as const) {
      expect(pluralOf(one)).toBe(many)
      expect(numberless(many)).toBe(numberless(one))
    }
  })

  it('knows by plain sets who is meant', () => {
    const bio = 'A French writer.'
    const truth = new Truth({
      authorities: [
        { sdu: '1', name: 'Ann Ünal', also_known_as: ['Anna Ü'], topics: ['Poet'], bio },
        { sdu: '2', name: 'Ann Other', topics: ['Writer'], country_name: 'France' },
      ],
      topics: [{ topic: 'Writer', aliases: ['wordsmith'] }],
    })
    expect([...truth.named('unal ANN')]).toEqual([0])
    expect([...truth.named('anna')]).toEqual([0])
    expect([...truth.nearlyNamed('Ann Unla')]).toEqual([0])
    expect([...truth.having('Writer')]).toEqual([1])
    expect([...truth.about('Writer')].sort()).toEqual([0, 1])
    expect([...truth.from('France', 'French')].sort()).toEqual([0, 1])
    expect(truth.keysIn('the wordsmiths of poets')).toEqual([['poet'], ['wordsmith']])
    expect(truth.mayMean('Ann Oth')).toBe(true)
    expect(truth.mayMean('Ann Oda')).toBe(false)
  })
})
