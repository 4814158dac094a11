import { defineConfig, mergeConfig } from 'vitest/config'
import base from './vitest.config.ts'

/** The service behind real proxies; `npm run test:proxies` builds it first. */
export default mergeConfig(
  { ...base, test: { ...base.test, include: [] } },
  defineConfig({ test: { include: ['test/proxies/{behind-proxies,framing,gaps}.ts'] } }),
)
