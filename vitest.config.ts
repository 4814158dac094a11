import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/in-memory.ts',
    setupFiles: ['test/support/property-seed.ts'],
    // Hundreds of services start; one suite tries how they practise.
    env: { AUTHORITY_INDEX_WARM_UP_MS: '0' },
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // What is waited for may take long on a busy machine; how long is no test's question.
    expect: { poll: { timeout: 30_000 } },
    pool: 'forks',
    // No module of src keeps state, so files share what was loaded: a quarter of the processor time.
    isolate: false,
    // Most tests wait for processes that they have started, not for the processor.
    maxWorkers: 3,
  },
})
