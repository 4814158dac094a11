import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/**
 * What takes long: attacks, many swaps, syncs that are killed, lists paged over swaps, every bench in
 * small. `npm run test:long` builds first.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: [
        'test/*.suite.ts',
        'test/{abuse,api,bench}/*.suite.ts',
        'test/suites/long/*.suite.ts',
      ],
    },
  }),
)
