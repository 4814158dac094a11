/** The bench of scale, tiny: a sync and a service at two sizes, and a snapshot that is there already. */
import { expect, it } from 'vitest'
import { report, run } from '../../../../bench/scale/bench.ts'
import { tinyOptions } from '../../../support/tiny.ts'

it('measures a sync, a service and each route at every size, and takes a snapshot that is there', async () => {
  const options = tinyOptions()
  const rows = await run(options)
  expect(rows.map(({ authorities }) => authorities)).toEqual([300, 600])
  for (const { sync, bytesPerPerson, firstAnswerSeconds, sha256Seconds, ...row } of rows) {
    expect(sync!.seconds).toBeGreaterThan(0)
    expect(sync!.peakBytes).toBeGreaterThan(0)
    const phases = Object.keys(sync!.phases)
    expect(phases).toEqual(
      expect.arrayContaining(['reading authorities', 'ranking topics', 'writing']),
    )
    const ofPhases = Object.values(sync!.phases).reduce((sum, each) => sum + each, 0)
    expect(ofPhases).toBeCloseTo(sync!.cpuSeconds, 6)
    expect(bytesPerPerson).toBeGreaterThan(100)
    expect(firstAnswerSeconds).toBeGreaterThan(0)
    expect(sha256Seconds).toBeGreaterThan(0)
    expect(row.residentBytes).toBeGreaterThan(0)
    expect(row.routes.map(({ route }) => route)).toEqual(['search', 'detail', 'peers', 'match'])
    for (const { p50Us, p99Us } of row.routes) expect(p99Us).toBeGreaterThanOrEqual(p50Us)
  }
  expect(report(rows).join('\n')).toContain('| ranking authorities ')
  const [again] = await run({ ...options, flags: { sizes: '300' } })
  expect(again!.sync).toBeUndefined()
  expect(report([again!]).join('\n')).toContain('was there')
})
