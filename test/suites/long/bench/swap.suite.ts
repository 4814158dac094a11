import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Expectations,
  OpenLoop,
  type PacedMeasured,
} from '../../../../bench/shared/load/open-loop.ts'
import { memoryAtEachSize, run } from '../../../../bench/swap/bench.ts'
import { memoryLines } from '../../../../bench/swap/memory.ts'
import { report } from '../../../../bench/swap/rows.ts'
import { Children } from '../../../support/processes/children.ts'
import { tinyOptions } from '../../../support/tiny.ts'

describe('the bench of swaps, tiny', () => {
  it('swaps under load without a failed or mixed answer, and leaves nothing running', async () => {
    const lines: string[] = []
    const rows = await run(tinyOptions((line) => lines.push(line)))
    expect(rows.length).toBe(1)
    const { loads, different, throughput, costs } = rows[0]!
    for (const { requests, failed, mixed, problems } of loads) {
      expect({ failed, mixed, problems }).toEqual({ failed: 0, mixed: 0, problems: [] })
      expect(requests).toBeGreaterThan(10)
    }
    expect(loads.map(({ kind }) => kind)).toEqual(['without', 'first', 'further'])
    expect(loads.map(({ swapSeconds }) => swapSeconds.length > 0)).toEqual([false, true, true])
    // Where the machine is busy, a swap may end behind the load that it began in.
    expect(new Set(loads.flatMap(({ answers }) => Object.keys(answers))).size).toBe(2)
    expect(different).toBeGreaterThan(20)
    expect(throughput.map(({ threads }) => threads)).toEqual([1, 2])
    expect(costs.parts.map(({ part }) => part)).toContain('verify: Tables')
    expect(costs.parts.every(({ firstMs, againMs }) => firstMs >= 0 && againMs >= 0)).toBe(true)
    expect([...Object.values(costs.serviceMs), costs.sha256Ms].every((ms) => ms >= 0)).toBe(true)
    expect(report(rows).join('\n')).toContain('p99.9 ratio')
    expect(report(rows).join('\n')).toContain('a swap of the service')
    expect(lines.length).toBeGreaterThan(3)
  })
})

describe('the bench of memory in swaps, tiny', () => {
  it('has a row for each origin of snapshots, with peaks that do not fall', async () => {
    const rows = await memoryAtEachSize(tinyOptions())
    expect(rows.map(({ origin }) => origin)).toEqual(['verified', 'unknown'])
    for (const { startBytes, firstPeakBytes, peakBytes } of rows) {
      expect(firstPeakBytes).toBeGreaterThanOrEqual(startBytes)
      expect(peakBytes).toBeGreaterThanOrEqual(firstPeakBytes)
    }
    expect(memoryLines(rows).join('\n')).toContain('snapshots, 1 swap')
  })
})

/** What a server under test answers to its requests, by turns. */
type Answer = readonly [status: number, snapshotId: string, results: string]

/** Has the open loop ask such a server 40 times, expecting `[1]` from A and `[2]` from B. */
async function measured(answers: readonly Answer[]): Promise<PacedMeasured> {
  let asked = 0
  const server = createServer((_, response) => {
    const [status, id, results] = answers[asked++ % answers.length]!
    const body = `{"duration":0.001,"results":${results}}`
    response.writeHead(status, { 'X-Snapshot-Id': id, 'Content-Length': body.length }).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const children = new Children(new AbortController().signal)
  try {
    const file = join(children.directory, 'targets')
    writeFileSync(file, '/\n')
    const expected: Expectations = { A: ['"results":[1]}'], B: ['"results":[2]}'] }
    const expectations = join(children.directory, 'expectations.json')
    writeFileSync(expectations, JSON.stringify(expected))
    const much = { ratePerSecond: 200, seconds: 0.2, connections: 2 }
    const openLoop = new OpenLoop(children, undefined)
    return await openLoop.fire({ port, key: 'key', file, offset: 0, expectations, ...much })
  } finally {
    await children.close()
    server.closeAllConnections()
    server.close()
  }
}

describe('the open loop', () => {
  it('finds nothing wrong with answers that are wholly from the snapshot they name', async () => {
    const found = await measured([
      [200, 'A', '[1]'],
      [200, 'B', '[2]'],
    ])
    expect(found).toMatchObject({ requests: 40, failed: 0, mixed: 0, answers: { A: 20, B: 20 } })
    expect(found.p50Us).toBeGreaterThan(0)
    expect(found.maxUs).toBeGreaterThanOrEqual(found.p999Us)
  })

  it('counts answers that are not what their snapshot answers, or name none that is known', async () => {
    const found = await measured([
      [200, 'A', '[1]'],
      [200, 'A', '[2]'],
      [200, 'C', '[1]'],
      [200, 'B', '[2, 1]'],
    ])
    expect(found).toMatchObject({ failed: 0, mixed: 30 })
    expect(found.problems.length).toBe(5)
  })

  it('counts answers other than 200', async () => {
    const found = await measured([
      [200, 'A', '[1]'],
      [503, '', '[]'],
    ])
    expect(found).toMatchObject({ failed: 20, mixed: 0 })
  })
})
