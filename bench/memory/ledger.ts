/**
 * A ledger by the number of its accounts: what opening it takes, and what commits take of the main thread for each
 * charged request. Accounts are written by SQL, each with 50 USD, one credit and one key.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { keyHash, newKeyText } from '../../src/ledger/books/key.ts'
import { withAdministration } from '../../src/ledger/books/open-books.ts'
import { ledgerFileName } from '../../src/ledger/sql/sqlite/held-file.ts'
import { sqlite } from '../../src/process/sqlite.ts'
import { getRequest } from '../../test/support/processes/answer-reader.ts'
import { Children } from '../../test/support/processes/children.ts'
import { Connection } from '../../test/support/processes/connection.ts'
import { cpuSeconds, residentBytes } from '../../test/support/processes/proc.ts'
import { startService } from '../../test/support/processes/service.ts'
import type { BenchOptions } from '../shared/bench.ts'
import type { Columns } from '../shared/report.ts'

export interface LedgerRow {
  readonly accounts: number
  readonly fileBytes: number
  readonly startSeconds: number
  readonly startCpuSeconds: number
  readonly startBytes: number
  readonly requests: number
  /** Processor time of the main thread, which commits, for each request that was charged. */
  readonly mainThreadUs: number
}

const openedMicroUsd = 50_000_000
const customers = 100
const seconds = { tiny: 0.3, full: 10 } as const

/** @throws Error where the books differ from what was sold. */
export async function ledgerRow(
  accounts: number,
  { size, signal, report: say }: BenchOptions,
): Promise<LedgerRow> {
  const children = new Children(signal)
  const data = join(children.directory, 'data')
  mkdirSync(data)
  try {
    say(`${accounts} accounts: writing them`)
    const keys = await fill(data, accounts)
    say(`${accounts} accounts: a service`)
    const startedAt = performance.now()
    const words = ['--threads', '1', '--data', data, '--snapshots', 'snapshots']
    const { child, port } = await startService(children, words)
    const startSeconds = (performance.now() - startedAt) / 1000
    const pid = child.process.pid!
    const startCpuSeconds = cpuSeconds(pid).own
    const startBytes = residentBytes(pid).now
    const before = mainThreadSeconds(pid)
    const requests = await sell(port, keys, seconds[size])
    // The last window is committed within 100 ms.
    await new Promise((resolve) => setTimeout(resolve, 300))
    const mainThreadUs = ((mainThreadSeconds(pid) - before) * 1e6) / requests
    await child.stop()
    const charged = chargedIn(data)
    if (charged !== requests) throw new Error(`${charged} of ${requests} are charged`)
    const fileBytes = statSync(join(data, ledgerFileName)).size
    const start = { startSeconds, startCpuSeconds, startBytes }
    return { accounts, fileBytes, ...start, requests, mainThreadUs }
  } finally {
    await children.close()
  }
}

/** @returns the keys of the customers. */
async function fill(data: string, accounts: number): Promise<string[]> {
  const place = { data, ledger: null, clock: Date.now, create: true }
  await withAdministration(place, (books) => books.accounts())
  const keys = Array.from({ length: Math.min(customers, accounts) }, () => newKeyText())
  const Database = sqlite().DatabaseSync
  const database = new Database(join(data, ledgerFileName))
  const run = (sql: string) => database.exec(sql)
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${accounts})`
  const now = Date.now()
  run('begin')
  run(`insert into account (id, name, created_ms, credited, charged, free, credit_count, changed, recalled)
    ${numbers} select n, 'account-' || n, ${now}, ${openedMicroUsd}, 0, ${openedMicroUsd}, 1, 1, 0 from numbers`)
  run(`insert into credit (account, n, at_ms, kind, amount)
    ${numbers} select n, 1, ${now}, 'opening', ${openedMicroUsd} from numbers`)
  run(`insert into api_key (id, account, created_ms, terms, changed)
    ${numbers} select 'key_' || printf('%010d', n), n, ${now}, '{}', 0 from numbers`)
  run(`insert into key_secret (hash, key_id, created_ms)
    ${numbers} select printf('%064x', n), 'key_' || printf('%010d', n), ${now} from numbers`)
  for (const [at, key] of keys.entries()) {
    const id = `key_${String(at + 1).padStart(10, '0')}`
    run(`update key_secret set hash = '${keyHash(key)}' where key_id = '${id}'`)
  }
  run('commit')
  database.close()
  // What the writing left to be written is no part of a start.
  const file = openSync(join(data, ledgerFileName), 'r')
  fsyncSync(file)
  closeSync(file)
  return keys
}

function chargedIn(data: string): number {
  const Database = sqlite().DatabaseSync
  const database = new Database(join(data, ledgerFileName))
  const [sum] = database.prepare('select sum(queries) as queries from charge').all()
  database.close()
  return Number(sum!.queries)
}

/** @returns how many requests were answered with 200 until the time was over. */
async function sell(port: number, keys: readonly string[], forSeconds: number): Promise<number> {
  const endMs = performance.now() + forSeconds * 1000
  const sold = await Promise.all(
    keys.map(async (key) => {
      const connection = await Connection.open(port)
      let count = 0
      while (performance.now() < endMs) {
        const answer = await connection.ask(getRequest('/api/v1/index?query=rust', key))
        if (answer?.status !== 200) throw new Error(`answered with ${answer?.status}`)
        count += 1
      }
      connection.close()
      return count
    }),
  )
  return sold.reduce((sum, count) => sum + count, 0)
}

function mainThreadSeconds(pid: number): number {
  const [ns = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
  return Number(ns) / 1e9
}

export const ledgerColumns: Columns<LedgerRow> = {
  accounts: ({ accounts }) => accounts.toLocaleString('en'),
  'file MB': ({ fileBytes }) => (fileBytes / 1e6).toFixed(0),
  'start s': ({ startSeconds }) => startSeconds.toFixed(2),
  'start CPU s': ({ startCpuSeconds }) => startCpuSeconds.toFixed(2),
  'service MB': ({ startBytes }) => (startBytes / 1e6).toFixed(0),
  'requests charged': ({ requests }) => requests.toLocaleString('en'),
  'main thread, µs a request': ({ mainThreadUs }) => mainThreadUs.toFixed(1),
}
