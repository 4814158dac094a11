/** `vitest run` runs what `npm test` runs; `vitest run --mode NAME` the opt-in suites of `test/suites/NAME`. */
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type Reporter, type TestModule, type TestSpecification } from 'vitest/node'

/** Files that take long for their size. Vitest starts large files first, so these would begin when the others end. */
const longForTheirSize = [
  'browser/access',
  'browser/client',
  'fleet/cap-race',
  'fleet/parity',
  'fleet/torture',
  'long/abuse/attacks',
  'long/benches',
  'long/ledger-torture',
  'long/sync-job',
  'long/sync-killed',
  'outside/failing-ledger',
  'outside/ledger-time',
  'outside/network',
  'outside/storage',
]

/** Starts those files before the others, so that a suite does not end with one file while other processes idle. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) =>
      longForTheirSize.some((name) => moduleId.endsWith(`/suites/${name}.suite.ts`))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** Names the files that took longest, the slowest last: seconds of their tests, and of loading what they import. */
class SlowestLast implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const timed = modules.map((module) => {
      const { duration, collectDuration } = module.diagnostic()
      return {
        name: module.relativeModuleId,
        tests: duration / 1_000,
        load: collectDuration / 1_000,
      }
    })
    const slowest = timed.sort((a, b) => a.tests + a.load - b.tests - b.load).slice(-10)
    for (const { name, tests, load } of slowest) {
      console.log(`${tests.toFixed(1).padStart(8)} s ${load.toFixed(1).padStart(6)} s  ${name}`)
    }
  }
}

const shared = {
  reporters: ['default', new SlowestLast()],
  setupFiles: ['test/support/property-seed.ts'],
  // Hundreds of services start; one suite tries how they practise.
  env: { AUTHORITY_INDEX_WARM_UP_MS: '0' },
  // What is waited for may take long on a busy machine; how long is no test's question.
  expect: { poll: { timeout: 30_000 } },
  pool: 'forks',
  // No module of src keeps state, so files share what was loaded: a quarter of the processor time.
  isolate: false,
  // Most tests wait for processes that they have started, not for the processor.
  maxWorkers: 3,
} as const

const tests = {
  include: ['test/**/*.test.ts'],
  // The other suites have none: those that fill, fail or measure a disk need one.
  globalSetup: 'test/support/in-memory.ts',
  testTimeout: 180_000,
  hookTimeout: 180_000,
}

/** The opt-in suites, and what one needs beyond the others. */
const suites: Readonly<Record<string, object>> = {
  // Clients of agents and generators of clients, installed from the npm registry: needs the network.
  agents: {},
  // What only the single file does; `npm run suite -- binary` builds it first.
  binary: {},
  // The explorer in a real browser.
  browser: {},
  // Several nodes on real PostgreSQL and S3 servers. `FLEET_ROUNDS=100` has two publishers race for longer.
  fleet: {},
  // What takes long: attacks, limits, many swaps, killed syncs, damaged files, every bench tiny.
  long: {},
  // This build against another one: `AUTHORITY_INDEX_BEFORE=/path/to/checkout` names its checkout, which is
  // built; without it this build is compared with itself, in small. `NET_RUNS` is the number of sessions,
  // `NET_SEED` repeats others.
  net: { testTimeout: 86_400_000, fileParallelism: false },
  // Packets of an Ethernet, clients that vanish, disks that fill or fail, wrong clocks, failovers.
  // `OUTSIDE=full` asks for the full counts; without it the counts are small.
  outside: {},
  // The built program over several starts: money, keys, swaps, syncs, clients.
  program: { globalSetup: tests.globalSetup },
  // The service behind real proxies.
  proxies: {},
}

function suiteOf(mode: string) {
  const chosen = suites[mode]
  if (chosen === undefined) {
    throw new Error(`--mode names a suite: one of ${Object.keys(suites).join(', ')}`)
  }
  return {
    include: [`test/suites/${mode}/**/*.suite.ts`],
    sequence: { sequencer: LongFilesFirst },
    testTimeout: 600_000,
    hookTimeout: 300_000,
    ...chosen,
  }
}

/** Without `--mode` it is `test`. */
export default defineConfig(({ mode }) => ({
  test: { ...shared, ...(mode === 'test' ? tests : suiteOf(mode)) },
}))
