/**
 * A process that writes to a file of SQLite: `hold MS` holds a transaction that long and says when it began, `whole MS` makes
 * a file and has the whole of it; `rows` inserts rows until it is killed, and prints the number of each once it is acknowledged.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { SqliteFile } from '../../../../src/ledger/sql/sqlite/driver.ts'
import { sqlite } from '../../../../src/process/sqlite.ts'

const add = 'insert into item (n, at_ms) select coalesce(max(n), 0) + 1, now_ms() from item'
const [path = '', what = 'rows', ms = '0'] = process.argv.slice(2)
if (what === 'whole') {
  const whole = new (sqlite().DatabaseSync)(path)
  whole.exec('pragma locking_mode=exclusive; pragma journal_mode=wal')
  whole.exec('create table item (n bigint)')
  process.stdout.write('held\n')
  await sleep(Number(ms))
  whole.close()
  process.exit()
}
const sql = new SqliteFile({ path, isService: false, clock: Date.now })
if (what === 'hold') {
  await sql.transaction(async (query) => {
    await query(add)
    process.stdout.write('held\n')
    await sleep(Number(ms))
  })
} else {
  for (;;) {
    const [row] = await sql.transaction((query) => query<{ n: number }>(`${add} returning n`))
    process.stdout.write(`${row!.n}\n`)
  }
}
await sql.close()
