/**
 * What documents show of the record. A bench that was not recorded leaves what is written there.
 */
import { originOf, readRecord } from '../bench/shared/record.ts'
import { type Figures, type MadeTable, type MadeTables, rowsOf } from './markdown-table.ts'

type Cells = Readonly<Record<string, string>>

interface RecordedTable {
  /** The day, the commit, the format and the machine. */
  readonly origin: string
  readonly columns: readonly string[]
  readonly rows: readonly Cells[]
}

/**
 * The table with that column.
 * @returns undefined where the bench was not recorded. @throws Error where the run has no such table.
 */
function recordedTable(bench: string, column: string): RecordedTable | undefined {
  const run = readRecord().find((each) => each.bench === bench)
  if (run === undefined) return undefined
  const tables = run.lines.join('\n').split(/\n\n+/).map(rowsOf)
  const found = tables.find(([titles]) => titles?.includes(column))
  if (found === undefined) throw new Error(`the recorded run of ${bench} has no '${column}'`)
  const [columns = [], ...rows] = found
  const cellsOf = (row: readonly string[]) =>
    Object.fromEntries(columns.map((title, at) => [title, row[at] ?? '']))
  const origin = `${run.startedAt.slice(0, 10)}, ${originOf(run)}`
  return { origin, columns, rows: rows.map(cellsOf) }
}

function rowsIn(bench: string, column: string): readonly Cells[] {
  return recordedTable(bench, column)?.rows ?? []
}

/** A recorded figure: `1,234` and `98%` are numbers. @throws Error where a cell is none. */
function figureOf(cells: Cells | undefined, column: string): number {
  const value = Number(cells?.[column]?.replace(/[,%]/g, '') || Number.NaN)
  if (Number.isNaN(value)) throw new Error(`no figure '${column}' in ${JSON.stringify(cells)}`)
  return value
}

interface Shown {
  readonly rows?: (row: Cells) => boolean
  readonly columns: readonly string[]
}

/** A part of a recorded table, found by one of its columns. */
function shown(
  bench: string,
  column: string,
  { rows = () => true, columns }: Shown,
): MadeTable | undefined {
  const table = recordedTable(bench, column)
  if (table === undefined) return undefined
  const cells = table.rows.filter(rows).map((row) => columns.map((title) => row[title] ?? ''))
  return { columns, rows: cells, above: above(bench, table) }
}

function above(bench: string, { origin }: RecordedTable): string {
  return `\`npm run bench -- --full --record ${bench}\`, ${origin}:`
}

export function recordedTables(): MadeTables {
  return {
    'recorded-sizes': sizes(),
    'recorded-communities': shown('ranking', 'community', {
      rows: ({ community = '' }) => !community.includes('a farm'),
      columns: ['community', 'topic rank', 'score', 'followers'],
    }),
    'recorded-farms': shown('ranking', 'farm', {
      columns: [
        'farm',
        'topic rank',
        'with 10',
        'with 100',
        'with 1,000',
        'score',
        'score with 1,000',
      ],
    }),
  }
}

function sizes(): MadeTable | undefined {
  const synced = recordedTable('sync', 'sync s')
  const swapped = rowsIn('swap', 'peak snapshots')
  if (synced === undefined || swapped.length === 0) return undefined
  const ofSync = ['people', 'sync s', 'sync peak GB', 'bytes a person']
  const rows = synced.rows.map((row) => {
    const service = swapped.find(
      ({ authorities }) => authorities === row.people?.replaceAll(',', ''),
    )
    const memory = [service?.['at start MiB'] ?? '-', service?.['peak MiB'] ?? '-']
    return [...ofSync.map((title) => row[title] ?? ''), ...memory]
  })
  return {
    columns: [...ofSync, 'service MiB', 'at most MiB'],
    rows,
    above: above('sync` and `swap', synced),
  }
}

export function recordedFigures(): Figures {
  const synced = rowsIn('sync', 'sync s').find(({ people }) => people === '1,000,000')
  const swapped = rowsIn('swap', 'peak snapshots').find((row) => row.authorities === '1000000')
  const mebibytes = (column: string) =>
    swapped && `${figureOf(swapped, column).toLocaleString('en')} MiB`
  const ofTarget = (wanted: string) => rates('10000', ({ target }) => target === wanted)
  const ours = (isOfTwoWords: boolean) =>
    rates('1000000', ({ target, workload = '' }) => {
      return target === 'authority-index' && workload.includes('two words') === isOfTwoWords
    })
  return {
    file: synced?.['bytes a person'],
    sync: synced && `${figureOf(synced, 'sync s').toFixed(0)} s`,
    'sync-peak': synced && `${synced['sync peak GB']} GB`,
    'memory-of-many': mebibytes('at start MiB'),
    'memory-of-many-at-most': mebibytes('peak MiB'),
    'rate-ceiling': ofTarget('ceiling'),
    'rate-nginx': ofTarget('nginx, static file'),
    'rate-flexsearch': ofTarget('Fastify + FlexSearch'),
    'rate-of-a-million': ours(false),
    'rate-of-two-words': ours(true),
  }
}

/** From the least to the most requests a second, over the rows of so many people that are wanted. */
function rates(authorities: string, isWanted: (row: Cells) => boolean): string | undefined {
  const each = rowsIn('wire', 'by the ceiling')
    .filter((row) => row.connections === '64' && row.authorities === authorities && isWanted(row))
    .map((row) => figureOf(row, 'requests/s'))
  if (each.length === 0) return undefined
  const [least, most] = [Math.min(...each), Math.max(...each)].map(toTwoDigits)
  return least === most ? least : `${least} to ${most}`
}

/** Two digits that mean something. */
function toTwoDigits(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}
