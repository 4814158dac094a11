/** What a node has sold and keeps on its disk until the database has it, as a test sees it: by copies of the outbox. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Outbox, type Window } from '../../../src/ledger/leases/outbox/outbox.ts'

/** The windows in the outbox of a node; none where a copy was taken in the middle of a write. */
async function windowsIn(data: string): Promise<readonly Window[]> {
  const directory = mkdtempSync(join(tmpdir(), 'outbox-'))
  try {
    copyFileSync(join(data, 'outbox.mdb'), join(directory, 'outbox.mdb'))
    const outbox = new Outbox({ directory, clock: Date.now, report: () => {} })
    const windows = outbox.windows()
    await outbox.close()
    return windows
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Tells what a node keeps of its sales from now on; all that it sold before must have been charged.
 * @param data the directory of its outbox.
 * @returns whether all of so many queries are kept, which were sold since.
 */
export async function keptSince(data: string): Promise<(queries: number) => Promise<boolean>> {
  const last = Math.max(0, ...(await windowsIn(data)).map(({ number }) => number))
  return async (queries) => {
    const later = (await windowsIn(data)).filter(({ number }) => number > last)
    const sales = later.flatMap(({ charges }) =>
      charges.flatMap((each) => Object.values(each.sales)),
    )
    return sales.reduce((sum, sale) => sum + sale.queries, 0) === queries
  }
}
