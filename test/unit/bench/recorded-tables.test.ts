/** Tables of the record, read back for the documents. */
import { describe, expect, it } from 'vitest'
import { figureOf, namedRows, recordedTable } from '../../../bench/shared/recorded-tables.ts'

const run = {
  bench: 'wire',
  startedAt: '2026-02-03T04:05:06.000Z',
  commit: 'c0ffee00',
  format: 12,
  machine: 'A machine',
  flags: '--plan every',
  lines: ['| a | b |', '| - | - |', '| x | 1,234 |', '', 'More:', '', '| a |', '| - |', '| 98% |'],
}

describe('a recorded table', () => {
  it('is found by a column, or by the line above it, with the run that it is from', () => {
    const table = recordedTable('wire', 'b', [run])!
    expect(namedRows(table)).toEqual([{ a: 'x', b: '1,234' }])
    expect(table.origin).toBe(
      '2026-02-03, commit `c0ffee00`, snapshots of format 12, with `--plan every`; A machine',
    )
    expect(recordedTable('wire', 'More:', [run])!.rows).toEqual([['98%']])
  })

  it('is none of a bench that was not recorded, and an error where the run has no such table', () => {
    expect(recordedTable('swap', 'a', [run])).toBeUndefined()
    expect(() => recordedTable('wire', 'c', [run])).toThrow(/no table 'c'/)
  })

  it('has figures with commas and shares as numbers, and none of words', () => {
    expect([figureOf({ a: '1,234' }, 'a'), figureOf({ a: '98%' }, 'a')]).toEqual([1_234, 98])
    for (const cells of [undefined, {}, { a: '' }, { a: '-' }]) {
      expect(() => figureOf(cells, 'a')).toThrow(/no figure 'a'/)
    }
  })
})
