/**
 * What was measured of one person, one sync, and what memory costs: each figure with where it is
 * from. `on-paper.ts` computes from them alone. Figures of benches that were recorded are those of the record.
 */
import { figureOf, namedRows, recordedTable } from '../shared/recorded-tables.ts'

/** A measured figure. */
export interface Slope {
  readonly value: number
  readonly unit: string
  /** Which bench or page said so, and when. */
  readonly from: string
}

const people = '100,000 to 1,000,000 people'

/** The rows of a recorded table, and the day it is from. @throws Error when the bench was not recorded. */
function recorded(bench: string, column: string) {
  const table = recordedTable(bench, column)
  if (table === undefined) throw new Error(`${bench} was not recorded`)
  return { rows: namedRows(table), day: table.day }
}

const scale = recorded('scale', 'sync s')
const phases = recorded('scale', 'phase')
const tiers = recorded('tiers', 'memory MB')
const swaps = recorded('swap', 'peak snapshots')
const slopeOfScale = `\`bench/scale.ts\`, ${scale.day}, the slope from ${people}`

/** The row of a million people, or of another number. */
function rowAt({ rows }: ReturnType<typeof recorded>, column = 'people', size = '1,000,000') {
  return rows.find((row) => row[column] === size)
}

/** Of what a column has at both sizes: as much a person more. */
function slopeOf(table: ReturnType<typeof recorded>, column: string, factor: number): number {
  const [less, more] = [rowAt(table, 'people', '100,000'), rowAt(table)]
  return ((figureOf(more, column) - figureOf(less, column)) * factor) / 900_000
}

/**
 * Microseconds of processor time of a sync a person, by phase, in the order of the phases: the slope of what all people
 * took, so that what a sync takes without people is not in it.
 */
export const syncPhases: Readonly<Record<string, number>> = Object.fromEntries(
  phases.rows.flatMap((row) => {
    const { phase = '' } = row
    // What comes before the phases; and notes of syncs have more than words.
    if (phase === 'starting' || !/^[a-z ]+$/i.test(phase)) return []
    const more = figureOf(row, '1,000,000 people') * 1e6
    const less = figureOf(row, '100,000 people') * 1e5
    return [[phase, Math.max(0, Math.round((more - less) / 9e4) / 10)]]
  }),
)

const memory = slopeOf(scale, 'service GB', 1e9)

export const slopes = {
  file: {
    value: figureOf(rowAt(scale), 'bytes a person'),
    unit: 'bytes of a snapshot a person',
    from: `\`bench/scale.ts\`, ${scale.day}, 1,000,000 people`,
  },
  memory: {
    value: Math.round(memory),
    unit: 'bytes of memory of a service a person',
    from: slopeOfScale,
  },
  memoryDisk: {
    value: Math.round(slopeOf(tiers, 'disk MB', 1e6)),
    unit: 'the same with texts on disk',
    from: `\`bench/tiers.ts\`, ${tiers.day}, the slope from ${people}`,
  },
  process: {
    value: Math.round(figureOf(rowAt(scale), 'service GB') * 1e3 - memory) * 1e6,
    unit: 'bytes of memory of a service without people',
    from: slopeOfScale,
  },
  swap: {
    value: figureOf(rowAt(swaps, 'authorities', '1000000'), 'peak snapshots'),
    unit: 'snapshots in memory while one takes the place of another',
    from: `\`bench/swap.ts\`, ${swaps.day}, 1,000,000 people`,
  },
  gzip: {
    value: 0.42,
    unit: 'of the bytes of a snapshot on the network',
    from: '`gzip -1` of the snapshot of 100,000 people, 2026-11-26',
  },
  syncCpu: {
    value: Object.values(syncPhases).reduce((sum, each) => sum + each, 0),
    unit: 'microseconds of processor time of a sync a person',
    from: slopeOfScale,
  },
  syncMemory: {
    value: 1_169,
    unit: 'bytes of memory of a sync a person',
    from: '`bench/scale.ts`, 2026-11-27, 10,000,000 people, format 14',
  },
  gibHour: {
    value: 0.0102,
    unit: 'USD for a GiB of memory an hour',
    from: 'm7g.large on demand, 0.0816 USD for 8 GiB (us-east-1, [June 2026](https://www.factualminds.com/blog/amazon-ec2-on-demand-pricing-instance-families-2026/))',
  },
} satisfies Record<string, Slope>
