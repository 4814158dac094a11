/**
 * A process that opens the ledger again and again, tops up an account so often each time, and prints each reference
 * after it has been acknowledged: DIRECTORY OPENINGS TOP-UPS.
 */
import { openBooks } from '../../../../src/ledger/open-administration.ts'

const [data = '', openings = '0', topUps = '0'] = process.argv.slice(2)
for (let opening = 0; opening < Number(openings); opening += 1) {
  const books = await openBooks({ data, ledger: null, clock: Date.now })
  for (let index = 0; index < Number(topUps); index += 1) {
    const reference = `${process.pid}-${opening}-${index}`
    await books.topUp('default', 1_000_000, reference)
    process.stdout.write(`${reference}\n`)
  }
  await books.close()
}
