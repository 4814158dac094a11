/** The built service as a process of its own, and commands beside it: what benches start. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { withAdministration } from '../../../src/ledger/books/open-books.ts'
import { topUpMicroUsdMax } from '../../../src/money.ts'
import { routeNames } from '../../../src/operations.ts'
import { readStarted } from '../started.ts'
import type { Child, Children } from './children.ts'

export const program = 'dist/main.js'

export interface Service {
  readonly child: Child
  readonly port: number
  readonly threads: number
  /** The key of the account `default`, where this start made it. */
  readonly key?: string
}

export type KeyedService = Service & { readonly key: string }

/** Starts `serve` with further words on a free port. @throws Error when it ends instead. */
export async function startService(
  children: Children,
  words: readonly string[],
  cores?: string | undefined,
  build = program,
): Promise<Service> {
  if (!existsSync(build)) throw new Error(`${build} is missing: npm run build`)
  const args = [build, 'serve', '--port', '0', '--json', ...words]
  const child = children.start({ name: 'the service', command: process.execPath, args, cores })
  return { child, ...readStarted(await child.firstLine()) }
}

/** The lowest price that is charged; the balance then lasts for a million million queries. */
const priceUsd = '0.000001'

/** With a new ledger and an account that can pay for any bench. */
export async function startRichService(
  children: Children,
  { snapshots, threads, cores, words: more = [] }: RichServiceOptions,
): Promise<KeyedService> {
  const data = mkdtempSync(join(children.directory, 'ledger-'))
  const key = await openAccount(data)
  const prices = routeNames.flatMap((route) => ['--price', `${route}=${priceUsd}`])
  const places = ['--snapshots', snapshots, '--data', data]
  const words = ['--threads', String(threads), ...places, ...prices, ...more]
  return { ...(await startService(children, words, cores)), key }
}

interface RichServiceOptions {
  readonly snapshots: string
  readonly threads: number
  readonly cores?: string | undefined
  readonly words?: readonly string[] | undefined
}

function openAccount(data: string): Promise<string> {
  const place = { data, ledger: null, clock: Date.now, create: true }
  return withAdministration(place, async (books) => {
    await books.createAccount('bench')
    await books.topUp('bench', topUpMicroUsdMax, 'bench')
    return (await books.issueKey({ account: 'bench' })).text
  })
}

/** Ends a program with a signal; when this returns, all it printed has arrived. */
export async function endBy(signal: 'SIGTERM' | 'SIGKILL', { process }: Child): Promise<void> {
  const closed = once(process, 'close')
  process.kill(signal)
  await closed
}

export async function runForJson<T>(words: readonly string[], build = program): Promise<T> {
  const args = [build, ...words, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 << 20 })
  return JSON.parse(stdout)
}
