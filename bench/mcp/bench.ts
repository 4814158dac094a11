/**
 * What an MCP tool call costs over HTTP beside the plain route it asks, in both protocol eras, and
 * what MCP calls on the same serving thread do to plain requests. One connection asks in turn;
 * the kinds take turns too, so that whatever else the machine does meets all of them.
 */

import { Children } from '../../test/support/processes/children.ts'
import { type KeyedService, startRichService } from '../../test/support/processes/service.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { benchData } from '../shared/data/data.ts'
import { table } from '../shared/report.ts'
import { Caller, legacy, type Message, modern, plain } from './calls.ts'

/** How one kind of request fared; times in microseconds, from sending to the end of the answer. */
interface McpRow {
  readonly kind: string
  readonly requests: number
  readonly p50Us: number
  readonly p99Us: number
  /** The median against that of the plain route without load in the same run. */
  readonly ratio: number
}

const sizes = {
  tiny: { authorities: 300, rounds: 2, requests: 20, loads: 2 },
  full: { authorities: 10_000, rounds: 10, requests: 500, loads: 2 },
} as const

/** The bench, as commands run it. */
export const mcpBench: Bench = {
  name: 'mcp',
  run: async (options) => {
    const rows = await run(options)
    return { result: { rows }, lines: report(rows) }
  },
}

/** Runs the bench and returns its rows; everything it starts ends with it. */
async function run({ size, signal, directory }: BenchOptions): Promise<McpRow[]> {
  const { authorities, rounds, requests, loads } = sizes[size]
  const { snapshots } = await benchData(authorities, directory)
  const children = new Children(signal)
  try {
    const service = await startRichService(children, { snapshots, threads: 1 })
    const times = new Map<string, number[]>()
    for (let round = -1; round < rounds; round += 1) {
      signal.throwIfAborted()
      const measure = async (kind: string, message: Message) => {
        const measured = await timesOf(service, message, requests)
        // The first round warms up.
        if (round >= 0) times.set(kind, [...(times.get(kind) ?? []), ...measured])
      }
      await measure('plain route', plain)
      await measure('tool call, 2026-07-28', modern)
      await measure('tool call, 2025-11-25', legacy)
      const script = new URL('./load-program.ts', import.meta.url)
      const load = [service.port, service.key, loads].map(String)
      const loader = children.startScript('load', script, load)
      await loader.firstLine()
      await measure(`plain route, ${loads} connections calling tools`, plain)
      await loader.stop()
    }
    return rowsOf(times)
  } finally {
    await children.close()
  }
}

async function timesOf(
  { port, key }: KeyedService,
  message: Message,
  requests: number,
): Promise<number[]> {
  const caller = new Caller(port, key)
  const times: number[] = []
  for (let index = 0; index < requests; index += 1) {
    const startedMs = performance.now()
    await caller.ask(message)
    times.push((performance.now() - startedMs) * 1000)
  }
  caller.close()
  return times
}

function rowsOf(times: ReadonlyMap<string, readonly number[]>): McpRow[] {
  const rows = [...times].map(([kind, measured]) => {
    const sorted = measured.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!
    return { kind, requests: sorted.length, p50Us: at(0.5), p99Us: at(0.99) }
  })
  return rows.map((row) => ({ ...row, ratio: row.p50Us / rows[0]!.p50Us }))
}

/** The rows as a table. */
function report(rows: readonly McpRow[]): string[] {
  return table(rows, {
    request: ({ kind }) => kind,
    requests: ({ requests }) => requests,
    'p50 µs': ({ p50Us }) => p50Us.toFixed(0),
    'p99 µs': ({ p99Us }) => p99Us.toFixed(0),
    'p50 ratio': ({ ratio }) => ratio.toFixed(1),
  })
}
