/** The bench of routes, tiny: every kind of request is asked, and its figures are what they say. */
import { expect, it } from 'vitest'
import { report, rowOf, run } from '../../../../bench/routes/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it('measures every kind of request, and what a handle takes of each server', async () => {
  const result = await run(tinyOptions())
  const { rows, batches, lines: counted, loops } = result
  const names = rows.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'match again, metrics too',
      'peers, explain=true',
      'topic and followers',
    ]),
  )
  expect(rows.every(({ by }) => names.includes(by))).toBe(true)
  expect(rows.every(({ p50Us, p99Us }) => p50Us > 0 && p99Us >= p50Us)).toBe(true)
  expect(rows.every(({ bytes }) => bytes > 0)).toBe(true)
  expect(batches!.rows.length + batches!.left.length).toBe(3)
  expect(batches!.rows.every(({ cpuUs }) => cpuUs > 0)).toBe(true)
  // A search reads its items, of which each takes a line at least; a handle of many waits for no more than one alone.
  const [search, alone, ofMany] = counted!.map(({ lines }) => lines)
  expect(search).toBeGreaterThan(10)
  expect(alone).toBeGreaterThan(4)
  expect(ofMany).toBeLessThan(alone!)
  const tables = rows.length + 2 + 1 + batches!.left.length + batches!.rows.length + 2
  const lines = tables + 1 + counted!.length + 2 + 1 + loops!.length + 2
  expect(report(result)).toHaveLength(lines)
})

it('measures tight loops alone, in both manners', async () => {
  const result = await run({ ...tinyOptions(), flags: { only: 'loops' } })
  const { rows, batches, lines, loops } = result
  expect([rows, batches, lines]).toEqual([[], undefined, undefined])
  expect(loops!.map(({ name }) => name)).toEqual(['two words', 'match', 'batch of 1000'])
  for (const { p50Us, p99Us, p999Us, restUs, bytes } of loops!) {
    expect(Math.min(p50Us, restUs, bytes)).toBeGreaterThan(0)
    expect([p50Us, p99Us, p999Us]).toEqual([p50Us, p99Us, p999Us].toSorted((a, b) => a - b))
  }
  expect(report(result)).toHaveLength(loops!.length + 2)
})

it('compares the medians of two kinds', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
  const times = new Map([
    ['charged', hundred],
    ['free', hundred.map((us) => us / 2)],
  ])
  const row = rowOf({ name: 'charged', by: 'free' }, times)
  expect(row).toMatchObject({ requests: 100, p50Us: 50, p99Us: 99, ratio: 2, moreUs: 25 })
  expect(rowOf({ name: 'free' }, times)).toMatchObject({ by: 'free', ratio: 1, moreUs: 0 })
})
