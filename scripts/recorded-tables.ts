/**
 * What documents show of the record. A bench that was not recorded leaves what is written there.
 */

import {
  figureOf,
  type NamedCells,
  namedRows,
  type RecordedTable,
  recordedTable,
} from '../bench/shared/recorded-tables.ts'
import type { Figures, MadeTable, MadeTables } from './markdown-table.ts'

interface Shown {
  readonly rows?: (row: NamedCells) => boolean
  readonly columns?: readonly string[]
}

/** A part of a recorded table, found by a column or by the line above it. */
function shown(bench: string, word: string, { rows, columns }: Shown = {}): MadeTable | undefined {
  const table = recordedTable(bench, word)
  if (table === undefined) return undefined
  const titles = columns ?? table.columns
  const kept = namedRows(table).filter((row) => rows?.(row) ?? true)
  const cells = kept.map((row) => titles.map((title) => row[title] ?? ''))
  return { columns: titles, rows: cells, above: above(bench, table) }
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
  const rows = namedRows(synced).map((row) => {
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

function rowsIn(bench: string, word: string): readonly NamedCells[] {
  const table = recordedTable(bench, word)
  return table === undefined ? [] : namedRows(table)
}

export function recordedFigures(): Figures {
  return {
    ...syncFigures(),
    ...swapFigures(),
    ...wireFigures(),
  }
}

function syncFigures(): Figures {
  const row = rowsIn('sync', 'sync s').find(({ people }) => people === '1,000,000')
  return {
    file: row?.['bytes a person'],
    sync: row && `${figureOf(row, 'sync s').toFixed(0)} s`,
    'sync-peak': row && `${row['sync peak GB']} GB`,
  }
}

function swapFigures(): Figures {
  const row = rowsIn('swap', 'peak snapshots').find(({ authorities }) => authorities === '1000000')
  const mebibytes = (column: string) => row && `${figureOf(row, column).toLocaleString('en')} MiB`
  return {
    'memory-of-many': mebibytes('at start MiB'),
    'memory-of-many-at-most': mebibytes('peak MiB'),
  }
}

function wireFigures(): Figures {
  const rows = rowsIn('wire', 'by the ceiling').filter(({ connections }) => connections === '64')
  const rates = (authorities: string, isWanted: (row: NamedCells) => boolean) => {
    const found = rows.filter((row) => row.authorities === authorities && isWanted(row))
    const each = found.map((row) => figureOf(row, 'requests/s'))
    if (each.length === 0) return undefined
    const [least, most] = [Math.min(...each), Math.max(...each)].map(toTwoDigits)
    return least === most ? least : `${least} to ${most}`
  }
  const of = (target: string) => rates('10000', (row) => row.target === target)
  const ours = (isOfTwoWords: boolean) =>
    rates('1000000', ({ target, workload = '' }) => {
      return target === 'authority-index' && workload.includes('two words') === isOfTwoWords
    })
  return {
    'rate-ceiling': of('ceiling'),
    'rate-nginx': of('nginx, static file'),
    'rate-flexsearch': of('Fastify + FlexSearch'),
    'rate-of-a-million': ours(false),
    'rate-of-two-words': ours(true),
  }
}

/** Two digits that mean something. */
function toTwoDigits(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en')
}
