/**
 * A ledger of many accounts in PostgreSQL, and one node over it: the built program, a process of its own. Each customer
 * asks once until the answer comes (a node that does not hold an account fetches it, and answers 503 until it has),
 * then again. Afterwards the sums of the database must be those of the answers. Times are processor time.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { withAdministration } from '../../src/ledger/open-administration.ts'
import { cpuSeconds, residentBytes } from '../../test/support/processes/proc.ts'
import { FleetNode } from '../../test/support/servers/node.ts'
import {
  ask,
  type PostgresqlServer,
  startPostgresql,
} from '../../test/support/servers/postgresql-server.ts'
import { sizesIn } from '../scale/bench.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { type Columns, table } from '../shared/report.ts'
import { fill } from './fill.ts'

const plans = {
  tiny: { sizes: [70_000], customers: 20 },
  full: { sizes: [100_000, 1_000_000, 10_000_000], customers: 1_000 },
} as const

const priceMicroUsd = 1_000

/** What was measured with a number of accounts. */
interface AccountsRow {
  readonly accounts: number
  readonly databaseBytes: number
  readonly startCpuSeconds: number
  readonly startedBytes: number
  readonly customers: number
  /** Answers 503 before each customer had its first 200, of all together. */
  readonly waits: number
  /** Of the node, for each first answer, and for each later one. */
  readonly firstCpuMs: number
  readonly laterCpuMs: number
  readonly sellingBytes: number
  /** What the node sold, and what the database has charged. */
  readonly soldMicroUsd: number
  readonly chargedMicroUsd: number
  /** What accounts and leases hold more or less than the journal says, which is nothing. */
  readonly differenceMicroUsd: number
}

/** The bench, as commands run it. */
export const accountsBench: Bench = {
  name: 'accounts',
  flags: ['sizes'],
  run: async (options) => {
    const rows = await run(options)
    const wrong = rows.filter(
      (row) => row.soldMicroUsd !== row.chargedMicroUsd || row.differenceMicroUsd !== 0,
    )
    const problems = wrong.map(({ accounts }) => `${accounts} accounts: the sums do not add up`)
    return { result: { rows }, lines: report(rows), problems }
  },
}

/** Runs the bench at each size of the plan, or at those that are asked for. */
export async function run(options: BenchOptions): Promise<AccountsRow[]> {
  const { sizes, customers } = plans[options.size]
  const asked = sizesIn(options.flags?.sizes)
  const server = await startPostgresql()
  const stop = () => server.stop()
  options.signal.addEventListener('abort', stop, { once: true })
  try {
    const rows: AccountsRow[] = []
    for (const accounts of asked ?? sizes) {
      rows.push(await rowAt(server, accounts, customers, options.report))
    }
    return rows
  } finally {
    options.signal.removeEventListener('abort', stop)
    server.stop()
  }
}

async function rowAt(
  server: PostgresqlServer,
  accounts: number,
  customers: number,
  say: (line: string) => void,
): Promise<AccountsRow> {
  const name = `accounts_${accounts}`
  const ledger = await server.newDatabase(name)
  // Makes the tables.
  await withAdministration({ data: '', ledger, clock: Date.now }, (books) => books.accounts())
  say(`${accounts} accounts: writing them`)
  const keys = await fill(ledger, accounts, customers, randomBytes)
  const [size] = await ask<{ bytes: string }>(
    ledger,
    'select pg_database_size(current_database())::text as bytes',
  )
  const data = await mkdtemp(join(tmpdir(), 'accounts-'))
  say(`${accounts} accounts: a node`)
  const node = await FleetNode.start(ledger, data)
  try {
    const measured = await sellTo(node, keys)
    await node.stop()
    return {
      ...{ accounts, customers, databaseBytes: Number(size!.bytes) },
      ...measured,
      ...(await sumsOf(ledger)),
    }
  } finally {
    await node.stop('SIGKILL')
    rmSync(data, { recursive: true, force: true })
    await ask(server.address, `drop database ${name} with (force)`)
  }
}

/** Every customer asks until it is answered, all at once in tens; then each again. */
async function sellTo(node: FleetNode, keys: readonly string[]) {
  const pid = node.child.pid!
  const [startCpuSeconds, startedBytes] = [cpuSeconds(pid).own, residentBytes(pid).now]
  let waits = 0
  const askAll = async () => {
    const left = [...keys]
    const worker = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) {
        waits += await askUntilAnswered(node, key)
      }
    }
    const before = cpuSeconds(pid).own
    await Promise.all(Array.from({ length: 10 }, worker))
    return ((cpuSeconds(pid).own - before) * 1_000) / keys.length
  }
  const firstCpuMs = await askAll()
  const waitsFirst = waits
  const laterCpuMs = await askAll()
  const measured = { startCpuSeconds, startedBytes, waits: waitsFirst, firstCpuMs, laterCpuMs }
  const soldMicroUsd = 2 * keys.length * priceMicroUsd
  return { ...measured, sellingBytes: residentBytes(pid).now, soldMicroUsd }
}

/** @returns how often the answer was 503. @throws Error for any other answer than 200 and 503. */
async function askUntilAnswered(node: FleetNode, key: string): Promise<number> {
  for (let waits = 0; ; waits += 1) {
    const status = await node.statusOf(key)
    if (status === 200) return waits
    if (status !== 503) throw new Error(`the node answered ${status}`)
    await sleep(100)
  }
}

/** What was charged, and by how much accounts and leases differ from the journal, once the node has ended. */
async function sumsOf(ledger: string) {
  const [sums] = await ask<{ charged: string; difference: string }>(
    ledger,
    `select (select sum(charged) from account)::text as charged,
       ((select sum(amount) from credit) - (select coalesce(sum(amount), 0) from charge)
         - (select sum(free) from account)
         - (select coalesce(sum(granted - spent), 0) from lease))::text as difference`,
  )
  return {
    chargedMicroUsd: Number(sums!.charged),
    differenceMicroUsd: Number(sums!.difference),
  }
}

const megabyte = 1e6

const columns: Columns<AccountsRow> = {
  accounts: ({ accounts }) => accounts.toLocaleString('en'),
  'database MB': ({ databaseBytes }) => (databaseBytes / megabyte).toFixed(0),
  'start, CPU s': ({ startCpuSeconds }) => startCpuSeconds.toFixed(2),
  'node MB': ({ startedBytes }) => (startedBytes / megabyte).toFixed(0),
  customers: ({ customers }) => customers.toLocaleString('en'),
  '503 before the first 200': ({ waits, customers }) => (waits / customers).toFixed(2),
  'first answer, CPU ms': ({ firstCpuMs }) => firstCpuMs.toFixed(2),
  'later, CPU ms': ({ laterCpuMs }) => laterCpuMs.toFixed(2),
  'node selling MB': ({ sellingBytes }) => (sellingBytes / megabyte).toFixed(0),
  'sold USD': ({ soldMicroUsd }) => (soldMicroUsd / 1e6).toFixed(2),
  'charged USD': ({ chargedMicroUsd }) => (chargedMicroUsd / 1e6).toFixed(2),
}

/** The table of all. */
function report(rows: readonly AccountsRow[]): string[] {
  return table(rows, columns)
}
