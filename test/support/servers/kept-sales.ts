/** What a node has sold and keeps on its disk until the database has it, as a test sees it: by a look into the outbox. */
import { join } from 'node:path'
import type { Charge } from '../../../src/ledger/books/port.ts'
import { withReader } from '../../../src/ledger/sql/sqlite/connection.ts'

function windowsIn(data: string): Promise<{ number: number; charges: Charge[] }[]> {
  return withReader(join(data, 'outbox.db'), Date.now, async ({ query }) => {
    const rows = await query<{ n: number; charges: string }>('select n, charges from batch')
    return rows.map(({ n, charges }) => ({ number: n, charges: JSON.parse(charges) }))
  })
}

/**
 * All that the node sold before must have been charged.
 * @returns whether all of so many queries, which were sold since, are kept.
 */
export async function keptSince(data: string): Promise<(queries: number) => Promise<boolean>> {
  const last = Math.max(0, ...(await windowsIn(data)).map(({ number }) => number))
  return async (queries) => {
    const later = (await windowsIn(data)).filter(({ number }) => number > last)
    const sales = later.flatMap(({ charges }) => charges)
    return sales.reduce((sum, sale) => sum + sale.queries, 0) === queries
  }
}
