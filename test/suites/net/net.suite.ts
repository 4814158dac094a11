/**
 * The net: two builds of the program answer the same. `AUTHORITY_INDEX_BEFORE` names a checkout with
 * `dist/`; without it this build is compared with itself, in small, so that the net cannot rot.
 * `NET_RUNS` is the number of sessions, `NET_SEED` the seed that repeats a run.
 */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routeNames } from '../../../src/operations.ts'
import type { Ask } from './asks.ts'
import {
  after,
  before,
  type Flags,
  type Home,
  makeHome,
  type NetService,
  snapshotName,
  startNetService,
  statementsOf,
} from './builds.ts'
import { DifferenceError, Pair, type Seen } from './comparison.ts'
import { intended } from './intended.ts'
import { allowedOrigin } from './requests.ts'
import { listOfTools, listSessions, rareSessions, sessions } from './sessions.ts'
import { writeHistory } from './sources.ts'
import { vocabularyOf } from './vocabulary.ts'

const isSelf = before.root === after.root
const runs = Number(process.env.NET_RUNS ?? (isSelf ? 400 : 5_000))
const seed = Number(process.env.NET_SEED ?? 1)

const directory = mkdtempSync(join(tmpdir(), 'net-'))

/** What both builds serve with. All prices differ, so that a charge shows which price was taken. */
const flags: Flags = {
  '--price':
    'search=0.0011,detail=0.0013,peers=0.0017,match=0.0019,rank=0.0007,autocomplete=0.0002,changes=0.0023,history=0.0029',
  '--threads': '1',
  '--explorer': 'on',
  '--public-url': 'https://net.example',
  '--mcp-search-fetch': '',
  '--cors-origins': allowedOrigin,
  '--mcp-origins': allowedOrigin,
  '--log-level': 'warn',
  '--poll-interval': '3600',
  '--lookup-rate-limit': '0',
  '--failed-key-limit': '0',
}
const seen: Seen = { statuses: new Map(), intended: new Map() }
const defaultSource = join(before.root, 'snapshots', 'source')
const history = writeHistory(join(directory, 'sources'), 9)
const historyWords = vocabularyOf(
  history,
  history.map((_, place) => snapshotName(place)),
)
let homes: readonly [before: Home, after: Home]
let open: NetService[] = []

/** Starts both builds over their snapshots of some sources, once those before have ended. */
async function startServices(name: 'default' | 'history'): Promise<[NetService, NetService]> {
  const sources = name === 'default' ? [defaultSource] : history
  await Promise.all(open.map(({ stop }) => stop()))
  const [one, other] = await Promise.all(
    homes.map(async (home) => {
      const snapshots = await home.snapshotsOf(name, sources)
      return startNetService(home, snapshots, flags)
    }),
  )
  open = [one!, other!]
  return [one!, other!]
}

async function startPair(name: 'default' | 'history'): Promise<Pair> {
  const [one, other] = await startServices(name)
  return new Pair(one, other, seen)
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

function routesWithout(status: number): string[] {
  const names = routeNames.map((name) => (name === 'snapshot' ? 'snapshots/{id}' : name))
  const rows = [...seen.statuses.keys()]
  return names
    .map((name) => (name === 'search' ? 'index' : name))
    .filter((name) => !rows.some((row) => row.endsWith(` /api/v1/${name} ${status}`)))
}

beforeAll(async () => {
  if (isSelf) console.info('AUTHORITY_INDEX_BEFORE is not set: this build is compared with itself')
  homes = await Promise.all([
    makeHome(before, join(directory, 'before')),
    makeHome(after, join(directory, 'after')),
  ])
})

afterAll(async () => {
  await Promise.all(open.map(({ stop }) => stop()))
  rmSync(directory, { recursive: true, force: true })
})

/** Ends the services of a pair and compares what every account was charged. */
async function compareCharges(pair: Pair): Promise<void> {
  await pair.stop()
  const [one, other] = await Promise.all(homes.map(statementsOf))
  expect(JSON.stringify(one)).toContain('"search"')
  expect(other).toEqual(one)
}

describe('two builds', () => {
  it('answer the same from the default source, and charge the same', async () => {
    const pair = await startPair('default')
    const words = vocabularyOf([defaultSource], [snapshotName(0)])
    await hold(sessions(words), Math.ceil(runs * 0.7), (session) => pair.compare(session))
    await compareCharges(pair)
  })

  it('answer the same from a history of small snapshots, and charge the same', async () => {
    const pair = await startPair('history')
    await hold(listSessions(historyWords), Math.ceil(runs * 0.3), (session) =>
      pair.compare(session),
    )
    await compareCharges(pair)
  })

  it('were asked every operation with success, met every status, and every intended difference', () => {
    console.info(
      [...seen.statuses]
        .map(([row, count]) => `${row}: ${count}`)
        .sort()
        .join('\n'),
    )
    expect(routesWithout(200)).toEqual([])
    expect(routesWithout(400)).toEqual([])
    expect(routesWithout(401)).toEqual([])
    const statuses = new Set([...seen.statuses.keys()].map((row) => Number(row.split(' ').at(-1))))
    const wanted = [200, 204, 304, 400, 401, 402, 403, 404, 405, 410, 413, 415, 429]
    expect(wanted.filter((status) => !statuses.has(status))).toEqual([])
    for (const [{ reason }, count] of seen.intended) console.info(`intended: ${reason}: ${count}`)
    if (!isSelf) expect(intended.filter((row) => !seen.intended.has(row))).toEqual([])
  })
})

describe('the net', () => {
  it('fails on one wrong byte of an HTTP answer and of an MCP answer', async () => {
    const [one, other] = await startServices('history')
    const proxy = createServer((client) => {
      const service = connect(other.port, '127.0.0.1')
      client.pipe(service)
      service.setEncoding('latin1').on('data', (text: string) => {
        client.write(text.replace('"topic"', '"tobic"').replace('"tools"', '"tolls"'), 'latin1')
      })
      client.on('close', () => service.destroy())
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const pair = new Pair(one, { ...other, port }, seen)
    const headers = [['Authorization', 'Bearer {key:rich}']] as const
    const get = (target: string): Ask => ({ method: 'GET', target, headers })
    await pair.compare([get('/api/v1/snapshots')])
    await expect(pair.compare([get('/api/v1/topics')])).rejects.toThrow('"tobic"')
    await expect(pair.compare([listOfTools])).rejects.toThrow('"tolls"')
    await pair.stop()
    proxy.close()
  })
})
