/** Usage as a file, for spreadsheets and databases: the columns are the members of the JSON. */
import type { ExportColumn } from '../../export/tables.ts'
import { tableBytes } from '../../export/write-table.ts'
import type { AdminFile } from '../handler.ts'

const text = 'text' as const
const integer = 'integer' as const

const keyColumns: readonly ExportColumn[] = [
  { name: 'hour', type: integer },
  { name: 'key_id', type: text },
]

/** The columns between the day and the route. */
const columnsBy: Readonly<Record<'route' | 'key' | 'hour', readonly ExportColumn[]>> = {
  route: [],
  key: keyColumns,
  hour: keyColumns,
}

const contentTypes = {
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
} as const

/** The rows as a file of a format. */
export async function usageFile(
  name: string,
  by: keyof typeof columnsBy,
  rows: readonly Readonly<Record<string, unknown>>[],
  format: keyof typeof contentTypes,
): Promise<AdminFile> {
  const columns: readonly ExportColumn[] = [
    { name: 'day', type: text },
    ...columnsBy[by],
    { name: 'route', type: text },
    { name: 'queries', type: integer },
    { name: 'amount_usd', type: 'number' },
  ]
  const cells = rows.map((row) => columns.map((column) => row[column.name] ?? null))
  const table = { name, columns, rowCount: rows.length, rows: cells }
  const body = await tableBytes(table, format)
  return { name: `${name}.${format}`, contentType: contentTypes[format], body }
}
