/** The bench of MCP calls, run tiny: it measures every kind and leaves nothing behind. */
import { describe, expect, it } from 'vitest'
import { report, run } from '../../../../bench/mcp/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

describe('the MCP bench', () => {
  it('measures the plain route and tool calls of both eras, with and without load', async () => {
    const rows = await run(tinyOptions())
    expect(rows.map(({ kind }) => kind)).toEqual([
      'plain route',
      'tool call, 2026-07-28',
      'tool call, 2025-11-25',
      'plain route, 2 connections calling tools',
    ])
    for (const { requests, p50Us, p99Us, ratio } of rows) {
      expect(requests).toBe(40)
      expect(p50Us).toBeGreaterThan(0)
      expect(p99Us).toBeGreaterThanOrEqual(p50Us)
      expect(ratio).toBeGreaterThan(0)
    }
    expect(report(rows)).toHaveLength(rows.length + 2)
  })
})
