/** The bench of tiers, tiny: both services over one snapshot, with what is cold read from storage or at least asked for. */
import { expect, it } from 'vitest'
import { report, run } from '../../../../bench/tiers/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it('measures memory, start, and warm and cold profiles of both', async () => {
  const [row, ...others] = await run(tinyOptions())
  expect(others).toEqual([])
  expect(row!.authorities).toBe(300)
  for (const tier of ['memory', 'disk'] as const) {
    expect(row!.residentBytes[tier]).toBeGreaterThan(0)
    expect(row!.firstAnswerSeconds[tier]).toBeGreaterThan(0)
    expect(row!.warmP99Us[tier]).toBeGreaterThanOrEqual(row!.warmP50Us[tier])
    expect(row!.warmWorkUs[tier]).toBeGreaterThan(0)
  }
  expect(row!.coldP99Us).toBeGreaterThanOrEqual(row!.coldP50Us)
  expect(report([row!]).join('\n')).toContain('cold bytes read')
})
