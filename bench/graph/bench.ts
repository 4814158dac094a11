/**
 * The same connections sorted and ranked in memory and in DuckDB and files, each in a process of its own, one after the
 * other: peak memory and processor time as ratios, bytes on disk by phase, and what a further connection takes, from the
 * smallest and the largest number of them.
 */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openFileBytes } from '../../test/support/processes/proc.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { table } from '../shared/report.ts'

const ways = ['memory', 'duckdb'] as const
type Way = (typeof ways)[number]

/** What a way took. */
interface Taken {
  readonly peakBytes: number
  readonly cpuSeconds: Readonly<Record<string, number>>
  /** The most bytes on disk during each phase, as far as it was looked at. */
  readonly diskBytes: Readonly<Record<string, number>>
  readonly digest: string
}

interface GraphRow extends Readonly<Record<Way, Taken>> {
  readonly people: number
  readonly connections: number
}

const plans = {
  tiny: { people: 300, per: [2, 5], engineMemory: 256 << 20 },
  full: { people: 100_000, per: [50, 100], engineMemory: 256 << 20 },
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
    return await outputOf(['--import', 'tsx', program, ...words], directory, signal)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Milliseconds between two looks at the files of a process. */
const lookIntervalMs = 20

/** Runs Node, and looks at its files in a directory; a phase ends with its name on standard error. */
function outputOf(args: readonly string[], directory: string, signal: AbortSignal): Promise<Taken> {
  const diskBytes: Record<string, number> = {}
  let peak = 0
  return new Promise((resolve, reject) => {
    const child = execFile(process.execPath, args, { signal }, (error, stdout) => {
      clearInterval(looking)
      if (error === null) resolve({ ...JSON.parse(stdout), diskBytes })
      else reject(error)
    })
    const look = () => {
      if (child.pid !== undefined && child.exitCode === null) {
        peak = Math.max(peak, openFileBytes(child.pid, directory))
      }
    }
    const looking = setInterval(look, lookIntervalMs)
    child.stderr?.on('data', (names: string) => {
      for (const name of names.trim().split('\n')) {
        diskBytes[name] = peak
        peak = 0
      }
    })
  })
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0)

function cpuOf({ cpuSeconds }: Taken): number {
  return Object.values(cpuSeconds).reduce((sum, seconds) => sum + seconds, 0)
}

function report(rows: readonly GraphRow[]): string[] {
  const phases = rows.flatMap((row) =>
    ways.flatMap((way) =>
      Object.entries(row[way].cpuSeconds).map(([phase, seconds]) => {
        const diskBytes = row[way].diskBytes[phase] ?? 0
        return { row, way, phase, seconds, diskBytes }
      }),
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
      'disk MB': ({ diskBytes }) => megabytes(diskBytes),
      'disk bytes a connection': ({ row, diskBytes }) => (diskBytes / row.connections).toFixed(1),
    }),
    '',
    ...slopeLines(rows),
  ]
}

function diskOf({ diskBytes }: Taken): number {
  return Math.max(0, ...Object.values(diskBytes))
}

/** Bytes and processor time of a further connection, from the first row to the last. */
function slopeLines(rows: readonly GraphRow[]): string[] {
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined || first === last) return []
  const more = last.connections - first.connections
  return ways.map((way) => {
    const bytes = (last[way].peakBytes - first[way].peakBytes) / more
    const us = ((cpuOf(last[way]) - cpuOf(first[way])) * 1e6) / more
    const disk = (diskOf(last[way]) - diskOf(first[way])) / more
    const memory = `${bytes.toFixed(1)} bytes of memory, ${disk.toFixed(1)} on disk`
    return `${way}: ${memory} and ${us.toFixed(2)} µs of processor time a further connection`
  })
}
