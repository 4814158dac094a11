/**
 * The relevance bench. No kind of drawn text falls: every kind has to reach its least score, and MiniSearch, over each
 * set of records. Of judged, typed and variant texts what is understood stays understood, and strangers stay few.
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

/** Kinds that wait for ways of their own, or that no record answers. */
const open = [
  'nickname or other name',
  'topic by an alias it lacks',
  'Cyrillic or Greek in Latin letters',
]

let result: RelevanceResult

beforeAll(async () => {
  const { signal } = new AbortController()
  const flags = { sets: 'plain,scripts,judged,typed,variants' }
  result = await run({ size: 'tiny', signal, report: () => {}, flags })
}, 360_000)

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

function rowsFor(set: string, isForSomebody: boolean): readonly Row[] {
  return result.rows.filter((row) => row.set === set && row.isForSomebody === isForSomebody)
}

describe('of the judged texts', () => {
  it('nine in ten that mean somebody find who is meant, and one in a hundred at most only strangers', () => {
    const { first, inTen, stranger, texts } = sumOf(rowsFor('judged', true), service)
    expect(texts).toBeGreaterThan(500)
    expect((first + inTen) / texts).toBeGreaterThanOrEqual(0.93)
    expect(stranger).toBeLessThanOrEqual(5)
  })

  it('those that mean nobody find nobody, but for one in twenty', () => {
    const { nobody, texts } = sumOf(rowsFor('judged', false), service)
    expect(nobody / texts).toBeGreaterThanOrEqual(0.95)
  })
})

describe('of what people type', () => {
  it('nineteen of twenty of a kind are found first or among the first ten', () => {
    const rows = rowsFor('typed', true).filter(({ kind }) => !open.includes(kind))
    const kinds = [...new Set(rows.map(({ kind }) => kind))]
    expect(kinds.length).toBeGreaterThan(20)
    for (const kind of kinds) {
      const some = rows.filter((row) => row.kind === kind)
      const { first, inTen, texts } = sumOf(some, service)
      expect((first + inTen) / texts, kind).toBeGreaterThanOrEqual(0.95)
    }
  })

  it('strangers are fewer than one in a hundred, and one in thirty where nobody is meant', () => {
    const [some, nobody] = [true, false].map((is) => sumOf(rowsFor('typed', is), service))
    expect(some!.stranger / some!.texts).toBeLessThan(0.01)
    expect(1 - nobody!.nobody / nobody!.texts).toBeLessThan(0.034)
  })
})

describe('of variants of names', () => {
  it('five in six find who is meant, and one in a hundred at most a stranger', () => {
    const { first, stranger, texts } = sumOf(rowsFor('variants', true), service)
    expect(texts).toBeGreaterThan(1000)
    expect(first / texts).toBeGreaterThanOrEqual(0.8)
    expect(stranger / texts).toBeLessThan(0.01)
  })

  it('those of nobody find nobody, but for one in twenty', () => {
    const { nobody, texts } = sumOf(rowsFor('variants', false), service)
    expect(nobody / texts).toBeGreaterThanOrEqual(0.95)
  })
})

it('MiniSearch finds fewer first of judged and typed texts, and more strangers', () => {
  const rows = result.rows.filter(({ set }) => ['judged', 'typed'].includes(set))
  const [ours, peer] = [service, 'MiniSearch'].map((engine) => sumOf(rows, engine))
  expect(ours!.first).toBeGreaterThan(peer!.first)
  expect(ours!.stranger).toBeLessThan(peer!.stranger)
})
