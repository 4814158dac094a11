/**
 * A process that tops up an account again and again and prints each reference after it has been
 * acknowledged. Its parent kills it, or takes its disk away.
 */
import { topUp } from '../../../../src/ledger/lmdb/accounts.ts'
import { openEnvironment } from '../../../../src/ledger/lmdb/environment.ts'
import { Refusal } from '../../../../src/problems.ts'

const [directory = '', attempts = '0'] = process.argv.slice(2)
const environment = openEnvironment({ directory, clock: Date.now })
try {
  for (let i = 0; i < Number(attempts); i++) {
    const reference = `${process.pid}-${i}-${'x'.repeat(80)}`
    topUp(environment, 'first', 1_000_000, reference)
    process.stdout.write(`${reference}\n`)
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stdout.write(`refused: ${error.message}\n`)
}
await environment.close()
