import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/**
 * Snapshots in the object storage of a real S3 server; `npm run test:objects` builds it first.
 * `FLEET_ROUNDS=100` has two publishers race for longer.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['test/fleet/objects.suite.ts'], testTimeout: 600_000 } }),
)
