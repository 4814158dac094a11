/** What documents show of the record: parts of its tables, and figures in sentences. */
import { originOf, readRecord } from '../bench/shared/record.ts'
import { type Figures, type MadeTable, type MadeTables, rowsOf } from './markdown-table.ts'

type Cells = Readonly<Record<string, string>>

interface RecordedTable {
  /** What ran; the day, the commit, the format and the machine. */
  readonly above: string
  readonly rows: readonly Cells[]
}

/** The table with that column. @throws Error where no recorded run has one. */
function recordedTable(bench: string, column: string): RecordedTable {
  const run = readRecord().find((each) => each.bench === bench)
  const tables = run?.lines.join('\n').split(/\n\n+/).map(rowsOf)
  const found = tables?.find(([titles]) => titles?.includes(column))
  if (run === undefined || found === undefined) {
    throw new Error(`no recorded run of ${bench} has '${column}'`)
  }
  const [columns = [], ...rows] = found
  const day = run.startedAt.slice(0, 10)
  return {
    above: `\`npm run bench -- --full --record ${bench}\`, ${day}, ${originOf(run)}:`,
    rows: rows.map((row) => Object.fromEntries(columns.map((title, at) => [title, row[at]!]))),
  }
}

/** A recorded figure: `1,234` is a number. @throws Error where there is none. */
function figureOf(cells: Cells | undefined, column: string): number {
  const value = Number(cells?.[column]?.replaceAll(',', '') || Number.NaN)
  if (Number.isNaN(value)) throw new Error(`no figure '${column}' in ${JSON.stringify(cells)}`)
  return value
}

/** Some columns of the recorded table that has the first of them. */
function shown(
  bench: string,
  columns: readonly string[],
  isShown: (row: Cells) => boolean = () => true,
): MadeTable {
  const { above, rows } = recordedTable(bench, columns[0]!)
  const cells = rows.filter(isShown).map((row) => columns.map((title) => row[title]!))
  return { above, columns, rows: cells }
}

export function recordedTables(): MadeTables {
  return {
    'recorded-sizes': sizes(),
    'recorded-communities': shown(
      'ranking',
      ['community', 'topic rank', 'score', 'followers'],
      ({ community }) => !community!.includes('a farm'),
    ),
    'recorded-farms': shown('ranking', [
      'farm',
      'topic rank',
      'with 10',
      'with 100',
      'with 1,000',
      'score',
      'score with 1,000',
    ]),
  }
}

const swapped = () => recordedTable('swap', 'peak snapshots').rows

function sizes(): MadeTable {
  const synced = shown('sync', ['people', 'sync s', 'sync peak GB', 'bytes a person'])
  const services = swapped()
  const rows = synced.rows.map((row) => {
    const people = row[0]!.replaceAll(',', '')
    const service = services.find(({ authorities }) => authorities === people)
    return [...row, service?.['at start MiB'] ?? '-', service?.['peak MiB'] ?? '-']
  })
  return {
    above: synced.above!.replace('sync`', 'sync` and `swap`'),
    columns: [...synced.columns, 'service MiB', 'at most MiB'],
    rows,
  }
}

export function recordedFigures(): Figures {
  const { rows } = recordedTable('sync', 'sync s')
  const synced = rows.find(({ people }) => people === '1,000,000')
  const service = swapped().find(({ authorities }) => authorities === '1000000')
  const mebibytes = (column: string) => `${figureOf(service, column).toLocaleString('en')} MiB`
  const ofTarget = (wanted: string) => rates('10000', ({ target }) => target === wanted)
  const ours = (isOfTwoWords: boolean) =>
    rates('1000000', ({ target, workload }) => {
      return target === 'authority-index' && workload!.includes('two words') === isOfTwoWords
    })
  return {
    file: String(figureOf(synced, 'bytes a person')),
    sync: `${figureOf(synced, 'sync s').toFixed(0)} s`,
    'sync-peak': `${synced?.['sync peak GB']} GB`,
    'memory-of-many': mebibytes('at start MiB'),
    'memory-of-many-at-most': mebibytes('peak MiB'),
    'rate-ceiling': ofTarget('ceiling'),
    'rate-nginx': ofTarget('nginx, static file'),
    'rate-flexsearch': ofTarget('Fastify + FlexSearch'),
    'rate-of-a-million': ours(false),
    'rate-of-two-words': ours(true),
  }
}

/** From the least to the most requests a second in two digits, over the rows of so many people that are wanted. */
function rates(authorities: string, isWanted: (row: Cells) => boolean): string {
  const each = recordedTable('wire', 'by the ceiling')
    .rows.filter((row) => row.connections === '64' && row.authorities === authorities)
    .filter(isWanted)
    .map((row) => figureOf(row, 'requests/s'))
  if (each.length === 0) throw new Error(`no recorded rate at ${authorities} people`)
  const [least, most] = [Math.min(...each), Math.max(...each)].map((rate) =>
    Number(rate.toPrecision(2)).toLocaleString('en'),
  )
  return least === most ? least! : `${least} to ${most}`
}
