/** The tasks of an agent, replayed through the tools. */
import { describe, expect, it } from 'vitest'
import { agentsRows } from '../../../bench/agents/bench.ts'

describe('sixty tasks of an agent', () => {
  it('are each solved by the tools in at most three calls and 3,000 tokens', async () => {
    const rows = (await agentsRows()).filter(({ design }) => design === 'tools')
    expect(rows.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(60)
    for (const row of rows) {
      expect([row.kind, row.solved]).toEqual([row.kind, row.tasks])
      expect(row.callsMax).toBeLessThanOrEqual(3)
      expect(row.tokensMax).toBeLessThanOrEqual(3_000)
    }
  })
})
