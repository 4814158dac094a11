/** When charges reached the disk, as an outside process sees it: by looking at the ledger. */
import { setTimeout as sleep } from 'node:timers/promises'
import { openBooks } from '../../../../src/ledger/books/open-books.ts'

const watchIntervalMs = 5

interface CommitWatch {
  /** Times after which the charges of a window came to the disk, ascending. */
  readonly commitsFromMs: readonly number[]
  readonly end: () => Promise<void>
}

/** Notes of every batch of charges the last time at which it was not yet in the ledger. */
export async function watchCommits(data: string): Promise<CommitWatch> {
  const books = await openBooks({ data, ledger: null, clock: Date.now })
  const chargedMicroUsd = async () => (await books.accountNamed('default')).chargedMicroUsd
  const commitsFromMs: number[] = []
  let isOver = false
  const watch = async () => {
    let lookedAtMs = performance.now()
    for (let last = await chargedMicroUsd(); !isOver; await sleep(watchIntervalMs)) {
      const nowMs = performance.now()
      const charged = await chargedMicroUsd()
      if (charged !== last) commitsFromMs.push(lookedAtMs)
      lookedAtMs = nowMs
      last = charged
    }
  }
  const watching = watch()
  const end = async () => {
    isOver = true
    await watching
    await books.close()
  }
  return { commitsFromMs, end }
}
