/** The search bench, tiny: every engine and every kind is measured, and a running service is asked. */
import { describe, expect, it } from 'vitest'
import { report, run } from '../../../../bench/search/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

const kinds = [
  'name',
  'who is NAME?',
  'surname, one slip',
  'name, one slip',
  'topic',
  'topic, one slip',
  'topic country',
  'topics from Country',
  'best topic in Country',
  'two topics',
  'name and topic',
  'two words of one',
  'three words of one',
  'two words of two',
  'nonsense',
  'one letter',
]

/** Words around a name or a topic, with bounds of their own. */
const typed = [
  'title and name',
  'title and surname',
  'nickname and surname',
  'initial and surname',
  'first and last of two',
  'NAME on github',
  'NAME and NAME',
  'head of TOPIC',
  'who chairs the TOPIC committee',
  'texas TOPIC',
]

/** Words drawn by how many have them, with a bound for the mean of the first. */
const drawn = [
  'two words drawn',
  'of these, nobody has',
  'three words drawn',
  'one word that nobody has',
]

describe('the search bench', () => {
  it('measures every engine, every kind beside what it may cost, and what a service says', async () => {
    const result = await run(tinyOptions())
    const { rows, costs, durations } = result
    const engines = new Set(rows.map(({ engine }) => engine))
    expect([...engines]).toEqual(['authority-index', 'MiniSearch'])
    for (const engine of engines) {
      expect(rows.filter((row) => row.engine === engine)).toHaveLength(rows.length / engines.size)
    }
    expect(rows.every(({ p50Us, p99Us }) => p50Us > 0 && p99Us >= p50Us)).toBe(true)
    expect(rows.every(({ meanUs }) => meanUs > 0)).toBe(true)

    expect(costs.map(({ kind }) => kind)).toEqual([...kinds, ...typed, ...drawn, 'hostile'])
    for (const { texts, meanUs, p50Us, p99Us, mostUs, byTopic, bytes } of costs) {
      expect(texts).toBeGreaterThan(0)
      expect(meanUs).toBeGreaterThan(0)
      expect(meanUs).toBeLessThanOrEqual(mostUs)
      expect(p50Us).toBeGreaterThan(0)
      expect(p99Us).toBeGreaterThanOrEqual(p50Us)
      expect(mostUs).toBeGreaterThanOrEqual(p99Us)
      expect(byTopic).toBeGreaterThan(0)
      expect(bytes).toBeGreaterThan(0)
    }

    expect(durations).toHaveLength(1)
    expect(durations[0]!.requests).toBeGreaterThan(0)
    expect(durations[0]!.p50Ms).toBeGreaterThan(0)

    const lines = report(result)
    const count = rows.length + costs.length + durations.length
    // Two lines above each table, and one between two.
    expect(lines).toHaveLength(count + 3 * 2 + 2)
    const linesWith = (bound: string) => lines.filter((line) => line.includes(bound))
    expect(linesWith('p50 50, p99 300')).toHaveLength(kinds.length)
    expect(linesWith('p50 60, p99 400')).toHaveLength(typed.length)
    expect(linesWith('mean 20')).toHaveLength(1)
    expect(linesWith('each 3000')).toHaveLength(1)
  })
})
