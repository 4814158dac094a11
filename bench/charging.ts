/**
 * What charging costs: the throughput of the same requests free, charged, and charged without the
 * headers that tell of it, in one run. In process it is what the steps of the API cost; on the wire,
 * where each manner has a server thread of its own with the hot path and charges are
 * written, it is how many more requests the same processor would answer. Rounds are interleaved; a
 * cost is the median of their ratios.
 *
 *     npx tsx bench/charging.ts          tiny: seconds, to see that it works
 *     npx tsx bench/charging.ts --full   minutes, for figures
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareAtOnce, type Served } from '../src/api/served.ts'
import { createAccount, topUp } from '../src/ledger/books/accounts.ts'
import { openEnvironment } from '../src/ledger/books/environment.ts'
import { issueKey } from '../src/ledger/books/keys.ts'
import { openSession } from '../src/ledger/books/session.ts'
import { ThreadBalances } from '../src/ledger/live/balances.ts'
import { Commits } from '../src/ledger/live/commits.ts'
import { Keyring } from '../src/ledger/live/keyring.ts'
import { Reservations } from '../src/ledger/live/reservations.ts'
import { textAt } from '../src/memory/text-table.ts'
import { microUsdPerUsd } from '../src/money.ts'
import type { Prices } from '../src/operations.ts'
import type { Snapshot } from '../src/snapshot/file.ts'
import { apiOf, type Manner, manners } from './charged-api.ts'
import type { ChargingStart } from './charging-thread.ts'
import { type BenchSize, benchData, loadData } from './data.ts'
import { untilInterrupted } from './interrupt.ts'
import { isMain, table } from './report.ts'
import { type Ratios, type Round, ratiosOf, roundsOf } from './rounds.ts'
import { Children } from './wire/children.ts'
import { divideCores } from './wire/cores.ts'
import { ownLoad, wrkLoad } from './wire/load.ts'
import { median } from './wire/measure.ts'
import { startWorkerServer, throughput, type WorkerServer } from './worker-server.ts'

/** What one thing costs on one route, in one layer. */
export interface CostRow extends Ratios {
  readonly layer: 'process' | 'wire'
  readonly route: string
  readonly cost: 'charging' | 'its two headers'
  /** Requests in a second of work, medians of the rounds. */
  readonly perSecondWithout: number
  readonly perSecondWith: number
  /** The least ratio that is good enough; only the wire has one. */
  readonly ratioTarget: number | undefined
}

const sizes = {
  tiny: { authorities: 300, routes: 1, rounds: 1, requests: 2_000, seconds: 1 },
  full: { authorities: 10_000, routes: 2, rounds: 60, requests: 20_000, seconds: 1 },
} as const

const connections = 64
/** The smallest price there is, so that the balance outlasts the bench. */
const prices: Prices = { search: 1, detail: 1, peers: 1, match: 1 }
const balanceMicroUsd = 10_000 * microUsdPerUsd
const commitWindowMs = 100

/** Everything a round needs: the data, and a ledger with one rich account. */
interface Shop {
  readonly snapshot: Snapshot
  readonly commits: Commits
  readonly key: string
}

/** How the bench is run; `signal` ends all it started. */
export interface ChargingOptions {
  readonly size: BenchSize
  readonly signal: AbortSignal
  /** Of the data; the one that all benches share when it is absent. */
  readonly directory?: string
}

/** Runs the bench and answers its rows. */
export async function run({ size, signal, directory }: ChargingOptions): Promise<CostRow[]> {
  const plan = sizes[size]
  const children = new Children(signal)
  try {
    const snapshot = loadData(await benchData(plan.authorities, directory))
    const shop = await openShop(snapshot, join(children.directory, 'data'))
    try {
      const served = prepareAtOnce(snapshot)
      const targets = Object.entries(targetsOf(served)).slice(0, plan.routes)
      const rows: CostRow[] = []
      for (const [route, target] of targets) {
        rows.push(...rowsOf('process', route, await inProcess(shop, served, target, plan)))
        rows.push(...rowsOf('wire', route, await onTheWire(shop, target, plan, children)))
      }
      return rows
    } finally {
      await shop.commits.close()
    }
  } finally {
    await children.close()
  }
}

async function openShop(snapshot: Snapshot, directory: string): Promise<Shop> {
  const environment = openEnvironment({ directory, clock: Date.now, create: true })
  createAccount(environment, 'bench')
  topUp(environment, 'bench', balanceMicroUsd, 'bench')
  const order = { account: 'bench', label: null, expiresAtMs: null }
  const { text: key } = issueKey(environment, order)
  await environment.close()
  const report = (line: string) => console.error(line)
  const commits = await Commits.open(openSession(directory, Date.now), {
    // One for each manner on the wire, and this one.
    threads: manners.length + 1,
    clock: Date.now,
    onKeyTable: () => {},
    report,
    onImbalance: report,
  })
  commits.start(commitWindowMs)
  return { snapshot, commits, key }
}

/** The two cheapest requests there are, where charging weighs most: an owner, a topic's first ten. */
function targetsOf({ catalog }: Served): Readonly<Record<string, string>> {
  const { sections, counts } = catalog
  const handles = { text: sections['handle.text'], ends: sections['handle.ends'] }
  const topics = { text: sections['topic-key.text'], ends: sections['topic-key.ends'] }
  const keys = Array.from({ length: counts.handles }, (_, entry) => textAt(handles, entry))
  const owned = keys.find((key) => catalog.ownersOf({ platform: undefined, key }).length > 0)
  return {
    match: `/api/v1/match?handle=${encodeURIComponent(owned!)}`,
    search: `/api/v1/index?query=${encodeURIComponent(textAt(topics, 0))}`,
  }
}

async function inProcess(
  { commits, key }: Shop,
  served: Served,
  target: string,
  plan: { readonly rounds: number; readonly requests: number },
): Promise<Round<Manner>[]> {
  const keyring = new Keyring(Date.now)
  keyring.replace(commits.keyTable)
  const reservations = new Reservations(
    keyring,
    new ThreadBalances(commits.shared, manners.length),
    prices,
  )
  const apis = eachManner((manner) => apiOf(manner, served, reservations))
  const [path = '', query = ''] = target.split('?')
  const request = { method: 'GET', path, query, authorization: `Bearer ${key}` }
  return roundsOf(manners, plan.rounds, (manner) => {
    const api = apis[manner]
    const startedMs = performance.now()
    for (let done = 0; done < plan.requests; done += 1) {
      const reply = api.answer(request)
      if (reply.status !== 200) throw new Error(`answered with ${reply.status}`)
      api.written(reply)
    }
    return plan.requests / ((performance.now() - startedMs) / 1000)
  })
}

async function onTheWire(
  shop: Shop,
  target: string,
  plan: { readonly rounds: number; readonly seconds: number },
  children: Children,
): Promise<Round<Manner>[]> {
  const file = join(children.directory, 'targets')
  writeFileSync(file, `${target}\n`)
  const cores = divideCores()?.generator
  const load = wrkLoad(children, cores) ?? ownLoad(children, cores)
  const servers = eachManner((manner) => startServer(shop, manner))
  try {
    const { seconds } = plan
    const order = { key: shop.key, file, offset: 0, connections, depth: 1, pauseMs: 0, seconds }
    return await roundsOf(manners, plan.rounds, (manner) =>
      throughput(servers[manner], load, order),
    )
  } finally {
    await Promise.all(manners.map((manner) => servers[manner].end()))
  }
}

function startServer({ snapshot, commits }: Shop, manner: Manner): WorkerServer {
  const balances = commits.shared
  const place = manners.indexOf(manner)
  const start: ChargingStart = {
    manner,
    snapshot,
    balances,
    place,
    keyTable: commits.keyTable,
    prices,
  }
  return startWorkerServer(new URL('./charging-thread.ts', import.meta.url), start)
}

function eachManner<T>(make: (manner: Manner) => T): Record<Manner, T> {
  return { free: make('free'), silent: make('silent'), charged: make('charged') }
}

/** What the rounds of one route in one layer say. */
export function rowsOf(
  layer: CostRow['layer'],
  route: string,
  rounds: readonly Round<Manner>[],
): CostRow[] {
  const row = (cost: CostRow['cost'], without: Manner, target: number): CostRow => ({
    layer,
    route,
    cost,
    perSecondWithout: median(rounds.map((round) => round[without])),
    perSecondWith: median(rounds.map((round) => round.charged)),
    ...ratiosOf(rounds, 'charged', without),
    ratioTarget: layer === 'wire' ? target : undefined,
  })
  return [row('charging', 'free', 0.95), row('its two headers', 'silent', 0.98)]
}

/** The rows as a table. */
export function report(rows: readonly CostRow[]): string[] {
  return table(
    ['layer', 'route', 'cost of', 'without /s', 'with /s', 'ratio', 'least', 'most', 'target'],
    rows.map((row) => [
      row.layer,
      row.route,
      row.cost,
      row.perSecondWithout.toFixed(0),
      row.perSecondWith.toFixed(0),
      row.ratioMedian.toFixed(3),
      row.ratioLeast.toFixed(3),
      row.ratioMost.toFixed(3),
      row.ratioTarget?.toFixed(2) ?? '-',
    ]),
  )
}

if (isMain(import.meta.url)) {
  const size = process.argv.includes('--full') ? 'full' : 'tiny'
  await untilInterrupted(async (signal) => {
    for (const line of report(await run({ size, signal }))) console.log(line)
  })
}
