/**
 * Two builds of the program. Each makes its own ledger and its own snapshots from common sources, by its own commands
 * and at the same times of a clock that stands still, and serves them with the settings that it knows. Keys and the
 * ids of snapshots are a build's own: the net asks and compares by names.
 */
import { join, resolve } from 'node:path'
import { dayMs } from '../../support/announced.ts'
import { type Ended, run, serve } from '../../support/program.ts'
import type { Values } from './asks.ts'

/** A checkout with `dist/`. */
interface Build {
  readonly name: 'before' | 'after'
  readonly root: string
}

const own = resolve(import.meta.dirname, '..', '..', '..')

export const before: Build = {
  name: 'before',
  root: resolve(process.env.AUTHORITY_INDEX_BEFORE ?? own),
}

export const after: Build = { name: 'after', root: own }

const entryOf = ({ root }: Build) => join(root, 'dist', 'main.js')

/** Runs a command to its end while the clock stands at a time, and returns the JSON that it prints. */
async function runAt(build: Build, timeMs: number, words: readonly string[]): Promise<unknown> {
  const nodeWords = ['--import', `data:text/javascript,Date.now=()=>${timeMs}`]
  const surroundings = { entry: entryOf(build), nodeWords }
  const { exitCode, stdout, stderr } = await run([...words, '--json'], surroundings)
  if (exitCode !== 0) throw new Error(`${build.name}: ${words.join(' ')}: ${stderr}`)
  return JSON.parse(stdout)
}

/** Settings by flag; that of a flag without a value is empty. */
export type Flags = Readonly<Record<string, string>>

/** Those settings, as words of a command line, that the help of a build's command names. */
async function wordsOf(build: Build, command: string, flags: Flags): Promise<string[]> {
  const { stdout } = await run([command, '--help'], { entry: entryOf(build) })
  return Object.entries(flags)
    .filter(([flag]) => stdout.includes(`  ${flag} `))
    .flatMap(([flag, value]) => (value === '' ? [flag] : [flag, value]))
}

/** The accounts by name, which is also that of their key: the credit of each in USD. */
const creditsUsd = {
  rich: '1000000',
  thin: '1',
  broke: '0.0005',
  suspended: '100',
  revoked: '100',
  expired: '100',
}
const accounts = Object.keys(creditsUsd)

const midnightMs = Math.floor(Date.now() / dayMs) * dayMs
const daysAgo = (days: number) => midnightMs - days * dayMs

/** Makes a ledger with every account and a key for each; returns the keys under `key:NAME`. */
async function makeLedger(build: Build, data: string): Promise<Values> {
  const keys: Record<string, string> = {}
  const command = (...words: string[]) => runAt(build, daysAgo(20), [...words, '--data', data])
  for (const [account, creditUsd] of Object.entries(creditsUsd)) {
    await command('account', 'create', account, '--opening-credit', '0')
    await command('account', 'top-up', account, creditUsd, '--reference', account)
    const life = account === 'expired' ? ['--expires', '1s'] : []
    const issued = await command('key', 'issue', '--account', account, ...life)
    const { key, key_id: id } = issued as { key: string; key_id: string }
    keys[`key:${account}`] = key
    if (account === 'revoked') await command('key', 'revoke', id)
    if (account === 'suspended') await command('admin', 'suspendAccount', `account=${account}`)
  }
  return keys
}

/** How a sync takes any source, and keeps every snapshot. */
const anySource = {
  '--gate': 'reject-share-max=1,file-reject-share-max=1,dangling-share-max=1',
  '--trust': 'weights,topics,connections',
  '--keep': '99',
}

/** Syncs sources one after the other, a day apart until yesterday; returns the ids of the snapshots by their names. */
async function makeSnapshots(build: Build, snapshots: string, sources: readonly string[]) {
  const more = await wordsOf(build, 'sync', anySource)
  const ids: Record<string, string> = {}
  for (const [place, source] of sources.entries()) {
    const words = ['sync', '--source', source, '--snapshots', snapshots, '--force', ...more]
    const synced = await runAt(build, daysAgo(sources.length - place), words)
    ids[snapshotName(place)] = (synced as { id: string }).id
  }
  return ids
}

/**
 * The name by which the net asks for a snapshot and compares what has its id: that of the source with this place. It
 * has the form of an id, so that a request may spell it in any way; an unusual spelling names no snapshot anywhere.
 */
export function snapshotName(place: number): string {
  return `5eed${String(place).padStart(12, '0')}`.padEnd(32, '0')
}

export interface Home {
  readonly build: Build
  readonly data: string
  readonly keys: Values
  /** The directory of snapshots of some sources, and their ids by name; made once. */
  readonly snapshotsOf: (
    name: string,
    sources: readonly string[],
  ) => Promise<{ readonly directory: string; readonly ids: Values }>
}

export async function makeHome(build: Build, directory: string): Promise<Home> {
  const data = join(directory, 'ledger')
  const made = new Map<string, Promise<Values>>()
  const snapshotsOf: Home['snapshotsOf'] = async (name, sources) => {
    const snapshots = join(directory, name)
    if (!made.has(name)) made.set(name, makeSnapshots(build, snapshots, sources))
    return { directory: snapshots, ids: await made.get(name)! }
  }
  return { build, data, keys: await makeLedger(build, data), snapshotsOf }
}

/** What accounts were credited and charged, by day and route, as the build's own command prints it. */
export async function statementsOf({ build, data }: Home): Promise<unknown[]> {
  const statements: unknown[] = []
  for (const account of accounts) {
    const words = ['admin', 'getStatement', `account=${account}`, '--data', data]
    statements.push(await runAt(build, midnightMs, words))
  }
  return statements
}

export interface NetService {
  readonly port: number
  readonly values: Values
  readonly stop: () => Promise<Ended>
}

export async function startNetService(
  { build, data, keys }: Home,
  { directory, ids }: Awaited<ReturnType<Home['snapshotsOf']>>,
  flags: Flags,
): Promise<NetService> {
  const places = ['--data', data, '--snapshots', directory]
  const words = [...places, ...(await wordsOf(build, 'serve', flags))]
  const { port, stop } = await serve(words, { entry: entryOf(build) })
  return { port, values: { ...keys, ...ids }, stop }
}
