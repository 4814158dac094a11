/** Judged, typed and variant texts: what the service understands stays understood, and strangers stay few. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type RelevanceResult, run } from '../../../../bench/relevance/bench.ts'
import { type Row, sumOf } from '../../../../bench/relevance/endings.ts'
import { service } from '../../../../bench/relevance/engines.ts'

/** Kinds that wait for ways of their own, or that no record answers. */
const open = [
  'nickname or other name',
  'topic by an alias it lacks',
  'Cyrillic or Greek in Latin letters',
]

let result: RelevanceResult

beforeAll(async () => {
  const flags = { sets: 'judged,typed,variants' }
  const { signal } = new AbortController()
  result = await run({ size: 'tiny', signal, report: () => {}, flags })
}, 180_000)

function rowsOf(set: string, isForSomebody: boolean): readonly Row[] {
  return result.rows.filter((row) => row.set === set && row.isForSomebody === isForSomebody)
}

describe('of the judged texts', () => {
  it('nine in ten that mean somebody find who is meant, and one in a hundred at most only strangers', () => {
    const { first, inTen, stranger, texts } = sumOf(rowsOf('judged', true), service)
    expect(texts).toBeGreaterThan(500)
    expect((first + inTen) / texts).toBeGreaterThanOrEqual(0.93)
    expect(stranger).toBeLessThanOrEqual(5)
  })

  it('those that mean nobody find nobody, but for one in twenty', () => {
    const { nobody, texts } = sumOf(rowsOf('judged', false), service)
    expect(nobody / texts).toBeGreaterThanOrEqual(0.95)
  })
})

describe('of what people type', () => {
  it('nineteen of twenty of a kind are found first or among the first ten', () => {
    const rows = rowsOf('typed', true).filter(({ kind }) => !open.includes(kind))
    const kinds = [...new Set(rows.map(({ kind }) => kind))]
    expect(kinds.length).toBeGreaterThan(20)
    for (const kind of kinds) {
      const some = rows.filter((row) => row.kind === kind)
      const { first, inTen, texts } = sumOf(some, service)
      expect((first + inTen) / texts, kind).toBeGreaterThanOrEqual(0.95)
    }
  })

  it('strangers are fewer than one in a hundred, and one in thirty where nobody is meant', () => {
    const [some, nobody] = [true, false].map((is) => sumOf(rowsOf('typed', is), service))
    expect(some!.stranger / some!.texts).toBeLessThan(0.01)
    expect(1 - nobody!.nobody / nobody!.texts).toBeLessThan(0.034)
  })
})

describe('of variants of names', () => {
  it('five in six find who is meant, and one in a hundred at most a stranger', () => {
    const { first, stranger, texts } = sumOf(rowsOf('variants', true), service)
    expect(texts).toBeGreaterThan(1000)
    expect(first / texts).toBeGreaterThanOrEqual(0.8)
    expect(stranger / texts).toBeLessThan(0.01)
  })

  it('those of nobody find nobody, but for one in twenty', () => {
    const { nobody, texts } = sumOf(rowsOf('variants', false), service)
    expect(nobody / texts).toBeGreaterThanOrEqual(0.95)
  })
})

it('MiniSearch finds fewer first of judged and typed texts, and more strangers', () => {
  const rows = result.rows.filter(({ set }) => set !== 'variants')
  const [ours, peer] = [service, 'MiniSearch'].map((engine) => sumOf(rows, engine))
  expect(ours!.first).toBeGreaterThan(peer!.first)
  expect(ours!.stranger).toBeLessThan(peer!.stranger)
})
