/** What a sync takes at sizes ten times each other: short bios, five connections a person. */
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathOf } from '../../src/snapshot/store/directory.ts'
import { readPointer } from '../../src/snapshot/store/states.ts'
import { Children } from '../../test/support/processes/children.ts'
import { type Bench, type BenchOptions, sizesOf } from '../shared/bench.ts'
import { generate } from '../shared/data/source.ts'
import { table } from '../shared/report.ts'
import { type Syncing, syncOf } from './syncing.ts'

interface SyncRow extends Syncing {
  readonly people: number
  readonly bytesPerPerson: number
}

const plans = { tiny: [300, 600], full: [10_000, 100_000, 1_000_000] } as const
const connectionsPer = 5
const bioWordsMax = 8
const root = 'bench/data/sync'

export const syncBench: Bench = {
  name: 'sync',
  flags: ['sizes'],
  run: async (options) => {
    const rows: SyncRow[] = []
    for (const people of sizesOf(options, plans[options.size])) {
      rows.push(await rowAt(people, options))
    }
    return { lines: report(rows) }
  },
}

async function rowAt(
  people: number,
  { directory = root, report: say, signal }: BenchOptions,
): Promise<SyncRow> {
  const source = join(directory, String(people), 'source')
  if (!existsSync(join(source, 'connections.ndjson'))) {
    say(`${people} people: writing their records`)
    generate({ authorities: people, directory: source, connectionsPer, bioWordsMax })
  }
  const children = new Children(signal)
  try {
    say(`${people} people: sync`)
    const snapshots = join(children.directory, 'snapshots')
    const syncing = await syncOf(children, source, snapshots)
    const { size } = statSync(pathOf(snapshots, readPointer(snapshots, 'CURRENT')!))
    return { people, ...syncing, bytesPerPerson: size / people }
  } finally {
    await children.close()
  }
}

function report(rows: readonly SyncRow[]): string[] {
  const phases = [...new Set(rows.flatMap(({ phases: each }) => Object.keys(each)))]
  const sizes = rows.map(({ people, phases: each }) => {
    const cellOf = (phase: string) => (((each[phase] ?? 0) * 1e6) / people).toFixed(1)
    return [`${people.toLocaleString('en')} people`, cellOf] as const
  })
  return [
    ...table(rows, {
      people: ({ people }) => people.toLocaleString('en'),
      'sync s': ({ seconds }) => seconds.toFixed(1),
      'sync CPU s': ({ cpuSeconds }) => cpuSeconds.toFixed(1),
      'sync peak GB': ({ peakBytes }) => (peakBytes / 1e9).toFixed(2),
      'bytes a person': ({ bytesPerPerson }) => bytesPerPerson.toFixed(0),
    }),
    '',
    'The sync by phase, in microseconds of processor time a person, of all threads:',
    '',
    ...table(phases, { phase: (phase: string) => phase, ...Object.fromEntries(sizes) }),
  ]
}
