/** A process that begins to write to a ledger, or to read it, says so, and does not end. */
import { openEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import type { Tables } from '../../../../src/ledger/lmdb/tables.ts'

const [directory = '', what = 'write'] = process.argv.slice(2)
const environment = openEnvironment({ directory, clock: Date.now })

function hold(tables: Tables): void {
  tables.changes.get('accounts')
  process.stdout.write('held\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

if (what === 'write') environment.transact(hold)
else environment.read(hold)
