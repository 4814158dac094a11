import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/**
 * The service outside the laboratory: packets of an Ethernet, clients that vanish, disks that fill or
 * fail, clocks that are wrong, databases that fail over. `npm run test:outside` builds first. One file
 * at a time. `OUTSIDE=full` asks for the full counts; without it the counts are small.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: ['test/suites/outside/*.suite.ts'],
      testTimeout: 600_000,
      hookTimeout: 300_000,
      fileParallelism: false,
    },
  }),
)
