/**
 * What charging costs: the throughput of the same requests free, charged, and charged without the
 * headers that tell of it, in one run. Charges are written meanwhile, as in the service. Rounds are
 * interleaved; a cost is the median of their ratios.
 */
import { join } from 'node:path'
import { activate } from '../../src/api/active-snapshot.ts'
import { Commits } from '../../src/ledger/live/commits.ts'
import { createAccount, topUp } from '../../src/ledger/lmdb/accounts.ts'
import { openEnvironment } from '../../src/ledger/lmdb/environment.ts'
import { issueKey } from '../../src/ledger/lmdb/keys.ts'
import { openSession } from '../../src/ledger/lmdb/session.ts'
import { microUsdPerUsd } from '../../src/money.ts'
import { byRoute } from '../../src/operations.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import { Children } from '../../test/support/processes/children.ts'
import { startWorkerServer, type WorkerServer } from '../../test/support/processes/worker-server.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { benchData, loadAnnounced, textsOf, topicTexts } from '../shared/data/data.ts'
import { mannerRounds } from '../shared/manners.ts'
import { table } from '../shared/report.ts'
import { median, type Ratios, type Round, ratiosOf } from '../shared/rounds.ts'
import { type Manner, manners } from './charged-api.ts'
import type { ChargingStart } from './charging-thread.ts'

/** What one thing costs on one route. */
export interface CostRow extends Ratios {
  readonly route: string
  readonly cost: 'charging' | 'its two headers'
  /** Requests in a second of work, medians of the rounds. */
  readonly perSecondWithout: number
  readonly perSecondWith: number
  /** The least ratio that is good enough. */
  readonly ratioTarget: number
}

const sizes = {
  tiny: { authorities: 300, routes: 1, rounds: 1, seconds: 1 },
  full: { authorities: 10_000, routes: 2, rounds: 60, seconds: 1 },
} as const

/** The smallest there are, so that the balance outlasts the bench. */
const prices = byRoute(() => 1)
const balanceMicroUsd = 10_000 * microUsdPerUsd
const commitWindowMs = 100

/** The bench, as commands run it. */
export const chargingBench: Bench = {
  name: 'charging',
  run: async (options) => {
    const rows = await run(options)
    return { result: { rows }, lines: report(rows) }
  },
}

/** Runs the bench and returns its rows. */
export async function run({ size, signal, directory }: BenchOptions): Promise<CostRow[]> {
  const { authorities, routes, rounds, seconds } = sizes[size]
  const children = new Children(signal)
  try {
    const snapshot = loadAnnounced((await benchData(authorities, directory)).snapshots)
    const { commits, key } = await openLedger(join(children.directory, 'data'))
    try {
      const start = (manner: Manner) => startServer(snapshot, commits, manner)
      const rows: CostRow[] = []
      for (const [route, target] of Object.entries(targetsOf(snapshot)).slice(0, routes)) {
        const options = { manners, start, key, target, size, rounds, seconds }
        rows.push(...rowsOf(route, await mannerRounds(children, options)))
      }
      return rows
    } finally {
      await commits.close()
    }
  } finally {
    await children.close()
  }
}

/** Opens a new ledger with one rich account, and a key of it. */
async function openLedger(directory: string): Promise<{ commits: Commits; key: string }> {
  const environment = openEnvironment({ directory, clock: Date.now, create: true })
  createAccount(environment, 'bench')
  topUp(environment, 'bench', balanceMicroUsd, 'bench')
  const order = { account: 'bench', label: null, expiresAtMs: null }
  const { text: key } = issueKey(environment, order)
  await environment.close()
  const report = (line: string) => console.error(line)
  const commits = await Commits.open(await openSession(directory, Date.now), {
    threads: manners.length,
    clock: Date.now,
    onKeyTable: () => {},
    report,
    onImbalance: report,
  })
  commits.start(commitWindowMs)
  return { commits, key }
}

/** The two cheapest requests there are, where charging weighs most: an owner, a topic's first ten. */
function targetsOf(snapshot: Snapshot): Readonly<Record<string, string>> {
  const { catalog } = activate(snapshot)
  const owned = textsOf(snapshot.sections, 'handle').find(
    (key) => catalog.ownersOf({ platform: undefined, key }).length > 0,
  )
  return {
    match: `/api/v1/match?handle=${encodeURIComponent(owned!)}`,
    search: `/api/v1/index?query=${encodeURIComponent(topicTexts(snapshot).labels[0]!)}`,
  }
}

function startServer(snapshot: Snapshot, commits: Commits, manner: Manner): WorkerServer {
  const { shared: balances, keyTable } = commits
  const place = manners.indexOf(manner)
  const start: ChargingStart = { manner, snapshot, balances, place, keyTable, prices }
  return startWorkerServer(new URL('./charging-thread.ts', import.meta.url), start)
}

/** What the rounds of one route say. */
export function rowsOf(route: string, rounds: readonly Round<Manner>[]): CostRow[] {
  const row = (cost: CostRow['cost'], without: Manner, ratioTarget: number): CostRow => ({
    route,
    cost,
    perSecondWithout: median(rounds.map((round) => round[without])),
    perSecondWith: median(rounds.map((round) => round.charged)),
    ...ratiosOf(rounds, 'charged', without),
    ratioTarget,
  })
  return [row('charging', 'free', 0.95), row('its two headers', 'silent', 0.98)]
}

/** The rows as a table. */
export function report(rows: readonly CostRow[]): string[] {
  return table(rows, {
    route: ({ route }) => route,
    'cost of': ({ cost }) => cost,
    'without /s': ({ perSecondWithout }) => perSecondWithout.toFixed(0),
    'with /s': ({ perSecondWith }) => perSecondWith.toFixed(0),
    ratio: ({ ratioMedian }) => ratioMedian.toFixed(3),
    least: ({ ratioLeast }) => ratioLeast.toFixed(3),
    most: ({ ratioMost }) => ratioMost.toFixed(3),
    target: ({ ratioTarget }) => ratioTarget.toFixed(2),
  })
}
