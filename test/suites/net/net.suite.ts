/**
 * The net: two builds of the program answer the same. `AUTHORITY_INDEX_BEFORE` names a checkout with
 * `dist/`; without it this build is compared with itself, in small, so that the net cannot rot.
 * `NET_RUNS` is the number of sessions, `NET_SEED` the seed that repeats a run; AUTHORITY_INDEX_AFTER
 * names another checkout in the place of this one.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routeNames } from '../../../src/operations.ts'
import { readPointer } from '../../../src/snapshot/store/directory.ts'
import { announceNext, dayMs } from '../../support/announced.ts'
import { snapshotOf } from '../../support/built.ts'
import { smallSources } from '../../support/records.ts'
import type { Ask } from './asks.ts'
import {
  buildsOf,
  chargesOf,
  type Keys,
  makeLedger,
  type NetService,
  startNetService,
} from './builds.ts'
import { DifferenceError, isSame, Pair, type Seen } from './comparison.ts'
import { intended } from './intended.ts'
import { allowedOrigin, requests } from './requests.ts'
import { listSessions, rareSessions, sessions } from './sessions.ts'
import { defaultVocabulary, smallVocabulary } from './vocabulary.ts'

const { before, after, isSelf } = buildsOf(process.env)
const runs = Number(process.env.NET_RUNS ?? (isSelf ? 400 : 5_000))
const seed = Number(process.env.NET_SEED ?? 1)

/** All prices differ, so that a charge shows which price was taken. */
const prices = {
  search: '0.0011',
  detail: '0.0013',
  peers: '0.0017',
  match: '0.0019',
  rank: '0.0007',
  autocomplete: '0.0002',
  changes: '0.0023',
  history: '0.0029',
}
const common = [
  ...Object.entries(prices).flatMap(([route, price]) => [`--price-${route}`, price]),
  ...['--explorer', 'on', '--cors-origins', allowedOrigin, '--mcp-origins', allowedOrigin],
  ...['--log-level', 'warn', '--poll-interval', '3600'],
]
const unlimited = ['--lookup-rate-limit', '0', '--failed-key-limit', '0']
const limited = ['--rate-limit', '1', '--rate-burst', '1', '--lookup-rate-limit', '1'].concat([
  '--failed-key-limit',
  '1',
])

const directory = mkdtempSync(join(tmpdir(), 'net-'))
const seen: Seen = new Map()
const open: NetService[] = []
const history = join(directory, 'history')
let historyIds: readonly string[]
let keys: Keys

async function startPair(name: string, snapshots: string, words: readonly string[]): Promise<Pair> {
  const from = { ledger: join(directory, 'ledger'), snapshots }
  const place = (side: string) => join(directory, name, side)
  const services = await Promise.all([
    startNetService(before, place('before'), from, [...common, ...words]),
    startNetService(after, place('after'), from, [...common, ...words]),
  ])
  open.push(...services)
  return new Pair(services[0], services[1], keys, seen)
}

/** A directory with the history of some snapshots; returns their ids. */
function makeHistory(target: string): string[] {
  const sources = fc.sample(smallSources, { seed: 26, numRuns: 9 })
  const today = Math.floor(Date.now() / dayMs) * dayMs
  const snapshots = sources.map((records) => snapshotOf(records))
  for (const [day, snapshot] of snapshots.entries()) {
    announceNext(target, snapshots[day - 1], snapshot, today - (snapshots.length - day) * dayMs)
  }
  return snapshots.map(({ header }) => header.id)
}

/** Asks one session after the other; on a difference fails with the shortest session that shows it. */
async function hold(
  arbitrary: fc.Arbitrary<readonly Ask[]>,
  numRuns: number,
  compare: (session: readonly Ask[]) => Promise<void>,
): Promise<void> {
  const examples = rareSessions.map((session): [readonly Ask[]] => [session])
  const parameters = { seed, numRuns, examples }
  const details = await fc.check(fc.asyncProperty(arbitrary, compare), parameters)
  if (!details.failed) return
  const { errorInstance, numRuns: run, numShrinks } = details
  const text = errorInstance instanceof DifferenceError ? errorInstance.message : errorInstance
  throw new Error(`seed ${seed}, session ${run}, ${numShrinks} times shrunk\n${text}`)
}

function report(title: string, pair: Pair, startedMs: number): void {
  const seconds = (performance.now() - startedMs) / 1_000
  const rate = Math.round(pair.compared / seconds)
  console.info(`${title}: ${pair.compared} requests in ${seconds.toFixed(1)} s, ${rate} a second`)
}

/** Routes that never answered with a status. */
function routesWithout(status: number): string[] {
  const names = routeNames.map((name) => (name === 'snapshot' ? 'snapshots/{id}' : name))
  const rows = [...seen.keys()]
  return names
    .map((name) => (name === 'search' ? 'index' : name))
    .filter((name) => !rows.some((row) => row.endsWith(` /api/v1/${name} ${status}`)))
}

beforeAll(async () => {
  if (isSelf) console.info('AUTHORITY_INDEX_BEFORE is not set: this build is compared with itself')
  for (const { reason } of intended) console.info(`intended: ${reason}`)
  historyIds = makeHistory(history)
  keys = await makeLedger(join(directory, 'ledger'))
})

afterAll(async () => {
  await Promise.all(open.map(({ stop }) => stop()))
  rmSync(directory, { recursive: true, force: true })
})

/** Ends the services of a pair and compares what every account was charged. */
async function compareCharges(pair: Pair): Promise<void> {
  pair.close()
  await Promise.all(pair.services.map(({ stop }) => stop()))
  const [one, other] = await Promise.all(pair.services.map(chargesOf))
  expect(JSON.stringify(one)).toContain('"search"')
  expect(other).toEqual(one)
}

describe('two builds', () => {
  it('answer the same from the default snapshot, and charge the same', async () => {
    const snapshots = join(before.root, 'snapshots')
    const id = readPointer(snapshots, 'CURRENT') ?? ''
    const pair = await startPair('default', snapshots, unlimited)
    const startedMs = performance.now()
    const words = defaultVocabulary(before, id)
    await hold(sessions(words), Math.ceil(runs * 0.7), (session) => pair.compare(session))
    report('default snapshot', pair, startedMs)
    await compareCharges(pair)
  })

  it('answer the same from a history of small snapshots, and charge the same', async () => {
    const words = smallVocabulary(historyIds)
    const pair = await startPair('small', history, unlimited)
    const startedMs = performance.now()
    await hold(listSessions(words), Math.ceil(runs * 0.3), (session) => pair.compare(session))
    report('history', pair, startedMs)
    await compareCharges(pair)
  })

  it('refuse the same to an account and an address that ask too often', async () => {
    const pair = await startPair('limited', history, limited)
    const words = smallVocabulary(historyIds)
    const session = requests(words).map((ask) => [ask])
    const startedMs = performance.now()
    await hold(session, Math.ceil(runs / 10), (each) => compareLimited(pair, each))
    report('limits', pair, startedMs)
    pair.close()
  })

  it('were asked every operation with success, and met every status', () => {
    console.info(
      [...seen]
        .map(([row, count]) => `${row}: ${count}`)
        .sort()
        .join('\n'),
    )
    expect(routesWithout(200)).toEqual([])
    expect(routesWithout(400)).toEqual([])
    expect(routesWithout(401)).toEqual([])
    const statuses = new Set([...seen.keys()].map((row) => Number(row.split(' ').at(-1))))
    const wanted = [200, 204, 304, 400, 401, 402, 403, 404, 405, 410, 413, 415, 429]
    expect(wanted.filter((status) => !statuses.has(status))).toEqual([])
  })
})

/** Uses up the limits of the rich account, so that its next request exceeds them. */
async function drain(pair: Pair): Promise<void> {
  const headers = [['Authorization', 'Bearer {key:rich}']] as const
  for (const target of ['/api/v1/index?query=rust', '/api/v1/topics']) {
    for (let isLeft = true; isLeft; ) {
      const both = await pair.both([{ method: 'GET', target, headers }])
      isLeft = both.flat().some(({ status }) => status !== 429)
    }
  }
}

/** Longer than a limit of a second takes to refill. */
const refillMs = 1_200

/**
 * Limits refill with time, and the builds are asked at moments that lie apart, on a busy machine by much: where a limit
 * refills between them, one build refuses what the other answers. So a difference counts only if five attempts show
 * it, and each of these begins when all limits of a second are full: the next refill is then a second away.
 */
async function compareLimited(pair: Pair, session: readonly Ask[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await drain(pair)
    try {
      return await pair.compare(session)
    } catch (error) {
      if (tries === 5 || !(error instanceof DifferenceError)) throw error
      const { before: one, after: other } = error.difference
      if (isSame(withoutState(one), withoutState(other))) return
      await sleep(refillMs)
    }
  }
}

/** An answer without the state of a limit and of the balance, which depend on time here. */
function withoutState<T extends { readonly head: readonly string[] }>(answer: T): T {
  const head = answer.head.map((line) => {
    return /^(?:RateLimit|Retry-After|X-Balance-Usd):/.test(line) ? line.replace(/\d+/g, '0') : line
  })
  return { ...answer, head }
}
