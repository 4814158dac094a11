/**
 * Two builds of the program, started with equal settings over equal snapshots and equal ledgers. All
 * services of one run have the same keys: one ledger is made, and every service gets a copy. Nothing is left when the run is over.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { balanceOf } from '../../../src/ledger/account-records.ts'
import { withAdministration } from '../../../src/ledger/open-administration.ts'
import { type Ended, endOf } from '../../support/program.ts'

/** A checkout with `dist/`. */
export interface Build {
  readonly name: 'before' | 'after'
  readonly root: string
}

/** This checkout, compared with the one that the environment names or with itself. */
export function buildsOf(environment: Readonly<Record<string, string | undefined>>): {
  readonly before: Build
  readonly after: Build
  readonly isSelf: boolean
} {
  const own = resolve(import.meta.dirname, '..', '..', '..')
  const named = environment.AUTHORITY_INDEX_BEFORE
  const after = environment.AUTHORITY_INDEX_AFTER ?? own
  return {
    before: { name: 'before', root: resolve(named ?? own) },
    after: { name: 'after', root: resolve(after) },
    isSelf: named === undefined,
  }
}

/** The accounts: what each can spend at first, in micro-USD. */
const balancesMicroUsd = {
  rich: 1_000_000_000_000,
  thin: 1_000_000,
  broke: 500,
  suspended: 100_000_000,
  revoked: 100_000_000,
  expired: 100_000_000,
} as const

/** The name of an account, which is the name of its key. */
type AccountName = keyof typeof balancesMicroUsd

/** The names of the accounts. */
const accountNames = Object.keys(balancesMicroUsd) as AccountName[]

/** A key by the name of its account. */
export type Keys = Readonly<Record<AccountName, string>>

/** Makes a ledger with every account and a key for each. */
export async function makeLedger(data: string): Promise<Keys> {
  const place = { data, ledger: null, clock: Date.now, create: true }
  const keys: Partial<Record<AccountName, string>> = {}
  await withAdministration(place, async (books) => {
    for (const account of accountNames) {
      const opening = balanceOf(await books.createAccount(account))
      const amountMicroUsd = balancesMicroUsd[account] - opening
      await books.adjust(account, { amountMicroUsd, reference: account, reason: 'the net' })
      const expiresAtMs = account === 'expired' ? Date.now() + 1 : null
      const { text, record } = await books.issueKey({ account, label: null, expiresAtMs })
      if (account === 'revoked') await books.revokeKey(record.id)
      keys[account] = text
    }
    await books.suspend('suspended')
  })
  return keys as Keys
}

/** What accounts were charged for each route, in micro-USD and queries, once no service runs. */
export function chargesOf({ data }: NetService): Promise<unknown> {
  const place = { data, ledger: null, clock: Date.now }
  return withAdministration(place, (books) =>
    Promise.all(accountNames.map(async (name) => withoutTimes(await books.statementOf(name)))),
  )
}

/** Rows of the journal come with the clock, too, and the chain of digests with the rows. */
function withoutTimes(statement: unknown): unknown {
  const isTime = (name: string) => /[aA]tMs$|^day$|^rows$|^chain$/.test(name)
  return JSON.parse(JSON.stringify(statement, (name, value) => (isTime(name) ? undefined : value)))
}

function start(build: Build, words: readonly string[]): ChildProcess {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(AUTHORITY_INDEX_|NODE_OPTIONS$|VITEST)/.test(name),
  )
  const entry = join(build.root, 'dist', 'main.js')
  return spawn(process.execPath, [entry, ...words], { env: Object.fromEntries(kept) })
}

/** A service of one build. */
export interface NetService {
  readonly build: Build
  readonly port: number
  readonly data: string
  /** Ends the service as an operator does. */
  readonly stop: () => Promise<Ended>
}

/** Starts a service over copies of a ledger and of a snapshot directory. */
export async function startNetService(
  build: Build,
  directory: string,
  from: { readonly ledger: string; readonly snapshots: string },
  words: readonly string[],
): Promise<NetService> {
  const data = join(directory, 'data')
  const snapshots = join(directory, 'snapshots')
  cpSync(from.ledger, data, { recursive: true })
  cpSync(from.snapshots, snapshots, { recursive: true })
  const places = ['--data', data, '--snapshots', snapshots, '--port', '0', '--threads', '1']
  const child = start(build, ['serve', '--json', ...places, ...words])
  const ended = endOf(child)
  const line = await Promise.race([
    once(createInterface(child.stdout!), 'line').then(([first]) => String(first)),
    ended.then(({ stderr }) => Promise.reject(new Error(`${build.name} ended: ${stderr}`))),
  ])
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { build, port: JSON.parse(line).port, data, stop }
}

/** The records of a checkout's default source, one object a line. */
export function sourceRecords(build: Build, name: string): Record<string, unknown>[] {
  const path = join(build.root, 'snapshots', 'source', `${name}.ndjson`)
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}
