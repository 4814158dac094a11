/**
 * All of it: four services that follow a real S3 server and sell from one real PostgreSQL, behind a
 * real proxy with the configuration of `ops/`.
 */
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { announce, publish } from '../../../src/snapshot/store/directory.ts'
import { temporaryDirectory } from '../../support/built.ts'
import {
  askAll,
  type Operated,
  operate,
  peopleNamed,
  targets,
  until,
} from '../../support/operated.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { run } from '../../support/program.ts'
import { withDatabases } from '../../support/servers/ledger-databases.ts'
import {
  canRun,
  type ObjectStorage,
  startObjectStorage,
} from '../../support/servers/object-storage.ts'
import { isPostgresqlInstalled } from '../../support/servers/postgresql-server.ts'
import { isInstalled, startFleetProxy } from '../../support/servers/proxy.ts'
import { expectSameAnswers } from '../../support/servers/proxy-answers.ts'

const canAll = [canRun(), isPostgresqlInstalled(), isInstalled('haproxy')].every((each) => each)
const nodes = 4
const priceUsd = 0.001
const priced = ['search', 'detail', 'peers', 'match']
/** Sells nothing, so that a machine that is busy for seconds is no reason to refuse anything. */
const free = ['--commit-window', '1000', ...priced.flatMap((route) => ['--price', `${route}=0`])]

/** Four services and what a client has of them. */
interface Fleet {
  readonly services: readonly Operated[]
  readonly behind: Pick<Operated, 'address' | 'headers'>
  /** Snapshot id → the word that its names begin with; the first is announced. */
  readonly words: Readonly<Record<string, string>>
  readonly publish: (id: string) => Promise<void>
  readonly restart: (index: number) => Promise<void>
  readonly stop: () => Promise<void>
  /** Micro-USD that the account was charged, as the ledger has it. */
  readonly chargedMicroUsd: () => Promise<number>
}

describe.runIf(canAll)('a fleet of four behind a proxy', () => {
  let storage: ObjectStorage
  const newDatabase = withDatabases('fleet')
  let fleets = 0

  beforeAll(async () => {
    storage = await startObjectStorage()
    Object.assign(process.env, storage.variables)
  }, 300_000)

  afterAll(() => storage?.stop())

  async function command(words: readonly string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await run(words, { variables: storage.variables })
    expect(exitCode, stderr).toBe(0)
    return stdout
  }

  /** @param words of every service, beside those that it has to have. */
  async function newFleet(words: readonly string[] = []): Promise<Fleet> {
    fleets += 1
    await storage.makeBucket(`fleet-${fleets}`)
    const uri = `s3://fleet-${fleets}/people`
    const { ledger } = await newDatabase()
    const { directory, words: wordOfId } = published(['First', 'Second'])
    const push = async (id: string) => {
      await command(['snapshot', 'push', uri, id, '--snapshots', directory])
    }
    await push(Object.keys(wordOfId)[0]!)
    await command(['account', 'create', 'acme', '--ledger', ledger])
    const key = await command(['key', 'issue', '--account', 'acme', '--ledger', ledger])
    const services: Operated[] = []
    const places = Array.from({ length: nodes }, () => temporaryDirectory())
    const ports = await Promise.all(places.map(() => freePort()))
    const prices = priced.flatMap((route) => ['--price', `${route}=${priceUsd}`])
    const start = (index: number) => {
      const place = places[index]!
      const own = ['--port', String(ports[index]), '--data', join(place, 'data')]
      const shared = ['--follow', uri, '--ledger', ledger, '--trusted-proxies', '127.0.0.1']
      const speed = ['--poll-interval', '1', '--threads', '1']
      const all = [...shared, ...speed, ...prices, ...own, ...words]
      return operate(join(place, 'snapshots'), all, { variables: storage.variables })
    }
    // One after the other: the machine is small, and they are many.
    for (const index of places.keys()) services.push(await start(index))
    const proxy = await startFleetProxy(ports)
    onTestFinished(proxy.stop)
    const headers = { authorization: `Bearer ${key.trim()}` }
    const behind = { address: `http://127.0.0.1:${proxy.port}`, headers }
    return {
      services,
      behind,
      words: wordOfId,
      publish: push,
      restart: async (index) => {
        services[index]!.child.kill('SIGKILL')
        await services[index]!.ended
        // As whatever keeps it alive does: a start that fails is followed by another.
        for (let tries = 0; ; tries += 1) {
          try {
            services[index] = await start(index)
            return
          } catch (error) {
            if (tries === 5) throw error
          }
        }
      },
      stop: async () => {
        for (const { child } of services) child.kill('SIGTERM')
        const ends = await Promise.all(services.map(({ ended }) => ended))
        expect(ends.map(({ exitCode }) => exitCode)).toEqual(services.map(() => 0))
      },
      chargedMicroUsd: async () => {
        await command(['ledger', 'verify', '--ledger', ledger])
        const shown = await command([
          'admin',
          'getAccount',
          'account=acme',
          '--json',
          '--ledger',
          ledger,
        ])
        return Math.round(JSON.parse(shown).charged_usd * 1e6)
      },
    }
  }

  it('serves what is published on all four, and no request fails', async () => {
    const { services, behind, words, publish } = await newFleet(free)
    const asking = askAll(behind as Operated, words)
    const [first, second] = Object.keys(words) as [string, string]
    for (const id of [second, first, second]) {
      await publish(id)
      await until(async () => {
        const states = await Promise.all(services.map(({ readiness }) => readiness()))
        return states.every(({ snapshot_id: served }) => served === id)
      })
      const before = asking.seen.get(id) ?? 0
      await until(() => (asking.seen.get(id) ?? 0) > before + 100)
    }
    const seen = await asking.stop()
    expect([...seen.keys()].sort()).toEqual([first, second].sort())
    for (const { address } of services) expect(await requestsOf(address)).toBeGreaterThan(50)
  })

  it('answers as one service does, and official MCP clients have their session', async () => {
    const { services, behind } = await newFleet()
    const direct = { address: services[0]!.address, headers: behind.headers }
    await expectSameAnswers(behind, direct)
    const client = new Client({ name: 'test', version: '1' })
    onTestFinished(() => client.close())
    const requestInit = { headers: { ...behind.headers } }
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${behind.address}/mcp`), { requestInit }),
    )
    for (let call = 0; call < 2 * nodes; call += 1) {
      const asked = { name: 'search_authorities', arguments: { query: 'person7' } }
      expect((await client.callTool(asked)).structuredContent).toMatchObject({
        results: [{ name: 'First Person7' }],
      })
    }
    expect((await fetch(`${behind.address}/metrics`)).status).toBe(403)
  })

  it('charges each answer once, whoever gave it', async () => {
    const { behind, stop, chargedMicroUsd } = await newFleet()
    const { costMicroUsd, statuses } = await askedMany(behind, 2_000)
    expect([...statuses]).toEqual([[200, 2_000]])
    await stop()
    expect(await chargedMicroUsd()).toBe(costMicroUsd)
  })

  it('goes on when services die: only what they were answering breaks', async () => {
    const { services, behind, restart, stop, chargedMicroUsd } = await newFleet()
    const lines = 4
    const all: Awaited<ReturnType<typeof askedMany>>[] = []
    let isOver = false
    const asking = (async () => {
      while (!isOver) all.push(await askedMany(behind, 200, lines))
    })()
    for (const index of services.keys()) await restart(index)
    isOver = true
    await asking
    const failed = all.flatMap(({ statuses }) => [...statuses].filter(([status]) => status !== 200))
    const failures = failed.reduce((sum, [, count]) => sum + count, 0)
    // Those on the way to a service when it died, and those until the proxy has seen it.
    expect(failures).toBeLessThanOrEqual(nodes * lines * 2)
    await stop()
    const costMicroUsd = all.reduce((sum, asked) => sum + asked.costMicroUsd, 0)
    const charged = await chargedMicroUsd()
    expect(charged).toBeLessThanOrEqual(costMicroUsd + failures * priceUsd * 1e6 * 10)
    expect(charged).toBeGreaterThan(costMicroUsd / 2)
  })
})

/** A directory with snapshots whose answers begin with these words; the first is announced. */
function published(words: readonly string[]) {
  const directory = join(temporaryDirectory(), 'snapshots')
  const entries = words.map((word) => {
    const snapshot = peopleNamed(word)
    publish(directory, snapshot)
    return [snapshot.header.id, word] as const
  })
  announce(directory, entries[0]![0])
  return { directory, words: Object.fromEntries(entries) }
}

/** How many paid requests a service has answered. */
async function requestsOf(address: string): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const counts = text.matchAll(/^authority_index_requests_total\{.*status="200"\} (\d+)/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** Asks so often on some connections; what that cost by what answers say, and how often each status came. */
async function askedMany({ address, headers }: Fleet['behind'], times: number, lines = 8) {
  const statuses = new Map<number, number>()
  let costMicroUsd = 0
  let next = 0
  const askOn = async () => {
    while (next < times) {
      const target = targets[next++ % targets.length]
      const response = await fetch(`${address}${target}`, { headers }).catch(() => undefined)
      await response?.arrayBuffer().catch(() => {})
      const status = response?.status ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) {
        costMicroUsd += Math.round(Number(response!.headers.get('x-cost-usd')) * 1e6)
      }
    }
  }
  await Promise.all(Array.from({ length: lines }, askOn))
  return { statuses, costMicroUsd }
}
