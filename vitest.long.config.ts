import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/**
 * What takes long: attacks, limits, many swaps, syncs as jobs and killed, damaged files, lists paged over
 * swaps, every bench in small. `npm run test:long` builds first.
 */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({
    test: {
      include: [
        'test/*.suite.ts',
        'test/{abuse,api,bench,commands,service,snapshot,sync}/*.suite.ts',
        'test/suites/long/*.suite.ts',
      ],
    },
  }),
)
