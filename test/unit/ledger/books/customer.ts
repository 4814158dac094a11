/** A process that tops up an account so often, and prints each reference after it was acknowledged. */
import { openBooks } from '../../../../src/ledger/books/open-books.ts'

const [data = '', attempts = '0'] = process.argv.slice(2)
const books = await openBooks({ data, ledger: null, clock: Date.now })
for (let i = 0; i < Number(attempts); i++) {
  const reference = `${process.pid}-${i}`
  await books.topUp('first', 1_000_000, reference)
  process.stdout.write(`${reference}\n`)
}
await books.close()
