/**
 * The bench of the wire: that it works end to end, compares what was measured side by side, and
 * leaves neither a process nor a file behind.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Measured, type Order, startLoad } from '../../../../bench/shared/load/load.ts'
import { writeResult } from '../../../../bench/shared/results.ts'
import { median } from '../../../../bench/shared/rounds.ts'
import { report, run } from '../../../../bench/wire/bench.ts'
import { figuresOf } from '../../../../bench/wire/figures.ts'
import { type Cell, Measuring, type WireRow } from '../../../../bench/wire/measure.ts'
import { type Target, type TargetKind, targetNames } from '../../../../bench/wire/targets.ts'
import { temporaryDirectory } from '../../../support/built.ts'
import { Children } from '../../../support/processes/children.ts'
import { tinyOptions } from '../../../support/tiny.ts'

const never = new AbortController().signal

/** A directory for temporary files, whose name every process that is started from now on knows. */
function ownTemporaryDirectory(): string {
  const directory = temporaryDirectory()
  vi.stubEnv('TMPDIR', directory)
  onTestFinished(() => void vi.unstubAllEnvs())
  return directory
}

/** What a bench has left; tsx keeps a cache there, too. */
function leftIn(directory: string): string[] {
  return readdirSync(directory).filter((name) => !name.startsWith('tsx-'))
}

/** The processes that were given a directory for temporary files, this one excepted. */
function processesOf(directory: string): string[] {
  const all = existsSync('/proc') ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : []
  return all.filter((id) => id !== String(process.pid) && environmentOf(id).includes(directory))
}

function environmentOf(processId: string): string {
  try {
    return readFileSync(`/proc/${processId}/environ`, 'utf8')
  } catch {
    // It has ended, or is somebody else's.
    return ''
  }
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

describe('a tiny run', () => {
  test('measures every route beside the ceiling and an alternative, and leaves nothing behind', async () => {
    const lines: string[] = []
    const options = tinyOptions((line) => lines.push(line))
    const temporary = ownTemporaryDirectory()
    const result = await run(options)
    const found = new Set(result.rows.map(({ workload, target }) => `${workload}, ${target}`))
    for (const workload of [
      'search: mixed',
      'search: two words',
      'detail: mixed',
      'peers: mixed',
    ]) {
      for (const kind of ['ceiling', 'service', 'flexsearch'] as const) {
        expect(found).toContain(`${workload}, ${targetNames[kind]}`)
      }
    }
    expect(new Set(result.rows.map(({ workload }) => workload)).size).toBe(14)
    for (const row of result.rows) {
      expect(row.requestsPerSecond, row.workload).toBeGreaterThan(0)
      expect(row.p50Us!).toBeLessThanOrEqual(row.p999Us!)
      expect(row.bodyBytes).toBeGreaterThan(100)
      if (row.target === targetNames.ceiling) expect(row.ratio).toBe(1)
    }
    expect(lines.filter((line) => line.includes('connections')).length).toBe(22)
    expect(report(result).join('\n')).toContain('| Fastify + FlexSearch |')
    expect(leftIn(temporary)).toEqual([])
    expect(processesOf(temporary)).toEqual([])
  })

  test('ends at once, and leaves nothing behind, when it is interrupted', async () => {
    const temporary = ownTemporaryDirectory()
    const bench = spawn(process.execPath, ['--import', 'tsx', 'bench/wire.ts'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    await new Promise<void>((resolve) => {
      bench.once('exit', () => resolve())
      bench.stderr.setEncoding('utf8').on('data', (text: string) => {
        errors += text
        if (errors.includes('connections')) resolve()
      })
    })
    bench.kill('SIGINT')
    const [code] = await once(bench, 'close')
    expect(errors.split('\n').length).toBeLessThan(20)
    expect(code).toBe(130)
    expect(leftIn(temporary)).toEqual([])
    expect(processesOf(temporary)).toEqual([])
  })
})

describe('a cell', () => {
  const workload = {
    name: 'detail: mixed',
    route: 'detail',
    isPlain: true,
    paths: ['/1'],
    file: 'any.paths',
  } as const
  const kinds: TargetKind[] = ['service', 'nginx']
  const cell: Cell = { workload, connections: 2, depth: 1, kinds }

  /** Measures a cell of three targets on ports of their own, by what each turn is said to take. */
  async function measure(
    answer: (kind: TargetKind, turn: number) => Partial<Measured>,
    pace?: number,
  ) {
    const targets = await Promise.all(
      (['ceiling', 'service', 'nginx'] as const).map(
        async (kind): Promise<Target> => ({
          kind,
          port: await listen((_, response) => response.end('same')),
          canAnswer: () => true,
          aim: async () => 'any.paths',
        }),
      ),
    )
    const orders: Order[] = []
    const rates: number[] = []
    const turns: TargetKind[] = []
    const fire = async (order: Order): Promise<Measured> => {
      const { kind } = targets.find(({ port }) => port === order.port)!
      const turn = turns.filter((earlier) => earlier === kind).length
      turns.push(kind)
      orders.push(order)
      const zero = { requests: 1, seconds: 1, failed: 0, p50Us: 1, p99Us: 2, p999Us: 3 }
      return { ...zero, ...answer(kind, turn) }
    }
    const measuring = new Measuring({
      authorities: 1,
      stand: { targets, key: 'key', left: [] },
      load: { name: 'wrk', fire },
      firePaced: (order) => {
        rates.push(order.ratePerSecond)
        return fire({ ...order, depth: 1 })
      },
      cores: undefined,
      timing: { rounds: 3, seconds: 1 },
      signal: never,
      report: () => {},
    })
    const rows = await measuring.measure(pace === undefined ? cell : { ...cell, pace })
    return { rows, turns, orders, rates }
  }

  test('gives every target its turn in every round, each time beginning with another', async () => {
    const { turns } = await measure(() => ({}))
    const rounds = [0, 3, 6, 9].map((start) => turns.slice(start, start + 3))
    for (const round of rounds) expect([...round].sort()).toEqual(['ceiling', 'nginx', 'service'])
    expect(new Set(rounds.slice(1).map(([first]) => first)).size).toBe(3)
  })

  test('compares with the ceiling of the same round, and forgets the round that warms up', async () => {
    const ceilings = [9000, 100, 200, 400]
    const { rows } = await measure((kind, turn) => ({
      requests:
        kind === 'ceiling' ? ceilings[turn]! : kind === 'service' ? ceilings[turn]! / 2 : 50,
    }))
    const row = (name: string) => rows.find(({ target }) => target === name)!
    expect(row(targetNames.service).ratios).toEqual([0.5, 0.5, 0.5])
    expect(row(targetNames.nginx).ratio).toBe(0.25)
    expect(row(targetNames.ceiling).requestsPerSecond).toBe(200)
  })

  test('asks on where the last turn has stopped', async () => {
    const { orders, turns } = await measure(() => ({ requests: 10 }))
    const offsets = orders
      .filter((_, turn) => turns[turn] === 'service')
      .map(({ offset }) => offset)
    expect(offsets).toEqual([0, 12, 24, 36])
  })

  test('has requests sent at a pace, all of them, where it aims at one', async () => {
    const { rates, turns, rows } = await measure(() => ({}), 50)
    expect(rates).toEqual(turns.map(() => 50))
    expect(rows.map(({ pace }) => pace)).toEqual([50, 50, 50])
    expect((await measure(() => ({}))).rates).toEqual([])
  })

  test('fails when requests fail, and says whose', async () => {
    const failing = measure((kind) => ({ failed: kind === 'nginx' ? 1 : 0 }))
    await expect(failing).rejects.toThrow('nginx, static file, detail: mixed')
  })
})

describe('the load generator', () => {
  /** Fires once at a server. */
  async function fire(listener: RequestListener, order: Partial<Order>, paths = ['/a', '/b']) {
    const port = await listen(listener)
    const children = new Children(never)
    onTestFinished(() => children.close())
    const file = join(children.directory, 'paths')
    writeFileSync(file, `${paths.join('\n')}\n`)
    const usual = { key: 'k', offset: 0, connections: 2, depth: 1, seconds: 0.1 }
    return startLoad(children, 'tiny', undefined).fire({ port, file, ...usual, ...order })
  }

  test('asks for the paths in turn with the key, and counts the answers', async () => {
    const asked: string[] = []
    const measured = await fire(
      ({ url, headers }, response) => {
        asked.push(`${url} ${headers.authorization}`)
        response.end('x'.repeat(100_000))
      },
      { connections: 1, offset: 1 },
    )
    expect(asked.slice(0, 3)).toEqual(
      ['/b Bearer k', '/a Bearer k', '/b Bearer k'].slice(0, asked.length),
    )
    expect(measured.failed).toBe(0)
    expect(measured.requests).toBeGreaterThan(0)
    expect(asked.length - measured.requests).toBeLessThanOrEqual(1)
  })

  test('counts every answer of requests that are sent at once', async () => {
    let asked = 0
    const count: RequestListener = (_, response) => {
      asked += 1
      response.end('a')
    }
    const { requests, failed } = await fire(count, { connections: 1, depth: 4 })
    expect(failed).toBe(0)
    expect(requests).toBeGreaterThan(0)
    expect(asked - requests).toBeLessThanOrEqual(4)
  })

  test('counts an answer other than 200 as failed', async () => {
    const refuse: RequestListener = (_, response) => response.writeHead(401).end('no')
    const { requests, failed } = await fire(refuse, {})
    expect(requests).toBeGreaterThan(0)
    expect(failed).toBe(requests)
  })
})

describe('the programs of a bench', () => {
  test('fail with what they complained about when they end too early', async () => {
    const children = new Children(never)
    onTestFinished(() => children.close())
    const args = ['-e', 'console.error("no luck"); process.exit(1)']
    const child = children.start({ name: 'loser', command: process.execPath, args })
    await expect(child.firstLine()).rejects.toThrow(/^loser has ended: no luck/)
    const missing = children.start({ name: 'missing', command: '/no/such/program', args: [] })
    await expect(missing.firstLine()).rejects.toThrow(/^missing has ended: .*ENOENT/)
  })
})

describe('figures', () => {
  const base: WireRow = {
    authorities: 10,
    workload: 'search: two words',
    connections: 64,
    depth: 1,
    pace: null,
    target: targetNames.service,
    bodyBytes: 1,
    requestsPerSecond: 1,
    p50Us: 1,
    p99Us: 1,
    p999Us: 1,
    ratios: [],
    ratio: 0.9,
    p99Ratio: 1.2,
    busy: null,
    userUs: 6,
    systemUs: 5,
  }

  test('say what a request takes above the ceiling', () => {
    const workload = 'peers: mixed'
    const ceiling = { ...base, workload, target: targetNames.ceiling, userUs: 3, systemUs: 4.5 }
    const name = '10 authorities: peers: mixed, processor time above the ceiling, µs'
    const figure = figuresOf([{ ...base, workload }, ceiling]).find((each) => each.name === name)
    expect(figure!.value).toBe(3.5)
    const unknown = figuresOf([
      { ...base, workload },
      { ...ceiling, userUs: null },
    ])
    expect(unknown.some((each) => each.name === name)).toBe(false)
  })

  test('say by how much the slowest of a hundred requests at one connection is slower than the ceiling', () => {
    const [figure] = figuresOf([{ ...base, connections: 1 }])
    const name = "10 authorities: search: two words, p99 at one connection, by the ceiling's"
    expect(figure).toEqual({ name, value: 1.2, wanted: '< 1.5' })
    expect(figuresOf([{ ...base, connections: 1, p99Ratio: null }])).toEqual([])
  })

  test('compare with the best of the alternatives', () => {
    const rows = [
      base,
      { ...base, target: targetNames.flexsearch, ratio: 0.03 },
      { ...base, target: targetNames.redis, ratio: 0.01 },
    ]
    const [figure] = figuresOf(rows)
    expect(figure!.name).toBe('10 authorities: search: two words, by the best alternative')
    expect(figure!.value).toBeCloseTo(30)
  })

  test('compare the largest size with the smallest, each by its ceiling', () => {
    const rows = [base, { ...base, authorities: 1000, ratio: 0.81 }]
    const [figure] = figuresOf(rows)
    expect(figure!.name).toBe('search: two words, 1000 authorities by 10')
    expect(figure!.value).toBeCloseTo(0.9)
  })

  test('say nothing of what was not measured', () => {
    expect(figuresOf([base])).toEqual([])
  })

  test('are medians', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 2, 3])).toBe(2.5)
  })
})

describe('results', () => {
  test('of a tiny run do not replace those of a full one', () => {
    const directory = temporaryDirectory()
    const written = { bench: 'wire', startedAt: new Date(0), result: { rows: [1] } }
    const full = writeResult({ ...written, size: 'full' }, directory)
    const tiny = writeResult({ ...written, size: 'tiny' }, directory)
    expect(tiny).not.toBe(full)
    const { startedAt, machine, result } = JSON.parse(readFileSync(full, 'utf8'))
    expect({ startedAt, result }).toEqual({
      startedAt: '1970-01-01T00:00:00.000Z',
      result: { rows: [1] },
    })
    expect(machine.cores).toBeGreaterThan(0)
  })

  test('are not to be had of a bench that there is not', () => {
    const words = ['--import', 'tsx', 'bench/run.ts', 'wires']
    const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' })
    expect(status).toBe(2)
    expect(stderr).toContain("no bench 'wires'; there are ")
  })
})
