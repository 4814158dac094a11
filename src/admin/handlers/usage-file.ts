/** Usage as a file, for spreadsheets: the columns are the members of the JSON. */
import { csvText } from '../../export/write-table.ts'
import type { AdminFile } from '../handler.ts'

const columnsBy = {
  route: ['day', 'route', 'queries', 'amount_usd'],
  key: ['day', 'key_id', 'route', 'queries', 'amount_usd'],
} as const

/** The rows as CSV. */
export function usageFile(
  name: string,
  by: keyof typeof columnsBy,
  rows: readonly Readonly<Record<string, unknown>>[],
): AdminFile {
  const columns = columnsBy[by]
  const cells = rows.map((row) => columns.map((column) => row[column]))
  return {
    name: `${name}.csv`,
    contentType: 'text/csv; charset=utf-8; header=present',
    body: csvText([columns, ...cells]),
  }
}
