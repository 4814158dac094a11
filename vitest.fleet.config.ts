import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/**
 * Several nodes on real servers of PostgreSQL and S3; `npm run test:fleet` builds it first. What waits
 * waits for as long as a busy machine needs. `FLEET_ROUNDS=100` has two publishers race for longer.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: { include: ['test/fleet/**/*.suite.ts'], testTimeout: 600_000, hookTimeout: 300_000 },
  }),
)
