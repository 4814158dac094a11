/**
 * The relevance bench, tiny: no kind of question falls. Every kind has to reach its least score, and
 * the best of the other engines, over each set of records.
 */
import { beforeAll, describe, expect, it } from 'vitest'
import { type RelevanceResult, run } from '../../../bench/relevance/bench.ts'
import { bestPeer, report, service } from '../../../bench/relevance/figures.ts'
import { keysOf, typed } from '../../../bench/relevance/hangul.ts'
import { kinds } from '../../../bench/relevance/kinds.ts'
import { pluralOf } from '../../../bench/relevance/occupations.ts'
import { scripts } from '../../../bench/relevance/scripts.ts'
import { withinSlips } from '../../../bench/relevance/slips.ts'
import { numberless, Truth } from '../../../bench/relevance/truth.ts'

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

describe('the relevance bench', () => {
  it('asks every kind of question over a population, and of all engines', () => {
    const rows = result.kinds.filter(({ records }) => records.includes('people'))
    expect(rows.map(({ kind }) => kind)).toEqual(Object.keys(kinds))
    for (const { scores, kind, questions } of rows) {
      expect(Object.keys(scores)).toEqual([service, 'MiniSearch'])
      expect(questions, kind).toBeGreaterThanOrEqual(20)
      for (const score of Object.values(scores)) expect(score >= 0 && score <= 1, kind).toBe(true)
    }
    expect(report(result.kinds, result.scripts)[0]).toBe('The default data:')
  })

  it('takes a slip for one: a letter more, less, another, or two changed', () => {
    const one = ['meyer', 'meyyer', 'myer', 'mayer', 'emyer', 'meyre']
    expect(one.map((word) => withinSlips('meyer', word, 1))).toEqual(one.map(() => true))
    for (const word of ['yer', 'meyerss', 'emyre']) {
      expect(withinSlips('meyer', word, 1), word).toBe(false)
      expect(withinSlips('meyer', word, 2), word).toBe(true)
    }
  })

  it('takes another syllable of Hangul for one slip, and a key that was not hit as the input shows it', () => {
    for (const word of ['김민서', '김준', '김민쥰', '김민중', '김민주']) {
      expect(withinSlips('김민준', word, 1), word).toBe(true)
    }
    expect(withinSlips('박은정', '바근정', 1)).toBe(true)
    expect(withinSlips('김민준', '박은준', 1)).toBe(false)
    expect(keysOf('박은')!.join('')).toBe('ㅂㅏㄱㅇㅡㄴ')
    expect(typed([...'ㅂㅏㄱㅡㄴㅈㅓㅇ'])).toBe('바근정')
    expect(typed([...'ㄱㅁㅣㄴㄴㅏㅏ'])).toBe('ㄱ민나ㅏ')
    expect(keysOf('Ann')).toBeUndefined()
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
    expect([...truth.spelled('annother')]).toEqual([1])
    expect([...truth.having('Writer')]).toEqual([1])
    expect([...truth.about('Writer')].sort()).toEqual([0, 1])
    expect([...truth.from('France', 'French')].sort()).toEqual([0, 1])
    expect(truth.keysIn('the wordsmiths of poets')).toEqual([['poet'], ['wordsmith']])
    expect(truth.mayMean('Ann Oth')).toBe(true)
    expect(truth.mayMean('Ann Oda')).toBe(false)
  })
})
