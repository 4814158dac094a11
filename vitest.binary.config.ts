import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** What only the single file does; `npm run test:binary` builds it first. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['test/single-file.ts'] } }),
)
