/**
 * What a further connection takes, in memory and with the engine: the slope from the smallest to the largest number of
 * them in the recorded run of `bench/graph.ts`, as memory, processor time by phase, and bytes on disk.
 */
import { figureOf, type NamedCells, namedRows, recordedTable } from '../shared/recorded-tables.ts'

/** A measured figure. */
export interface Slope {
  readonly value: number
  readonly unit: string
  /** Which bench or page said so, and when. */
  readonly from: string
}

/** The slopes of connections. */
type GraphSlopeName =
  | 'edgeMemory'
  | 'edgeIntakeCpu'
  | 'edgeSortCpu'
  | 'edgeRankCpu'
  | 'diskEdgesMemory'
  | 'diskEdgeIntakeCpu'
  | 'diskEdgeSortCpu'
  | 'diskEdgeRankCpu'
  | 'diskEdge'
  | 'diskEdgeRanked'

const units: Readonly<Record<GraphSlopeName, string>> = {
  edgeMemory: 'bytes of memory of a sync a connection, sorted and ranked in memory',
  edgeIntakeCpu: 'microseconds of processor time a connection to take it into columns',
  edgeSortCpu: 'microseconds a connection to sort it into rows',
  edgeRankCpu: 'microseconds a connection for 20 rounds of PageRank',
  diskEdgesMemory:
    'bytes of memory of a process with any number of connections, with `--engine duckdb` and 256 MiB',
  diskEdgeIntakeCpu: 'microseconds a connection to take it into the table, with the engine',
  diskEdgeSortCpu: 'microseconds a connection to sort it into files, with the engine',
  diskEdgeRankCpu: 'microseconds a connection for 20 rounds of PageRank from files',
  diskEdge: 'bytes on disk a connection while it is sorted, where three of five endorse both ways',
  diskEdgeRanked: 'bytes on disk a connection while it is ranked',
}

/** The slopes, each with where it is from. */
export function graphSlopes(): Readonly<Record<GraphSlopeName, Slope>> {
  const { values, from } = measured()
  const slopes = Object.entries(units).map(([name, unit]) => [
    name,
    { value: values[name as GraphSlopeName], unit, from },
  ])
  return Object.fromEntries(slopes)
}

/** Those of the record. @throws Error where the bench was not recorded. */
function measured() {
  const [peaks, byPhase] = ['peak ratio', 'phase'].map((column) => recordedTable('graph', column))
  if (peaks === undefined || byPhase === undefined) throw new Error('graph was not recorded')
  const rows = namedRows(peaks)
  const [less, most] = [rows[0]!, rows.at(-1)!]
  const [few, many] = [less, most].map((row) => figureOf(row, 'connections'))
  const further = many! - few!
  const phaseOf = (way: string, phase: string, { connections }: NamedCells) =>
    namedRows(byPhase).find(
      (row) => row.way === way && row.phase === phase && row.connections === connections,
    )
  const slopeOf = (way: string, phase: string, column: string, factor: number) =>
    ((figureOf(phaseOf(way, phase, most), column) - figureOf(phaseOf(way, phase, less), column)) *
      factor) /
    further
  const cpu = (way: string, phase: string) => round(slopeOf(way, phase, 'CPU s', 1e6), 2)
  const disk = (phase: string) => round(slopeOf('duckdb', phase, 'disk MB', 1e6), 1)
  const peak = (row: NamedCells) => figureOf(row, 'memory: peak MB')
  return {
    values: {
      edgeMemory: round(((peak(most) - peak(less)) * 1e6) / further, 1),
      edgeIntakeCpu: cpu('memory', 'intake'),
      edgeSortCpu: cpu('memory', 'rows'),
      edgeRankCpu: cpu('memory', '20 rounds'),
      diskEdgesMemory: figureOf(most, 'duckdb: peak MB') * 1e6,
      diskEdgeIntakeCpu: cpu('duckdb', 'intake'),
      diskEdgeSortCpu: cpu('duckdb', 'rows'),
      diskEdgeRankCpu: cpu('duckdb', '20 rounds'),
      diskEdge: disk('rows'),
      diskEdgeRanked: disk('20 rounds'),
    },
    from: `\`bench/graph.ts\`, ${peaks.day}, the slope from ${less.connections} to ${most.connections} connections of ${most.people} people`,
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
