/** A process that begins to write to a ledger, says so, and does not end. */
import { openEnvironment } from '../../../src/ledger/books/environment.ts'

const environment = openEnvironment({ directory: process.argv[2] ?? '', clock: Date.now })
environment.transact(() => {
  process.stdout.write('held\n')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
