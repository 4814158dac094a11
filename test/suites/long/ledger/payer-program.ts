/**
 * A process that tops up the account `default` again and again, with pauses, and prints each
 * reference after it was acknowledged. Its parent kills it at any moment; without a parent that
 * reads, it ends by itself.
 *
 *     node --import tsx test/suites/long/ledger/payer-program.ts DIRECTORY PREFIX
 */
import { setTimeout } from 'node:timers/promises'
import { openBooks } from '../../../../src/ledger/books/open-books.ts'

const amountMicroUsd = 1

/** So that the service gets its turn at the one write lock of the ledger. */
const pauseMsMax = 20

const [directory = '', prefix = ''] = process.argv.slice(2)
const books = await openBooks({ data: directory, ledger: null, clock: Date.now })
for (let number = 0; ; number++) {
  const reference = `${prefix}-${number}`
  await books.topUp('default', amountMicroUsd, reference)
  process.stdout.write(`${reference}\n`)
  await setTimeout(Math.random() * pauseMsMax)
}
