/**
 * What charging costs: the throughput of the same requests free, charged, and charged without the
 * headers that tell of it, in one run. In process it is what the steps of the API cost; on the wire,
 * where each manner has a server thread of its own with the hot path and a teller writes the
 * charges, it is how many more requests the same processor would answer. Rounds are interleaved; a
 * cost is the median of their ratios.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareAtOnce, type Served } from '../../src/api/served.ts'
import { createAccount, topUp } from '../../src/ledger/books/accounts.ts'
import { issueKey } from '../../src/ledger/books/keys.ts'
import { openTeller, type Teller } from '../../src/ledger/live/commits.ts'
import { Keyring } from '../../src/ledger/live/keyring.ts'
import { Reservations } from '../../src/ledger/live/reservations.ts'
import { microUsdPerUsd } from '../../src/money.ts'
import type { Prices } from '../../src/operations.ts'
import type { Snapshot } from '../../src/snapshot/file.ts'
import type { Bench, BenchOptions, BenchSize } from '../shared/bench.ts'
import { benchData, loadAnnounced, textsOf, topicTexts } from '../shared/data/data.ts'
import { startLoad } from '../shared/load/load.ts'
import { Children } from '../shared/processes/children.ts'
import { divideCores } from '../shared/processes/cores.ts'
import {
  startWorkerServer,
  throughput,
  type WorkerServer,
} from '../shared/processes/worker-server.ts'
import { table } from '../shared/report.ts'
import { median, type Ratios, type Round, ratiosOf, roundsOf } from '../shared/rounds.ts'
import { apiOf, type Manner, manners } from './charged-api.ts'
import type { ChargingStart } from './charging-thread.ts'

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
  readonly teller: Teller
  readonly key: string
}

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
  const plan = sizes[size]
  const children = new Children(signal)
  try {
    const snapshot = loadAnnounced((await benchData(plan.authorities, directory)).snapshots)
    const shop = openShop(snapshot, join(children.directory, 'data'))
    try {
      const served = prepareAtOnce(snapshot)
      const targets = Object.entries(targetsOf(snapshot, served)).slice(0, plan.routes)
      const rows: CostRow[] = []
      for (const [route, target] of targets) {
        rows.push(...rowsOf('process', route, await inProcess(shop, served, target, plan)))
        rows.push(
          ...rowsOf('wire', route, await onTheWire(shop, target, { ...plan, size }, children)),
        )
      }
      return rows
    } finally {
      await shop.teller.close()
    }
  } finally {
    await children.close()
  }
}

function openShop(snapshot: Snapshot, directory: string): Shop {
  const report = (line: string) => console.error(line)
  const teller = openTeller({ directory, clock: Date.now, prices, onKeyTable: () => {}, report })
  createAccount(teller.environment, 'bench')
  topUp(teller.environment, 'bench', balanceMicroUsd, 'bench')
  const order = { account: 'bench', label: null, expiresAtMs: null }
  const { text: key } = issueKey(teller.environment, order)
  teller.follow()
  teller.start(commitWindowMs)
  return { snapshot, teller, key }
}

/** The two cheapest requests there are, where charging weighs most: an owner, a topic's first ten. */
function targetsOf(snapshot: Snapshot, { catalog }: Served): Readonly<Record<string, string>> {
  const owned = textsOf(snapshot.sections, 'handle').find(
    (key) => catalog.ownersOf({ platform: undefined, key }).length > 0,
  )
  return {
    match: `/api/v1/match?handle=${encodeURIComponent(owned!)}`,
    search: `/api/v1/index?query=${encodeURIComponent(topicTexts(snapshot).labels[0]!)}`,
  }
}

async function inProcess(
  { teller, key }: Shop,
  served: Served,
  target: string,
  plan: { readonly rounds: number; readonly requests: number },
): Promise<Round<Manner>[]> {
  const keyring = new Keyring(Date.now)
  keyring.replace(teller.keyTable)
  const till = new Reservations(keyring, teller.balances, prices)
  const apis = eachManner((manner) => apiOf(manner, served, till))
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
  plan: { readonly rounds: number; readonly seconds: number; readonly size: BenchSize },
  children: Children,
): Promise<Round<Manner>[]> {
  const file = join(children.directory, 'targets')
  writeFileSync(file, `${target}\n`)
  const load = startLoad(children, plan.size, divideCores()?.generator)
  const servers = eachManner((manner) => startServer(shop, manner))
  try {
    const { seconds } = plan
    const order = { key: shop.key, file, offset: 0, connections, depth: 1, seconds }
    return await roundsOf(manners, plan.rounds, (manner) =>
      throughput(servers[manner], load, order),
    )
  } finally {
    await Promise.all(manners.map((manner) => servers[manner].end()))
  }
}

function startServer({ snapshot, teller }: Shop, manner: Manner): WorkerServer {
  const balances = teller.shared
  const start: ChargingStart = { manner, snapshot, balances, keyTable: teller.keyTable, prices }
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
