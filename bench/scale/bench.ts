/**
 * A sync and a service at sizes that are ten times each other: people with short bios and five
 * connections each. The sync and the service are the built program, each a process of its own, so that
 * its memory is measured apart from the memory of the bench. Snapshots that are there already are served as they are,
 * and nothing is said of their sync.
 */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf } from '../../src/snapshot/store/directory.ts'
import { readPointer } from '../../src/snapshot/store/states.ts'
import { Children } from '../../test/support/processes/children.ts'
import type { Bench, BenchOptions } from '../shared/bench.ts'
import { isAnnounced } from '../shared/data/data.ts'
import { generate } from '../shared/data/source.ts'
import { type Columns, table } from '../shared/report.ts'
import { type Serving, servingOf } from './serving.ts'
import { type Syncing, syncOf } from './syncing.ts'

/** All that is measured at a size. */
interface ScaleRow extends Serving {
  readonly authorities: number
  /** Undefined where the snapshot was there. */
  readonly sync: Syncing | undefined
  readonly bytesPerPerson: number
}

const plans = {
  tiny: { sizes: [300, 600], requests: 20 },
  full: { sizes: [10_000, 100_000, 1_000_000], requests: 10_000 },
} as const

const connectionsPer = 5
const bioWordsMax = 8
const root = 'bench/data/scale'

/** The bench, as commands run it. */
export const scaleBench: Bench = {
  name: 'scale',
  flags: ['sizes', 'sources'],
  run: async (options) => {
    const rows = await run(options)
    return { result: { rows }, lines: report(rows) }
  },
}

/** Runs the bench at each size of the plan, or at those that are asked for. */
async function run(options: BenchOptions): Promise<ScaleRow[]> {
  const { sizes, requests } = plans[options.size]
  const directory = options.flags?.sources ?? options.directory ?? root
  const rows: ScaleRow[] = []
  for (const authorities of sizesIn(options.flags?.sizes) ?? sizes) {
    rows.push(await rowAt(authorities, join(directory, String(authorities)), requests, options))
  }
  return rows
}

/** Sizes as a flag has them. @throws Error for what are no sizes. */
export function sizesIn(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined
  const sizes = text.split(',').map(Number)
  if (sizes.every((size) => Number.isInteger(size) && size > 0)) return sizes
  throw new Error(`--sizes takes numbers with commas, not '${text}'`)
}

async function rowAt(
  authorities: number,
  directory: string,
  requests: number,
  { report, signal }: BenchOptions,
): Promise<ScaleRow> {
  const children = new Children(signal)
  try {
    const { source, snapshots, path, ...made } = await snapshotAt(
      children,
      authorities,
      directory,
      report,
    )
    report(`${authorities} people: service`)
    const serving = await servingOf(children, { snapshots, path, source, requests })
    return { authorities, ...made, ...serving }
  } finally {
    await children.close()
  }
}

/** The snapshot of a size below a directory, made where it is not there; and what its sync took. */
export async function snapshotAt(
  children: Children,
  authorities: number,
  directory: string,
  report: BenchOptions['report'],
) {
  const source = join(directory, 'source')
  const snapshots = join(directory, 'snapshots')
  if (!existsSync(join(source, 'connections.ndjson'))) {
    report(`${authorities} people: writing their records`)
    generate({ authorities, directory: source, connectionsPer, bioWordsMax })
  }
  report(`${authorities} people: sync`)
  const sync = isAnnounced(snapshots) ? undefined : await syncOf(children, source, snapshots)
  const path = pathOf(snapshots, readPointer(snapshots, 'CURRENT')!)
  return { source, snapshots, path, sync, bytesPerPerson: statSync(path).size / authorities }
}

const gigabyte = 1e9

const columns: Columns<ScaleRow> = {
  people: ({ authorities }) => authorities.toLocaleString('en'),
  'sync s': ({ sync }) => sync?.seconds.toFixed(1) ?? 'was there',
  'sync CPU s': ({ sync }) => sync?.cpuSeconds.toFixed(1) ?? '-',
  'sync peak GB': ({ sync }) => (sync === undefined ? '-' : toGigabytes(sync.peakBytes)),
  'bytes a person': ({ bytesPerPerson }) => bytesPerPerson.toFixed(0),
  'first answer s': ({ firstAnswerSeconds }) => firstAnswerSeconds.toFixed(2),
  'by sha256sum': ({ firstAnswerSeconds, sha256Seconds }) =>
    (firstAnswerSeconds / sha256Seconds).toFixed(2),
  'service GB': ({ residentBytes: bytes }) => toGigabytes(bytes),
}

function toGigabytes(bytes: number): string {
  return (bytes / gigabyte).toFixed(2)
}

/** The table of all, the waits of each route, and the phases of the syncs. */
function report(rows: readonly ScaleRow[]): string[] {
  const routes = rows[0]?.routes.map(({ route }) => route) ?? []
  const waits: Record<string, (row: ScaleRow) => string> = {
    people: columns.people as (row: ScaleRow) => string,
  }
  for (const [index, route] of routes.entries()) {
    waits[`${route} p50`] = ({ routes: each }) => each[index]!.p50Us.toFixed(0)
    waits[`${route} p99`] = ({ routes: each }) => each[index]!.p99Us.toFixed(0)
  }
  return [
    ...table(rows, columns),
    '',
    'Over HTTP, one request at a time on one connection, in microseconds:',
    '',
    ...table(rows, waits),
    ...phaseLines(rows),
  ]
}

/** Microseconds of processor time a person, by phase and size; nothing where no sync ran. */
function phaseLines(rows: readonly ScaleRow[]): string[] {
  const synced = rows.filter(({ sync }) => sync !== undefined)
  const phases = new Set(synced.flatMap(({ sync }) => Object.keys(sync!.phases)))
  if (phases.size === 0) return []
  const sizes = synced.map(({ authorities, sync }) => {
    const cellOf = (phase: string) => toMicroseconds(sync!.phases[phase] ?? 0, authorities)
    return [`${authorities.toLocaleString('en')} people`, cellOf] as const
  })
  return [
    '',
    'The sync by phase, in microseconds of processor time a person, of all threads:',
    '',
    ...table([...phases], { phase: (phase: string) => phase, ...Object.fromEntries(sizes) }),
  ]
}

function toMicroseconds(seconds: number, people: number): string {
  return ((seconds * 1e6) / people).toFixed(1)
}
