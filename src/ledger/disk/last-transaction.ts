/**
 * The number of the last transaction of a file of LMDB. LMDB keeps it twice: in the heads of the file, and in the lock
 * file, from where each transaction takes it. A process that opens the file writes it into the lock file without a
 * lock (`mdb_env_open2` of the LMDB in lmdb 3.5), so it goes back where another process commits at that moment: the next
 * transaction would then take the place of that commit, whose changes would be gone. Therefore each write transaction
 * looks, while it alone may write, whether it follows the last commit.
 */
import type { RootDatabase } from 'lmdb'
import { Refusal } from '../../problems.ts'
import { type LockedFile, writeLastTransaction } from './lock-file.ts'
import { newestTransaction } from './pages.ts'

/** Maximum number of attempts of a transaction; each fails only if another process opens the file at that moment. */
const attemptsMax = 100

/** Thrown out of a transaction that does not follow the last commit, so that LMDB undoes it. */
class OutOfOrder extends Error {}

/** A file of LMDB that is open. */
interface OrderedFile extends LockedFile {
  /** Its name in messages. */
  readonly name: string
  readonly root: RootDatabase
}

/**
 * Runs one write transaction that follows the last commit of any process. Some 10 µs more than LMDB's own.
 * @throws Refusal `ledger-refused` where others open the file at every attempt; and any error of `change` and of LMDB.
 */
export function transactInOrder<R>(file: OrderedFile, change: () => R): R {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    try {
      return file.root.transactionSync(() => {
        putInOrder(file)
        return change()
      })
    } catch (error) {
      if (!(error instanceof OutOfOrder)) throw error
    }
  }
  const reason = `${file.name} could not be written: others open it without end`
  throw new Refusal('ledger-refused', reason, 'unavailable')
}

/** While this transaction is open no other process commits, so the number in the heads is the last. */
function putInOrder(file: OrderedFile): void {
  const last = newestTransaction(file.path)
  if (file.root.getWriteTxnId() > last) return
  writeLastTransaction(file, last)
  throw new OutOfOrder()
}
