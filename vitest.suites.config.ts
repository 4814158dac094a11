import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import base from './vitest.config.ts'

/** Waits for a machine that is busy with other things. */
const waits = { testTimeout: 600_000, hookTimeout: 300_000 }

/** Files that take long for their size. Vitest starts large files first, so these would begin when the others end. */
const longForTheirSize = [
  'browser/access',
  'browser/client',
  'fleet/black-box',
  'fleet/caps/parity',
  'fleet/caps/race',
  'fleet/torture',
  'long/abuse/attacks',
  'long/benches',
  'long/client/faults',
  'long/fuzz/fuzz',
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

/** What a suite needs beyond that. Its files run beside each other, but where they need the machine for themselves. */
const settings: Record<string, object> = {
  // Clients of agents and generators of clients, installed from the npm registry: needs the network.
  agents: {},
  // `test/suites/binary`: what only the single file does; `npm run test:binary` builds it first.
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
  // The service behind real proxies.
  proxies: {},
}

/** The opt-in suites: `--mode NAME` runs those of `test/suites/NAME`. */
export default defineConfig(({ mode }) => {
  const chosen = settings[mode]
  if (chosen === undefined) {
    throw new Error(`--mode names a suite: one of ${Object.keys(settings).join(', ')}`)
  }
  return mergeConfig(
    // Suites that fill, fail or measure a disk need one.
    { ...base, test: { ...base.test, include: [], globalSetup: [] } },
    {
      test: {
        include: [`test/suites/${mode}/**/*.suite.ts`],
        sequence: { sequencer: LongFilesFirst },
        ...waits,
        ...chosen,
      },
    },
  )
})
