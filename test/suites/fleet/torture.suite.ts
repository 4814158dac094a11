/** The torture of a fleet for half a minute; `FLEET_SECONDS=600` is the whole of it. */
import { describe, expect, test } from 'vitest'
import { isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'
import { torture } from './torture.ts'

const seconds = Number(process.env.FLEET_SECONDS ?? 30)

describe.skipIf(!isPostgresqlInstalled())('a fleet that is tortured', () => {
  test(
    'charges nobody too much, loses no payment, passes no cap, and refuses nobody who can pay',
    async () => {
      const { violations, answers, ...done } = await torture(seconds)
      console.info(JSON.stringify({ ...done, answers }))
      expect(violations).toEqual([])
      if (seconds === 30) expect(done).toMatchObject({ kills: 3, stops: 1, outages: 1 })
      expect(done.proofs).toBeGreaterThan(3)
      expect(done.topUps).toBeGreaterThan(3)
      expect(done.raises).toBeGreaterThan(3)
      expect(done.atCaps).toBeGreaterThan(0)
      expect(answers['200']).toBeGreaterThan(100)
      expect(answers['402']).toBeGreaterThan(0)
    },
    600_000 + seconds * 1_000,
  )
})
