import { describe, expect, it } from 'vitest'
import { report, run } from '../../bench/swap.ts'
import { temporaryDirectory } from '../built.ts'

describe('the bench of swaps, tiny', () => {
  it('swaps under load without a failed or mixed answer, and leaves nothing running', async () => {
    const lines: string[] = []
    const rows = await run({
      size: 'tiny',
      directory: temporaryDirectory(),
      signal: new AbortController().signal,
      report: (line) => lines.push(line),
    })
    expect(rows.length).toBe(1)
    const { still, swapping, swaps, different, throughput, ...figures } = rows[0]!
    for (const { requests, failed, mixed, problems } of [still, swapping]) {
      expect({ failed, mixed, problems }).toEqual({ failed: 0, mixed: 0, problems: [] })
      expect(requests).toBeGreaterThan(100)
    }
    expect(swaps).toBeGreaterThan(1)
    expect([still, swapping].map(({ answers }) => Object.keys(answers).length)).toEqual([1, 2])
    expect(different).toBeGreaterThan(20)
    expect(throughput.map(({ threads }) => threads)).toEqual([1, 2])
    for (const figure of Object.values(figures)) expect(figure).toBeGreaterThan(0)
    expect(report(rows).join('\n')).toContain('p99.9 ratio')
    expect(lines.length).toBeGreaterThan(3)
  })
})
