import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The explorer in a real browser; `npm run test:browser` builds it first. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['test/browser/**/*.suite.ts'], hookTimeout: 120_000 } }),
)
