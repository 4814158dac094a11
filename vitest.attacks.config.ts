import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The service under attack, small; `npm run test:attacks` builds it first. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['test/abuse/**/*.suite.ts'] } }),
)
