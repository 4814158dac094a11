/**
 * A process that tops up an account again and again and prints each reference after it has been
 * acknowledged. Its parent kills it, or takes its disk away.
 */
import { openBooks } from '../../../../src/ledger/books/open-books.ts'
import { Refusal } from '../../../../src/problems.ts'

const [data = '', attempts = '0'] = process.argv.slice(2)
const books = await openBooks({ data, ledger: null, clock: Date.now })
try {
  for (let i = 0; i < Number(attempts); i++) {
    const reference = `${process.pid}-${i}-${'x'.repeat(80)}`
    await books.topUp('first', 1_000_000, reference)
    process.stdout.write(`${reference}\n`)
  }
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  process.stdout.write(`refused: ${error.message}\n`)
}
await books.close()
