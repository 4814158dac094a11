/** The torture of a fleet, small; `npx tsx test/suites/fleet/run-torture.ts --full` is the whole of it. */
import { describe, expect, test } from 'vitest'
import { isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'
import { plans, torture } from './torture.ts'

describe.skipIf(!isPostgresqlInstalled())('a fleet that is tortured', () => {
  test('charges nobody too much, loses no payment, passes no cap, and refuses nobody who can pay', async () => {
    const { violations, answers, ...done } = await torture(plans.small, () => {})
    expect(violations).toEqual([])
    expect(done).toMatchObject({ kills: 3, stops: 1, outages: 1 })
    expect(done.proofs).toBeGreaterThan(3)
    expect(done.topUps).toBeGreaterThan(3)
    expect(done.raises).toBeGreaterThan(3)
    expect(done.atCaps).toBeGreaterThan(0)
    expect(answers['200']).toBeGreaterThan(100)
    expect(answers['402']).toBeGreaterThan(0)
  })
})
