import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/**
 * Several nodes on real servers of PostgreSQL and S3; `npm run test:fleet` builds it first. The suite of
 * object storage alone takes as long as all others: `npm run test:objects`.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: { include: ['test/fleet/**/*.suite.ts'], exclude: ['test/fleet/objects.suite.ts'] },
  }),
)
