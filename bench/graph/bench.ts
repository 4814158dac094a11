/**
 * The same connections sorted and ranked in memory and in DuckDB and files, each in a process of its own, one after the
 * other: peak memory and processor time as ratios, and what a further connection takes, from two numbers of them.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { table } from '../shared/report.ts'

const ways = ['memory', 'duckdb'] as const
type Way = (typeof ways)[number]

/** What a way took. */
interface Taken {
  readonly peakBytes: number
  readonly cpuSeconds: Readonly<Record<string, number>>
  readonly digest: string
}

interface GraphRow extends Readonly<Record<Way, Taken>> {
  readonly people: number
  readonly connections: number
}

const plans = {
  tiny: { people: 300, per: [2, 5], engineMemory: 256 << 20 },
  full: { people: 100_000, per: [5, 50], engineMemory: 256 << 20 },
} as const

/** The bench, as commands run it. */
export const graphBench: Bench = {
  name: 'graph',
  flags: ['people', 'per', 'engine-memory'],
  run: async (options) => {
    const rows = await run(options)
    const differing = rows.filter(({ memory, duckdb }) => memory.digest !== duckdb.digest)
    const problems = differing.map(({ connections }) => `${connections}: the masses differ`)
    return { result: { rows }, lines: report(rows), problems }
  },
}

/** Runs both ways at each number of connections a person. */
export async function run({ size, flags, signal, report }: BenchOptions): Promise<GraphRow[]> {
  const plan = plans[size]
  const people = Number(flags?.people ?? plan.people)
  const memoryBytes = Number(flags?.['engine-memory'] ?? plan.engineMemory)
  const rows: GraphRow[] = []
  for (const per of flags?.per?.split(',').map(Number) ?? plan.per) {
    const connections = people * per
    report(`${connections} connections of ${people} people`)
    const takenBy = (way: Way) => taken(way, people, connections, memoryBytes, signal)
    rows.push({
      people,
      connections,
      memory: await takenBy('memory'),
      duckdb: await takenBy('duckdb'),
    })
  }
  return rows
}

async function taken(
  way: Way,
  people: number,
  connections: number,
  memoryBytes: number,
  signal: AbortSignal,
): Promise<Taken> {
  const directory = mkdtempSync(join(tmpdir(), 'graph-bench-'))
  mkdirSync(directory, { recursive: true })
  try {
    const program = fileURLToPath(new URL('./way-program.ts', import.meta.url))
    const words = [way, people, connections, memoryBytes, directory].map(String)
    const args = ['--import', 'tsx', program, ...words]
    const { stdout } = await promisify(execFile)(process.execPath, args, { signal })
    return JSON.parse(stdout)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)

function cpuOf({ cpuSeconds }: Taken): number {
  return Object.values(cpuSeconds).reduce((sum, seconds) => sum + seconds, 0)
}

function report(rows: readonly GraphRow[]): string[] {
  const phases = rows.flatMap((row) =>
    ways.flatMap((way) =>
      Object.entries(row[way].cpuSeconds).map(([phase, seconds]) => ({ row, way, phase, seconds })),
    ),
  )
  return [
    ...table(rows, {
      people: ({ people }) => people.toLocaleString('en'),
      connections: ({ connections }) => connections.toLocaleString('en'),
      'memory: peak MB': ({ memory }) => megabytes(memory.peakBytes),
      'duckdb: peak MB': ({ duckdb }) => megabytes(duckdb.peakBytes),
      'peak ratio': ({ memory, duckdb }) => (duckdb.peakBytes / memory.peakBytes).toFixed(2),
      'memory: CPU s': ({ memory }) => cpuOf(memory).toFixed(1),
      'duckdb: CPU s': ({ duckdb }) => cpuOf(duckdb).toFixed(1),
      'CPU ratio': ({ memory, duckdb }) => (cpuOf(duckdb) / cpuOf(memory)).toFixed(2),
    }),
    '',
    ...table(phases, {
      connections: ({ row }) => row.connections.toLocaleString('en'),
      way: ({ way }) => way,
      phase: ({ phase }) => phase,
      'CPU s': ({ seconds }) => seconds.toFixed(2),
      'µs a connection': ({ row, seconds }) => ((seconds * 1e6) / row.connections).toFixed(2),
    }),
    '',
    ...slopeLines(rows),
  ]
}

/** Bytes and processor time of a further connection, from the first row to the last. */
function slopeLines(rows: readonly GraphRow[]): string[] {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined || first === last) return []
  const more = last.connections - first.connections
  return ways.map((way) => {
    const bytes = (last[way].peakBytes - first[way].peakBytes) / more
    const us = ((cpuOf(last[way]) - cpuOf(first[way])) * 1e6) / more
    return `${way}: ${bytes.toFixed(1)} bytes and ${us.toFixed(2)} µs of processor time a further connection`
  })
}
