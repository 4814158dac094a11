import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/**
 * The net: this build against another one. `AUTHORITY_INDEX_BEFORE=/path/to/checkout npm run test:net`
 * names the other checkout, which is built; without it this build is compared with itself, in small.
 * `NET_RUNS` is the number of sessions, `NET_SEED` repeats others.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: ['test/suites/net/*.suite.ts'],
      testTimeout: 86_400_000,
      hookTimeout: 300_000,
      fileParallelism: false,
    },
  }),
)
