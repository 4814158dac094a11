/** The tasks of an agent, replayed through the tools, and the table of what they take. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AgentsRow, agentsRows } from '../../../bench/agents/bench.ts'
import { designs } from '../../../bench/agents/tasks.ts'

const guide = join(import.meta.dirname, '..', '..', '..', 'docs', 'mcp.md')

/** A cell of the table: `9 + 207 (1)`. */
const cellShape = /^([\d,]+) \+ ([\d,]+) \((\d+)\)$/

/** Times in answers have more or fewer digits. */
const tolerance = 0.03

describe('sixty tasks of an agent', () => {
  let rows: readonly AgentsRow[]

  beforeAll(async () => {
    rows = await agentsRows()
  })

  it('are each solved by the tools in at most three calls and 3,000 tokens', () => {
    const ours = rows.filter(({ design }) => design === 'tools')
    expect(ours.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(60)
    for (const row of ours) {
      expect([row.kind, row.solved]).toEqual([row.kind, row.tasks])
      expect(row.callsMax).toBeLessThanOrEqual(3)
      expect(row.tokensMax).toBeLessThanOrEqual(3_000)
    }
  })

  it('take what the guide says, in every design', () => {
    const lines = readFileSync(guide, 'utf8').split('\n')
    for (const kind of new Set(rows.map((row) => row.kind))) {
      const line = lines.find((each) => each.startsWith(`| ${kind} `))!
      const cells = line.split('|').slice(2, -1)
      expect(cells).toHaveLength(designs.length)
      for (const [index, cell] of cells.entries()) {
        const row = rows.find((each) => each.kind === kind && each.design === designs[index])!
        const [, ...said] = cellShape.exec(cell.trim())!
        const [written, read, calls] = said.map((text) => Number(text.replace(',', '')))
        const taken = [row.writtenMean, row.readMean]
        expect([kind, row.design, row.callsMax]).toEqual([kind, row.design, calls])
        for (const [at, tokens] of [written!, read!].entries()) {
          const bound = Math.max(1, tolerance * tokens)
          expect(Math.abs(taken[at]! - tokens), `${kind}, ${row.design}`).toBeLessThan(bound)
        }
      }
    }
  })
})
