/**
 * A sync with `--engine duckdb`, the built program as a process of its own, of connections in Parquet: its time, its
 * processor time, the memory and the disk that it takes, in all and by phase.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf, readPointer } from '../../src/snapshot/store/directory.ts'
import { Children } from '../../test/support/processes/children.ts'
import { type Syncing, syncOf } from '../scale/syncing.ts'
import { type Bench, type BenchOptions, numberOf } from '../shared/bench.ts'
import { table } from '../shared/report.ts'
import { writeLargeSource } from './source.ts'
import { reportTexts, runTexts } from './texts.ts'

/** A sync, and what it was of. */
interface LargeRow extends Syncing {
  readonly people: number
  readonly connections: number
  readonly sourceBytes: number
  readonly snapshotBytes: number
}

const plans = {
  tiny: { people: 300, connections: 3_000 },
  full: { people: 1_000_000, connections: 20_000_000 },
} as const

const engineMemory = 256 << 20
const root = 'bench/data/large'

/** The bench, as commands run it; with `--only texts` it measures only how texts are read from their file. */
export const largeBench: Bench = {
  name: 'large',
  flags: ['people', 'connections', 'engine-memory', 'only'],
  run: async (options) => {
    const { only } = options.flags ?? {}
    if (only !== undefined && only !== 'texts') throw new Error(`--only takes texts, not '${only}'`)
    if (only === 'texts') {
      const texts = await runTexts(options)
      return { result: { texts }, lines: reportTexts(texts) }
    }
    const row = await run(options)
    return { result: row, lines: report(row) }
  },
}

/** Writes the source where it is not there, and syncs it once. */
export async function run(options: BenchOptions): Promise<LargeRow> {
  const plan = plans[options.size]
  const people = numberOf(options, 'people') ?? plan.people
  const connections = numberOf(options, 'connections') ?? plan.connections
  const memory = numberOf(options, 'engine-memory') ?? engineMemory
  const directory = join(options.directory ?? root, `${people}-${connections}`)
  const [source, snapshots] = [join(directory, 'source'), join(directory, 'snapshots')]
  options.report(`${people} people with ${connections} connections: their records`)
  await writeLargeSource({ people, connections, directory: source })
  options.report('sync')
  const children = new Children(options.signal)
  try {
    const words = ['--engine', 'duckdb', '--engine-memory', String(memory)]
    const syncing = await syncOf(children, source, snapshots, { words, report: options.report })
    const snapshotBytes = statSync(pathOf(snapshots, readPointer(snapshots, 'CURRENT')!)).size
    const sourceBytes = statSync(join(source, 'connections.parquet')).size
    return { people, connections, sourceBytes, snapshotBytes, ...syncing }
  } finally {
    await children.close()
  }
}

const gigabytes = (bytes: number) => (bytes / 1e9).toFixed(2)

/** The sync as a whole, and by phase. */
export function report(row: LargeRow): string[] {
  const phases = Object.entries(row.phases).map(([phase, taken]) => ({ phase, ...taken }))
  return [
    ...table([row], {
      people: ({ people }) => people.toLocaleString('en'),
      connections: ({ connections }) => connections.toLocaleString('en'),
      'in Parquet GB': ({ sourceBytes }) => gigabytes(sourceBytes),
      'sync s': ({ seconds }) => seconds.toFixed(0),
      'sync CPU s': ({ cpuSeconds }) => cpuSeconds.toFixed(0),
      'sync peak GB': ({ peakBytes }) => gigabytes(peakBytes),
      'disk beside the source GB': ({ diskBytes }) => gigabytes(diskBytes),
      'snapshot GB': ({ snapshotBytes }) => gigabytes(snapshotBytes),
    }),
    '',
    ...table(phases, {
      phase: ({ phase }) => phase,
      s: ({ seconds }) => seconds.toFixed(1),
      'CPU s': ({ cpuSeconds }) => cpuSeconds.toFixed(1),
      'CPU µs a connection': ({ cpuSeconds }) => ((cpuSeconds * 1e6) / row.connections).toFixed(2),
      'peak GB': ({ peakBytes }) => gigabytes(peakBytes),
      'disk GB': ({ diskBytes }) => gigabytes(diskBytes),
    }),
  ]
}
